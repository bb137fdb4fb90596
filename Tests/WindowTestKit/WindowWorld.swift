import OverlineProcess
import OverlineSystem
package import OverlineTestSupport

/// A window's environment: a network namespace with one uplink whose cable can be pulled, a home and a runtime directory of
/// its own, and the real `overline`.
public final class WindowWorld: Sendable {
  package let namespace: NetworkNamespace
  public let folder: String

  public static let executable = BuiltProgram.path("overline")

  /// - Parameters:
  ///   - height: the banner's rows.
  ///   - isOnline: whether the cable is plugged in at the beginning.
  ///   - configuration: more of the configuration, as TOML.
  public convenience init(height: Int = 1, isOnline: Bool = true, configuration: String = "") throws {
    let namespace = try NetworkNamespace()
    try namespace.addUplink("eth0")
    try self.init(in: namespace, height: height, configuration: configuration)
    if !isOnline { try pullTheCable() }
  }

  /// - Parameter prepared: a namespace with an uplink of its own.
  package init(in prepared: NetworkNamespace, height: Int = 1, configuration: String = "") throws {
    namespace = prepared
    folder = try TemporaryFolder.make()
    try configure(Self.quick(height: height) + configuration)
  }

  deinit {
    TemporaryFolder.remove(folder)
  }

  /// A configuration without motion and with minimal times, so that a screen is the same at every reading.
  private static func quick(height: Int) -> String {
    """
    [banner]
    grace-delay = "20ms"
    hide-delay = "100ms"
    motion = "off"
    [banner.offline]
    height = \(height)
    [banner.restored]
    height = \(height)

    """
  }

  /// Replaces the configuration.
  public func configure(_ text: String) throws {
    try Files.makePrivateDirectory("\(folder)/overline")
    try Files.replace("\(folder)/overline/config.toml", with: Array(text.utf8))
  }

  /// The environment of a program in this world, as `NAME=value`.
  public var environment: [String] {
    [
      "PATH=\(ProcessEnvironment["PATH"] ?? "/usr/bin:/bin")", "TERM=xterm-256color", "XTERM_VERSION=XTerm(379)",
      "LC_ALL=C.UTF-8", "SHELL=/bin/sh",
      "PS1=$ ", "HOME=\(folder)", "XDG_RUNTIME_DIR=\(folder)", "XDG_CONFIG_HOME=\(folder)",
    ]
  }

  /// ``environment``, in which `more` replaces variables of the same names.
  public func environment(with more: [String]) -> [String] {
    let names = more.map { $0.prefix { $0 != "=" } + "=" }
    return environment.filter { one in !names.contains { one.hasPrefix($0) } } + more
  }

  public func pullTheCable() throws { try namespace.ip("link set eth0p down") }
  public func plugTheCable() throws { try namespace.ip("link set eth0p up") }

  /// A file in this world's home.
  public func file(_ name: String, _ text: String) throws -> String {
    try Files.replace("\(folder)/\(name)", with: Array(text.utf8))
    return "\(folder)/\(name)"
  }

  /// `overline run -- COMMAND` on a terminal of its own.
  public func window(
    _ command: String..., rows: Int = 24, columns: Int = 80, environment more: [String] = []
  ) throws -> TerminalScene {
    try scene([Self.executable, "run", "--"] + command, rows: rows, columns: columns, environment: more)
  }

  /// The command alone on a terminal of its own.
  public func bare(
    _ command: String..., rows: Int = 24, columns: Int = 80, environment more: [String] = []
  ) throws -> TerminalScene {
    try scene(command, rows: rows, columns: columns, environment: more)
  }

  public func scene(
    _ command: [String], rows: Int = 24, columns: Int = 80, environment more: [String] = []
  ) throws -> TerminalScene {
    try namespace.inside {
      try TerminalScene(command, environment: environment(with: more), rows: rows, columns: columns)
    }
  }

  /// Runs `overline ARGUMENTS` as if from inside a window; returns its exit status and output.
  @discardableResult
  public func ask(_ window: TerminalScene, _ arguments: [String]) throws -> (status: Int32, text: String) {
    let result = try Subprocess.run(
      Self.executable, arguments, environment: environment(inside: window), timeout: .seconds(60))
    return (result.status, result.outputText + String(decoding: result.errors, as: UTF8.self))
  }

  /// Starts `overline ARGUMENTS` without waiting for the answer; returns the process, to be waited for.
  public func begin(_ window: TerminalScene, _ arguments: [String]) throws -> Int32 {
    try Subprocess.spawn(
      Self.executable, arguments, environment: environment(inside: window), newSession: true, descriptors: [])
  }

  /// The environment inside the window. A program started from here, and not by the window, could be too early for the socket.
  public func environment(inside window: TerminalScene) -> [String] {
    let socket = "\(folder)/overline/window-\(window.pid).sock"
    _ = eventually { Files.exists(socket) }
    return environment + ["OVERLINE_SOCKET=\(socket)"]
  }
}

/// A toast's owner: the toast ends with it.
public final class Owner: Sendable {
  private let process: ChildProcess
  public var pid: Int32 { process.pid }

  public init() throws {
    process = ChildProcess(try Subprocess.spawn("sleep", ["1000"], newSession: true, descriptors: []))
  }

  public func end() {
    Signal.kill.send(to: pid)
    _ = Subprocess.wait(for: pid)
  }
}
