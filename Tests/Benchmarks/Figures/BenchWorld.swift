internal import OverlineProcess
internal import OverlineSystem
internal import OverlineTestSupport

/// A network namespace, usually with one uplink, a runtime directory, and the measured `overline` in it.
final class BenchWorld: Sendable {
  static let link = "eth0"

  private let namespace: NetworkNamespace
  /// Removed with this object.
  let folder: String
  let overline: String
  private let linkSwitch: LinkSwitch

  /// - Parameters:
  ///   - overline: the path of the measured program.
  ///   - configuration: the text of the `config.toml`.
  ///   - prepared: a namespace with links of its own; nil for a new one with one uplink.
  init(_ overline: String, configuration: String = "", in prepared: NetworkNamespace? = nil) throws {
    self.overline = overline
    namespace = try prepared ?? NetworkNamespace()
    if prepared == nil { try namespace.addUplink(Self.link) }
    linkSwitch = try namespace.inside { try LinkSwitch() }
    // In memory, as a session's runtime directory is.
    let parent = Files.exists("/dev/shm") ? "/dev/shm" : "/tmp"
    folder = try TemporaryFolder.make(in: parent)
    try Files.makePrivateDirectory("\(folder)/overline")
    try Files.replace("\(folder)/overline/config.toml", with: Array(configuration.utf8))
  }

  deinit {
    TemporaryFolder.remove(folder)
  }

  var environment: [String] {
    TmuxTestServer.environment + [
      "XDG_RUNTIME_DIR=\(folder)", "XDG_CONFIG_HOME=\(folder)", "XDG_STATE_HOME=\(folder)/state",
    ]
  }

  var socket: String { "\(folder)/overline/monitor.sock" }

  func socket(of window: HostTerminal) -> String { "\(folder)/overline/window-\(window.pid).sock" }

  /// Starts a program of this world; only the caller reads its standard output.
  func start(_ program: String, _ arguments: [String]) throws -> PipedProgram {
    try namespace.inside { try PipedProgram(program, arguments, environment: environment) }
  }

  /// Starts a program of this world on a terminal of its own.
  func start(
    _ host: Host, _ arguments: [String], rows: Int, columns: Int, answer: TerminalAnswer = .atOnce
  ) throws -> HostTerminal {
    try namespace.inside {
      try HostTerminal(
        host.command(in: self, arguments), environment: environment, rows: rows, columns: columns, answer: answer)
    }
  }

  /// A file in this world's folder.
  func file(_ name: String, _ bytes: [UInt8]) throws -> String {
    try Files.replace("\(folder)/\(name)", with: bytes)
    return "\(folder)/\(name)"
  }

  /// Starts `overline` with these arguments and waits for its first line.
  func startOverline(_ arguments: String...) throws -> PipedProgram {
    let program = try start(overline, arguments)
    guard try program.waitForOutput(within: .seconds(10)) else {
      throw TestKitError("overline \(arguments.joined(separator: " ")) said nothing")
    }
    return program
  }

  /// Starts the smallest program that watches the path.
  func startWatcher() throws -> PipedProgram { try start(sibling("OverlineBenchWatcher"), []) }

  /// The path of a program that is built beside this one.
  func sibling(_ name: String) -> String {
    let own = ProcessEnvironment.executable
    return own.prefix(through: own.lastIndex(of: "/")!) + name
  }

  /// The number of messages that the kernel could not queue for a program's listening sockets (the column `Drops` of
  /// /proc/net/netlink).
  func drops(of pid: Int32) throws -> Int {
    let list = try inside { String(decoding: try Files.read("/proc/thread-self/net/netlink"), as: UTF8.self) }
    return list.split(separator: "\n").reduce(0) { sum, line in
      let columns = line.split(separator: " ")
      // libnl numbers a process's sockets in the bits above a pid's.
      guard columns.count > 8, let port = UInt32(columns[2]), port & 0x3f_ffff == UInt32(pid), columns[3] != "00000000"
      else { return sum }
      return sum + (Int(columns[8]) ?? 0)
    }
  }

  /// Runs a closure with the calling thread in this world's namespace.
  func inside<Result>(_ body: () throws -> Result) throws -> Result { try namespace.inside(body) }

  /// Runs `overline` to its end and returns its output.
  @discardableResult
  func run(_ arguments: String...) throws -> String {
    let result = try inside { try Subprocess.run(overline, arguments, environment: environment) }
    guard result.status == 0 else { throw TestKitError("overline \(arguments): \(result.errorText)") }
    return result.outputText
  }

  /// A series of outages for the monitor.
  func outages() throws -> OutageSeries {
    try OutageSeries(namespace, socket: socket, route: "default via 192.0.2.1 dev \(Self.link)")
  }

  /// Runs lines of `ip` in this namespace.
  func ip(_ lines: [String], timeout: Duration) throws {
    let input = Array((lines.joined(separator: "\n") + "\n").utf8)
    let result = try inside { try Subprocess.run("ip", ["-batch", "-"], input: input, timeout: timeout) }
    guard result.status == 0 else { throw TestKitError("ip: \(result.errorText)") }
  }

  /// Turns the uplink off; returns the time before that.
  func goDown() throws -> Duration {
    let start = BootClock.now
    try linkSwitch.set(Self.link, up: false)
    return start
  }

  /// Turns the uplink on again and restores its default route; returns the time before that.
  @discardableResult
  func goUp() throws -> Duration {
    let start = BootClock.now
    try linkSwitch.set(Self.link, up: true)
    try namespace.ip("route replace default via 192.0.2.1 dev \(Self.link)")
    return start
  }
}

/// A program whose standard output is a pipe that the caller reads. It ends with this object.
final class PipedProgram: Sendable {
  let pid: Int32
  let output: FileDescriptor

  init(_ program: String, _ arguments: [String], environment: [String]) throws {
    let pipe = try Pipe()
    pid = try Subprocess.spawn(
      program, arguments, environment: environment, newSession: true, descriptors: [(pipe.writing.rawValue, 1)])
    output = pipe.takeReading()
    try output.setNonBlocking()
  }

  deinit {
    // Includes the processes that it has started: the session is its own.
    Signal.kill.send(to: -pid)
    _ = Subprocess.wait(for: pid)
  }

  /// Waits for output and reads it; false when none came.
  func waitForOutput(within timeout: Duration) throws -> Bool {
    guard try waitUntilReadable(output.rawValue, timeout: timeout) else { return false }
    while let bytes = try? output.read(), !bytes.isEmpty {}
    return true
  }
}
