import OverlineSystem
package import OverlineTestSupport
public import OverlineReferenceTerminal

/// A program alone in a pane of a real tmux, which reports its screen.
public final class TmuxPane: Sendable {
  package let server: TmuxTestServer
  private let pidFile: String

  /// Starts a command, for `/bin/sh`, in a pane of this size. Only `TERM` shows the command that it runs in tmux. When it ends, its
  /// status is printed, and the pane stays.
  ///
  /// - Parameters:
  ///   - isInWindow: whether it runs in `overline run`.
  ///   - programRows: the rows that it must have when it starts, if not all.
  public init(
    _ command: String, isInWindow: Bool, in world: WindowWorld, rows: Int, programRows: Int? = nil, columns: Int = 80
  ) throws {
    // A program that gets a new size while it starts draws unpredictably: in a window it starts when it has its rows. The screen is
    // cleared first: a window does not know earlier text, and leaves the banner's rows blank at its end.
    let name = isInWindow ? "window" : "alone"
    pidFile = "\(world.folder)/\(name).pid"
    let script = try world.file(
      "\(name)-command.sh",
      """
      echo $$ >\(pidFile)
      until [ "$(stty size)" = '\(programRows ?? rows) \(columns)' ]; do sleep 0.01; done
      printf '\\033[H\\033[2J'
      exec \(command)

      """)
    let window = isInWindow ? "\(WindowWorld.executable) run -- " : ""
    let pane = try world.file(
      "\(name).sh", "\(window)sh \(script)\nprintf 'status %s' $?\nexec sleep 1000\n")
    let set = (world.environment + ["TERM=tmux-256color"]).map { "'\($0)'" }.joined(separator: " ")
    server = try world.namespace.inside {
      try TmuxTestServer(
        configuration: [
          "set -g status off", "set -g default-terminal tmux-256color", "set -g escape-time 0",
          "set -g update-environment ''", "set -g focus-events on",
        ], command: "exec env -i \(set) sh \(pane)", columns: columns, rows: rows)
    }
  }

  /// Presses keys with `send-keys` names; other text is typed.
  public func press(_ keys: [String]) throws {
    for key in keys { try server.tmux("send-keys", key) }
  }

  /// The rows below the first `offset` with their attributes, the cursor relative to them, and the modes that tmux reports.
  public func picture(below offset: Int = 0) throws -> PanePicture {
    let flags = [
      "cursor_flag", "alternate_on", "insert_flag", "keypad_cursor_flag", "keypad_flag", "mouse_any_flag",
      "mouse_sgr_flag", "wrap_flag", "origin_flag",
    ]
    let modes = flags.map { "\($0)=#{\($0)}" }.joined(separator: " ")
    var lines = try server.tmux(
      "capture-pane", "-p", "-e", "-S", "\(offset)", ";", "display-message", "-p",
      "#{pane_width} #{cursor_x},#{e|-:#{cursor_y},\(offset)} \(modes)"
    ).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    let last = lines.removeLast()
    return PanePicture(lines: lines.map(String.init), columns: Int(last.prefix { $0 != " " })!, state: String(last))
  }

  /// Waits until the command, which runs without a shell and waits for keys with read(2), has read more often than `reads` and waits for the
  /// next key. Returns the number of its reads.
  @discardableResult
  public func waitForNextKey(after reads: Int = 0) throws -> Int {
    let pid = String(decoding: try Files.read(pidFile), as: UTF8.self).filter(\.isNumber)
    func file(_ name: String) throws -> String {
      String(decoding: try Files.read("/proc/\(pid)/\(name)"), as: UTF8.self)
    }
    var count = 0
    let isWaiting = try eventually {
      // The call's number and arguments: a read from standard input, into a buffer.
      let call = try file("syscall").split(separator: " ")
      guard call.count > 2, call[1] == "0x0", call[2] != "0x0" else { return false }
      let counter = try file("io").split(separator: "\n").first { $0.hasPrefix("syscr:") }
      count = counter.flatMap { Int($0.filter(\.isNumber)) } ?? 0
      return count > reads
    }
    guard isWaiting else { throw TestKitError("the program does not wait for a key: \(try file("syscall"))") }
    return count
  }

  /// The rows' text.
  public func rows() throws -> [String] {
    try server.tmux("capture-pane", "-p").split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  public func wait(for text: String) throws {
    guard try eventually({ try rows().contains { $0.contains(text) } }) else {
      throw TestKitError("waited in vain for \(text); there was:\n\(try rows().joined(separator: "\n"))")
    }
  }
}

/// tmux's report of a pane, to be compared. The same attributes can be written in many ways, so a terminal that is given
/// the rows decides.
public struct PanePicture: Equatable, Sendable {
  public var rows: [[TerminalCell]]
  public var state: String
  /// The lines as tmux wrote them.
  public var lines: [String]

  init(lines: [String], columns: Int, state: String) {
    let terminal = ReferenceTerminal(rows: lines.count, columns: columns)
    // tmux shifts to line drawing characters (SO), and leaves their designation to others.
    terminal.write("\u{1b})0" + lines.joined(separator: "\r\n"))
    rows = terminal.cells
    self.state = state
    self.lines = lines
  }

  public static func == (one: Self, other: Self) -> Bool { one.rows == other.rows && one.state == other.state }

  /// The difference, for readers.
  public func difference(from other: Self) -> String {
    var differences: [String] = state == other.state ? [] : ["\(state)\n\(other.state)"]
    for row in 0..<max(rows.count, other.rows.count) {
      let one = row < rows.count ? rows[row] : []
      let two = row < other.rows.count ? other.rows[row] : []
      guard one != two else { continue }
      let texts = [lines, other.lines].map { row < $0.count ? $0[row].debugDescription : "none" }
      differences.append("row \(row + 1)\n" + texts.joined(separator: "\n"))
    }
    return differences.joined(separator: "\n")
  }
}
