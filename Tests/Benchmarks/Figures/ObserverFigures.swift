internal import OverlineProcess
internal import OverlineShell
internal import OverlineSystem
internal import OverlineTestSupport

/// One monitor and many observers, some of which never read.
enum ObserverFigures {
  static func measure(_ plan: Plan) throws -> [Figure] {
    let toasts = try plan.programs.map { try BenchWorld($0) }
    let monitors = try toasts.map { try $0.startOverline("monitor") }
    var figures = try latencies(plan, of: .toast, sockets: toasts.map(\.socket))
    withExtendedLifetime((toasts, monitors)) {}
    let banners = try plan.programs.map { try TmuxScene($0, hideDelay: "50ms") }
    figures += try latencies(plan, of: .banner, sockets: banners.map(\.world.socket))
    withExtendedLifetime(banners) {}
    let growths = try plan.programs.map { [try growth($0)] }
    figures.append(
      Figure(
        what: "1000 observers, 100 never read, 1000 changes: growth", unit: "MB", ours: growths[0],
        peer: plan.peer(growths), goal: .atMost(10)))
    return figures
  }

  /// The changes for which observers ask. Not a link's end: after any of the kernel's messages the monitor waits 50 ms for the rest of a
  /// burst, and a link that has just come up sends late ones.
  fileprivate enum Change: String {
    case toast
    /// The monitor shows it in tmux, after the observers' lines. Before them it asks tmux how many clients there are, and refuses a banner
    /// that no screen would show.
    case banner

    func request(_ title: String) -> String {
      switch self {
      case .toast: #"{"do":"toast","title":"\#(title)","key":"change","duration":0}"#
      case .banner: #"{"do":"present","title":"\#(title)"}"#
      }
    }
  }

  /// Milliseconds from the request for a change to each observer's line.
  private static func latencies(_ plan: Plan, of change: Change, sockets: [String]) throws -> [Figure] {
    let observers = try sockets.map { try Observers(count: 100, socket: $0) }
    var rounds = sockets.map { _ in LatencyRounds() }
    // The first round warms up.
    for round in 0...plan.rounds {
      for (index, observers) in observers.enumerated() {
        try observers.settle()
        let times = try (0..<20).flatMap { try observers.times(of: change, "change \(round * 20 + $0)") }
        if round > 0 { rounds[index].add(times) }
      }
    }
    let what = "requested \(change.rawValue) → line at each of 100 observers"
    return [
      Figure(what: "\(what), median", unit: "ms", ours: rounds[0].medians, peer: plan.peer(rounds.map(\.medians))),
      Figure(
        what: "\(what), p99", unit: "ms", ours: rounds[0].slowest, peer: plan.peer(rounds.map(\.slowest)),
        goal: change == .toast ? .atMost(5) : .none),
    ]
  }

  /// Megabytes, from before the first observer to after the last change.
  private static func growth(_ overline: String) throws -> Double {
    let scene = try TmuxScene(overline, hideDelay: "50ms")
    let figures = ProcessFigures(pid: scene.monitor.pid)
    // After the monitor has started, which raises its own limit or does not.
    ResourceLimits.raiseDescriptors()
    let before = try figures.residentSize()
    let silent = try (0..<100).map { _ in try Connection(scene.world.socket) }
    let observers = try Observers(count: 900, socket: scene.world.socket)
    try observers.settle()
    for number in 0..<1000 { try observers.present("change \(number)", asking: number % observers.count) }
    try observers.settle()
    let after = try figures.residentSize()
    withExtendedLifetime((silent, scene)) {}
    return Double(after - before) / 1024
  }
}

/// A connection with more than one owner.
private final class Connection: Sendable {
  let socket: FileDescriptor

  init(_ path: String) throws {
    socket = try UnixSocket.connect(to: path)
  }
}

/// Observers that read all output.
private final class Observers {
  private let connections: [Connection]
  private let poller: Poller

  var count: Int { connections.count }

  init(count: Int, socket: String) throws {
    let connections = try (0..<count).map { _ in try Connection(socket) }
    let poller = try Poller()
    for (number, connection) in connections.enumerated() {
      try poller.add(connection.socket.rawValue, token: UInt64(number), .readable)
    }
    self.connections = connections
    self.poller = poller
  }

  /// Asks for a change; returns the milliseconds until each observer's line.
  func times(of change: ObserverFigures.Change, _ title: String) throws -> [Double] {
    let start = BootClock.now
    try ask(change, title)
    var times: [Int: Double] = [:]
    while times.count < connections.count, try waitUntilReadable(poller.rawValue, timeout: .seconds(1)) {
      for number in try read() where times[number] == nil { times[number] = (BootClock.now - start).milliseconds }
    }
    guard times.count == connections.count else { throw TestKitError("\(times.count) observers got a line, not all") }
    try settle()
    return Array(times.values)
  }

  /// Reads until no output has come for a while.
  func settle() throws {
    while try waitUntilReadable(poller.rawValue, timeout: .milliseconds(100)) { _ = try read() }
  }

  /// As one of the observers, asks for a change that all of them see. The monitor limits the rate of each.
  private func ask(_ change: ObserverFigures.Change, _ title: String, asking number: Int = 0) throws {
    let line = Array((change.request(title) + "\n").utf8)
    _ = try UnixSocket.send(line[...], to: connections[number].socket.rawValue)
  }

  /// Asks for a change and returns when the monitor has answered.
  func present(_ title: String, asking number: Int) throws {
    try ask(.banner, title, asking: number)
    var isAnswered = false
    while !isAnswered {
      guard try waitUntilReadable(poller.rawValue, timeout: .seconds(2)) else { throw TestKitError("no answer") }
      _ = try read { isAnswered = isAnswered || $0 == number && $1.contains("{\"ok\":true") }
    }
  }

  /// Reads and hands over the available output of each observer; returns the observers that received any.
  private func read(_ word: (Int, String) -> Void = { _, _ in }) throws -> [Int] {
    try poller.takeReady().map { token, _ in
      let bytes = try connections[Int(token)].socket.read()
      guard !bytes.isEmpty else { throw TestKitError("the monitor dropped an observer that reads") }
      word(Int(token), String(decoding: bytes, as: UTF8.self))
      return Int(token)
    }
  }
}
