import OverlineProcess
import OverlineSystem
import OverlineTestSupport

/// A network namespace with one uplink, a runtime directory and a home of its own, and the real `overline` in it.
final class World: Sendable {
  let namespace: NetworkNamespace
  let folder: String

  static let executable = BuiltProgram.path("overline")
  /// The generator of the manual.
  static let manual = BuiltProgram.path("OverlineManual")

  /// - Parameter prepared: a namespace with an uplink of its own; nil for a new one.
  init(in prepared: NetworkNamespace? = nil) throws {
    namespace = try prepared ?? NetworkNamespace()
    if prepared == nil { try namespace.addUplink("eth0") }
    folder = try TemporaryFolder.make()
  }

  deinit {
    TemporaryFolder.remove(folder)
  }

  /// The environment of a program in this world.
  var environment: [String] {
    TmuxTestServer.environment
      + ["XDG_RUNTIME_DIR=\(folder)", "XDG_CONFIG_HOME=\(folder)", "XDG_STATE_HOME=\(folder)/state"]
  }

  /// Replaces the configuration.
  func configure(_ text: String) throws {
    try Files.makePrivateDirectory("\(folder)/overline")
    try Files.replace("\(folder)/overline/config.toml", with: Array(text.utf8))
  }

  /// Runs `overline` to its end.
  func overline(_ arguments: String..., environment more: [String] = []) throws -> Subprocess.Result {
    try namespace.inside {
      try Subprocess.run(Self.executable, arguments, environment: environment + more, timeout: .seconds(30))
    }
  }

  /// Starts `overline` and lets it run.
  func start(_ arguments: String..., environment more: [String] = []) throws -> TestProgram {
    try namespace.inside { try TestProgram(Self.executable, arguments, environment: environment + more) }
  }

  /// Starts a monitor and waits until it serves.
  func startMonitor() throws -> TestProgram {
    let monitor = try start("monitor")
    try monitor.lines.wait("the monitor's first line") { !$0.isEmpty }
    return monitor
  }

  /// Starts `overline watch`, which prints a word for each change of the monitor's state; begins online.
  func watchWords() throws -> TestProgram {
    let watch = try start("watch", "--format", "prompt")
    try watch.lines.first("the network") { $0 == "online" }
    return watch
  }

  /// Pulls the cable and plugs it in again, each once the monitor has seen the previous state.
  func haveOutage(_ watch: TestProgram) throws {
    let before = watch.lines.values.count
    try pullTheCable()
    try watch.lines.first("the outage", from: before) { $0 == "offline" }
    let during = watch.lines.values.count
    try plugTheCable()
    try watch.lines.first("its end", from: during) { $0 != "offline" }
  }

  /// Gives the uplink another name, of any bytes.
  func rename(_ name: String) throws {
    try namespace.ip(
      "link set eth0 down", "link set eth0 name \(name)", "link set \(name) up", "route add default via 192.0.2.1")
  }

  func pullTheCable() throws { try namespace.ip("link set eth0p down") }
  func plugTheCable() throws { try namespace.ip("link set eth0p up") }
}
