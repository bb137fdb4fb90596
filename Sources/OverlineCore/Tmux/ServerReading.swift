package import Overline

/// Questions to a server and its answers. A line with the question's name precedes every answer, so values may contain anything, also line
/// ends. Values are raw, not quoted as by `show`, because they are restored later.
package enum ServerReading {
  private static let mark = "=overline="

  /// The questions of a ``TmuxProbe``.
  package static let probeQuestions: [String] =
    [
      asking("version", ["display-message", "-p", "#{version}"]),
      asking("pid", ["display-message", "-p", "#{pid}"]),
      asking("position", ["show-options", "-gv", "status-position"]),
      asking("sessions", ["list-sessions", "-F", "#{session_id}"]),
      asking("clients", listClients),
    ] + TmuxOptions.names.map { asking($0, ["show-options", "-gqv", $0]) }

  /// The first round: everything but the sessions' own options.
  package static let serverQuestions: [String] =
    probeQuestions + [
      asking("saved", ["display-message", "-p", "#{\(SavedState.variableName)}"]),
      asking("windows", withSession(["list-windows", "-a", "-F", windowFormat])),
      asking("terminals", listTerminals),
      asking("scrolled", ScrolledPane.listing),
      asking("hooks", UserSettings.listHooks),
      asking("failure", PluginFailure.listHooks),
    ] + optionQuestions

  /// The server's own options.
  package static let optionQuestions: [String] =
    [
      asking("status", ["show-options", "-gv", "status"]),
      asking("set", ["display-message", "-p", "#{\(UserSettings.variableName)}"]),
    ] + formatQuestions("", ["-g"])

  /// The second round: one session's own options.
  package static func questions(session id: String) -> [String] {
    [asking("\(id) status", ["show-options", "-v", "-t", "\(id):", "status"])]
      + formatQuestions("\(id) ", ["-t", "\(id):"])
  }

  /// The command, for a server with a session; without one it prints nothing. tmux has no session while it reads its configuration, and
  /// none after the last one ended with `exit-empty off`. Some commands then fail ("no current target"), even those that list everything
  /// (`-a`), because tmux looks for a current session first.
  package static func withSession(_ command: [String]) -> [String] {
    ["if-shell", "-F", "#{S:x}", TmuxCommand.line(command)]
  }

  /// Control clients have no status line to redraw.
  package static let listClients = withSession(["list-clients", "-F", "#{?client_control_mode,,#{client_name}}"])

  /// Lists the features of each client's terminal, which tmux gets from terminfo, the user's options and the terminal itself. No format
  /// contains them: `client_termfeatures` reflects neither terminfo nor `terminal-overrides`. The condition is there because the command
  /// fails without a client.
  package static let listTerminals = ["if-shell", "-F", "#{client_name}", "show-messages -T"]

  /// The colours that all clients can show, from the lines `Terminal 0: xterm-256color for /dev/pts/1, flags=0x11:`. A client with 16
  /// colours or fewer counts as one with 256, since tmux maps those colours by a table.
  package static func colorDepth(_ terminals: String?) -> ColorDepth {
    let flags = lines(terminals).filter { $0.hasPrefix("Terminal ") }.compactMap { line in
      line.split(separator: "flags=0x").last.flatMap { UInt32($0.prefix { $0.isHexDigit }, radix: 16) }
    }
    // TERM_RGBCOLOURS (tmux.h)
    return flags.allSatisfy { $0 & 0x10 != 0 } ? .truecolor : .palette256
  }

  package static func asking(_ question: String, _ command: [String]) -> String {
    heading(question) + "\n" + TmuxCommand.line(command)
  }

  /// What is printed after this line belongs to the question.
  static func heading(_ question: String) -> String {
    TmuxCommand.line(["display-message", "-p", "\(mark) \(question)"])
  }

  package static func answers(_ output: String) -> [String: String] {
    var result: [String: String] = [:]
    var question: String?
    var answer: Range<String.Index>?
    func end() {
      // A question without any answer is absent.
      if let question, let answer { result[question] = String(output[answer]) }
    }
    // By bytes: as characters, a carriage return at a value's end and the line feed after it are one. The listing of the terminals has some
    // hundreds of lines.
    for line in output.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast() {
      if line.starts(with: mark.utf8) {
        end()
        question = String(Substring(line.dropFirst(mark.utf8.count + 1)))
        answer = nil
      } else {
        answer = (answer?.lowerBound ?? line.startIndex)..<line.endIndex
      }
    }
    end()
    return result
  }

  /// The state of a server from both rounds of answers.
  package static func state(_ answers: [String: String]) -> ServerState {
    var state = ServerState()
    state.global = options(answers, prefix: "")
    for id in lines(answers["sessions"]) { state.sessions[id] = options(answers, prefix: "\(id) ") }
    // A window linked into several sessions is listed in each.
    var seen: Set<String> = []
    state.windows = lines(answers["windows"]).compactMap { line in
      let fields = line.split(separator: " ").map(String.init)
      guard fields.count == 4, seen.insert(fields[0]).inserted else { return nil }
      return TmuxWindowState(id: fields[0], layout: fields[1], border: fields[2], isZoomed: fields[3] == "1")
    }
    return state
  }

  package static func lines(_ answer: String?) -> [String] {
    (answer ?? "").utf8.split(separator: UInt8(ascii: "\n")).map { String(Substring($0)) }
  }

  private static let windowFormat =
    "#{window_id} #{window_layout} #{pane-border-status} #{window_zoomed_flag}"

  private static func formatQuestions(_ prefix: String, _ scope: [String]) -> [String] {
    // The listing shows which entries exist. For a missing entry tmux prints nothing and reports no error.
    [asking("\(prefix)formats", ["show-options"] + scope + ["status-format"])]
      + (0...4).map { asking("\(prefix)format \($0)", ["show-options"] + scope + ["-v", "status-format[\($0)]"]) }
  }

  private static func options(_ answers: [String: String], prefix: String) -> StatusOptions {
    var options = StatusOptions(status: answers["\(prefix)status"])
    guard let listing = answers["\(prefix)formats"] else { return options }
    options.format = [:]
    // By bytes: a combining mark at a value's beginning must not hide the space before it.
    let entries = listing.utf8.split(separator: UInt8(ascii: "\n"))
    for index in 0...4 where entries.contains(where: { $0.starts(with: "status-format[\(index)] ".utf8) }) {
      options.format?[index] = answers["\(prefix)format \(index)"] ?? ""
    }
    return options
  }
}
