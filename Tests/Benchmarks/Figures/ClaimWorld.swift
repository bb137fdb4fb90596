internal import Dispatch
internal import NetworkPath
internal import OverlineProcess
internal import OverlineSystem
internal import OverlineTestSupport
internal import OverlineTranscripts

/// A host behind a router, and what watches its path. Counts the claims that nothing answers: outages with the reason `router-silent`, and
/// the state *limited* with the reason `no-answers`.
///
/// A datagram each tenth of a second gets no answer. So the kernel asks the router again and again, and each question makes the watcher
/// look at the connections.
final class ClaimWorld {
  /// The measured `overline monitor`, or the library in this process, whose clock can be made to jump.
  enum Watcher { case monitor, library }

  let network: RoutedNetwork
  private let bench: BenchWorld
  private var kept: [AnyObject] = []
  /// What a state says about answers.
  enum Claim { case silentRouter, noAnswers }

  /// The claim of each state that was published so far; nil for a state without one.
  private var states: () throws -> [Claim?] = { [] }
  private let clock: Pipe

  init(_ plan: Plan, usesDefaultTimers: Bool = false) throws {
    network = try RoutedNetwork(usesDefaultTimers: usesDefaultTimers)
    bench = try BenchWorld(
      plan.overline, configuration: "banner = { grace-delay = \"0s\", hide-delay = \"0s\", motion = \"off\" }",
      in: network.host)
    clock = try Pipe()
  }

  /// The monitor ends before its folder is removed: otherwise it could write there again.
  deinit { kept = [] }

  /// - Parameter sends: whether a datagram is sent each tenth of a second.
  func watch(with watcher: Watcher, sends: Bool = true) throws {
    switch watcher {
    case .monitor: try startMonitor()
    case .library: try startLibrary()
    }
    if sends { keep(try DatagramTraffic(to: RoutedNetwork.far[0], in: network.host)) }
  }

  /// The figures of the running monitor.
  private(set) var monitor: ProcessFigures?

  /// The times of the library's looks that found something waiting.
  private let suspicions = Recorder<Duration>()

  /// The time of the first of them from a time on.
  func firstSuspicion(from start: Duration) -> Duration? { suspicions.values.first { $0 >= start } }

  /// The claim of the last published state; nil for none.
  func claim() throws -> Claim? { try states().last ?? nil }

  /// The number of claims that have begun.
  func claims() throws -> Int {
    let states = try states()
    return zip([nil] + states, states).count { $0 == nil && $1 != nil }
  }

  private func startMonitor() throws {
    // It ends with this thread, so also when this process is killed.
    let monitor = try bench.start("setpriv", ["--pdeathsig", "KILL", bench.overline, "monitor"])
    guard try monitor.waitForOutput(within: .seconds(30)) else { throw TestKitError("the monitor did not start") }
    self.monitor = ProcessFigures(pid: monitor.pid)
    let observer = StateObserver(try UnixSocket.connect(to: bench.socket))
    keep(monitor)
    states = {
      try observer.lines().map {
        if $0.contains("\"reason\":\"router-silent\"") { return .silentRouter }
        return $0.contains("\"reason\":\"no-answers\"") ? .noAnswers : nil
      }
    }
  }

  private func startLibrary() throws {
    let paths = Recorder<NWPath>()
    let host = network.host
    let descriptor = try clock.reading.duplicate()
    try descriptor.setNonBlocking()
    let steps = ClockSteps(descriptor: descriptor)
    let suspicions = suspicions
    let recorder = TranscriptRecorder(
      write: { bytes in
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        let looks = lines.filter { $0.hasPrefix("connections ") }
        if looks.contains(where: { $0.contains(" stall=") || $0.contains(" doubtful=") }) {
          suspicions.record(BootClock.now)
        }
      }, onStop: { _ in })
    let watcher = PathWatcher(
      queue: DispatchQueue(label: "bench.claims"), recorder: recorder,
      open: { () throws(NetlinkError) in
        do { return try host.inside { try NetlinkSockets() } } catch {
          throw NetlinkError(code: EPERM, attempt: "open the kernel's sockets")
        }
      }, clockSteps: { () throws(SystemError) in steps }, onPath: { paths.record($0) })
    try watcher.start()
    try paths.wait("the first path") { !$0.isEmpty }
    keep(watcher)
    states = {
      paths.values.map { $0.reason == .routerSilent ? .silentRouter : $0.noAnswers == nil ? nil : .noAnswers }
    }
  }

  /// Starts a shell's command in the host's namespace. Returns it and the file that it writes to.
  func start(_ command: String) throws -> (program: PipedProgram, file: String) {
    let file = try bench.file("output", [])
    return (try bench.start("sh", ["-c", "\(command) > \(file)"]), file)
  }

  // MARK: Events

  func keep(_ object: AnyObject) { kept.append(object) }

  /// Connections that send without a pause, and are answered.
  func talk(to addresses: [String]) throws { keep(try network.connect(to: addresses)) }

  /// What the watcher sees when the wall clock is set, or the machine wakes.
  func stepClock() throws { try clock.writing.writeAll([1]) }

  /// Waits until as many connections have waited for an acknowledgement for longer than a claim requires.
  func waitForStalls(_ count: Int) throws {
    try waitForConnections(count) { $0.stallAge ?? .zero > .seconds(7) }
  }

  /// Waits until as many of the host's connections are as expected.
  func waitForConnections(
    _ count: Int, in state: TCPConnection.State = .established, where fits: (TCPConnection) -> Bool
  ) throws {
    let diagnostics = try network.host.inside { try SocketDiagnostics() }
    try wait(for: "\(count) waiting connections") {
      try diagnostics.connections(in: [state]).count(where: fits) >= count
    }
  }

  /// Gives the router another hardware address and waits until the host has learned it.
  func replaceRouter(by address: String) throws {
    try network.router.ip("link set lan0 address \(address)")
    try wait(for: "the host to learn \(address)") {
      try network.host.output("ip neigh show 192.0.2.1").contains(address)
    }
  }

  /// Looks rarely: twenty worlds do so at once.
  private func wait(for what: String, _ isThere: () throws -> Bool) throws {
    let end = BootClock.now + .seconds(30)
    while try !isThere() {
      guard BootClock.now < end else { throw TestKitError("waited in vain for \(what)") }
      pause(for: .milliseconds(250))
    }
  }
}

/// Reads the states that a monitor publishes, one in each line.
private final class StateObserver {
  private let socket: FileDescriptor
  private var bytes: [UInt8] = []

  init(_ socket: consuming FileDescriptor) { self.socket = socket }

  /// All lines so far. Throws when the monitor has ended: then it could claim nothing.
  func lines() throws -> [Substring] {
    while try waitUntilReadable(socket.rawValue, timeout: .zero) {
      let more = try socket.read()
      if more.isEmpty { throw TestKitError("the monitor has ended") }
      bytes += more
    }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
  }
}
