internal import OverlineProcess
internal import OverlineSystem

/// A separate tmux server, without the user's configuration. Releasing this object ends it.
package final class TmuxTestServer: Sendable {
  /// The path for `tmux -S`.
  package let socket: String
  package let pid: Int32
  private let folder: String

  /// The environment of tmux and the programs in it: none of the machine's own settings, and no surrounding tmux.
  package static let environment = [
    "PATH=\(ProcessEnvironment["PATH"] ?? "/usr/bin:/bin")", "TERM=xterm-256color", "LC_ALL=C.UTF-8", "SHELL=/bin/sh",
    "HOME=/", "PS1=$ ",
  ]

  /// Starts the server with one detached session.
  ///
  /// - Parameters:
  ///   - configuration: command lines that run before the session is created.
  ///   - command: the command of its first pane, for `/bin/sh`.
  package convenience init(
    configuration: [String] = [], command: String = "sh", columns: Int = 80, rows: Int = 24
  ) throws {
    try self.init(
      configuration, ["new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "-P", "-F", "#{pid}", command])
  }

  /// Starts the server without a session.
  package static func withoutSession(configuration: [String] = []) throws -> TmuxTestServer {
    try TmuxTestServer(
      ["set -g exit-empty off"] + configuration, ["start-server", ";", "display-message", "-p", "#{pid}"])
  }

  /// - Parameter command: starts the server and prints its pid.
  private init(_ configuration: [String], _ command: [String]) throws {
    // A private folder: in a user namespace /tmp belongs to an unknown user, and is unfit for a server's socket.
    folder = try TemporaryFolder.make()
    let path = "\(folder)/tmux"
    socket = path
    try Files.replace(path + ".conf", with: Array((configuration.joined(separator: "\n") + "\n").utf8))
    let result = try Subprocess.run(
      "tmux", ["-u", "-S", path, "-f", path + ".conf"] + command, environment: Self.environment)
    guard let pid = Int32(result.outputText.prefix { $0.isNumber }) else {
      throw SystemError(code: 0, attempt: "start tmux: \(result.errorText)")
    }
    self.pid = pid
  }

  deinit {
    stop()
  }

  /// Ends the server and every program in it.
  package func stop() {
    _ = try? tmux("kill-server")
    TemporaryFolder.remove(folder)
  }

  /// The pid of a monitor's guardian: the monitor's child with the argument `guardian`. A monitor that shows something in a tmux server has
  /// one.
  package static func guardian(of monitor: Int32) throws -> Int32? {
    let children = try Subprocess.run("ps", ["-o", "pid=,args=", "--ppid", "\(monitor)"]).outputText
    let line = children.split(separator: "\n").first { $0.hasSuffix(" guardian") }
    return line.flatMap { Int32($0.split(separator: " ")[0]) }
  }

  /// Runs one tmux command and returns its output.
  @discardableResult
  package func tmux(_ arguments: String...) throws -> String {
    let result = try Subprocess.run("tmux", ["-u", "-S", socket] + arguments, environment: Self.environment)
    guard result.errors.isEmpty else {
      throw SystemError(code: 0, attempt: "tmux \(arguments): \(result.errorText)")
    }
    return result.outputText
  }

  /// Runs command lines as a configuration file would.
  @discardableResult
  package func source(_ lines: String...) throws -> String {
    let result = try Subprocess.run(
      "tmux", ["-u", "-S", socket, "source-file", "-"], input: Array((lines.joined(separator: "\n") + "\n").utf8),
      environment: Self.environment)
    guard result.errors.isEmpty else {
      throw SystemError(code: 0, attempt: "tmux source \(lines): \(result.errorText)")
    }
    return result.outputText
  }

  /// Attaches a client on a pseudoterminal and waits until tmux lists it.
  package func attach(session: String = "", columns: Int = 80, rows: Int = 24) throws -> TestTerminal {
    let before = try tmux("list-clients").split(separator: "\n").count
    let target = session.isEmpty ? [] : ["-t", session]
    let terminal = try TestTerminal(
      "tmux", ["-u", "-S", socket, "attach"] + target, environment: Self.environment, columns: columns, rows: rows)
    guard try eventually({ try tmux("list-clients").split(separator: "\n").count > before && !terminal.output.isEmpty })
    else {
      throw SystemError(code: 0, attempt: "attach: \(String(decoding: terminal.output, as: UTF8.self))")
    }
    return terminal
  }

  /// A readable screen: another server whose only pane shows a client of this one, so that tmux itself reports the content of
  /// that client's screen, status lines included.
  ///
  /// - Parameter isUTF8: false for a client whose locale is not UTF-8.
  package func attachedScreen(
    session: String = "", columns: Int = 80, rows: Int = 24, isUTF8: Bool = true
  ) throws -> TmuxTestScreen {
    let target = session.isEmpty ? "" : " -t '\(session)'"
    let before = try tmux("list-clients").split(separator: "\n").count
    let outer = try TmuxTestServer(
      configuration: [
        "set -g status off", "set -g default-terminal tmux-256color", "set -g update-environment ''",
        "set -g escape-time 0",
      ],
      command: "env -u TMUX \(isUTF8 ? "tmux -u" : "LC_ALL=C tmux") -S \(socket) attach\(target)", columns: columns,
      rows: rows)
    guard try eventually({ try tmux("list-clients").split(separator: "\n").count > before }) else {
      throw SystemError(code: 0, attempt: "attach inside another tmux")
    }
    let screen = TmuxTestScreen(server: outer)
    try screen.settle()
    return screen
  }
}

/// The screen of a client, cell by cell.
package final class TmuxTestScreen: Sendable {
  package let server: TmuxTestServer

  init(server: TmuxTestServer) { self.server = server }

  /// The rows' text.
  package func rows() throws -> [String] {
    try server.tmux("capture-pane", "-p", "-N").split(separator: "\n", omittingEmptySubsequences: false).dropLast().map
    {
      String($0)
    }
  }

  /// The rows with colours and attributes, and the cursor's position.
  package func cells() throws -> String {
    try server.tmux("capture-pane", "-p", "-e", ";", "display-message", "-p", "#{cursor_x},#{cursor_y}")
  }

  /// Waits until the screen shows something and stays the same for a few looks: the first paint arrives in pieces.
  package func settle() throws {
    var last = ""
    var looks = 0
    _ = try eventually {
      let cells = try cells()
      looks = cells == last ? looks + 1 : 0
      last = cells
      return try looks >= 5 && rows().contains { $0.contains { $0 != " " } }
    }
  }

  package func type(_ text: String) throws {
    try server.tmux("send-keys", "-l", text)
  }
}
