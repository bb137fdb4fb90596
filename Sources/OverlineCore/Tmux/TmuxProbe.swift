package import Overline

/// A server's version, options, sessions and clients at one moment.
package struct TmuxProbe: Equatable, Sendable {
  /// The running server's own version, such as `3.3a`.
  package var version: String
  /// The process of the server. Another one may have replaced it at its socket.
  package var pid: String
  package var options: TmuxOptions
  /// The edge at which new status lines appear: `status-position`.
  package var position: TmuxPosition
  /// Session ids. Empty while tmux reads its configuration.
  package var sessions: Set<String>
  /// The attached clients, except those in control mode.
  package var clientCount: Int
}

extension TmuxProbe {
  package init(_ answers: [String: String]) {
    self.init(
      version: answers["version"] ?? "", pid: answers["pid"] ?? "", options: TmuxOptions(values: answers),
      position: TmuxPosition(rawValue: answers["position"] ?? "") ?? .bottom,
      sessions: Set(ServerReading.lines(answers["sessions"])),
      clientCount: ServerReading.lines(answers["clients"]).count)
  }
}

/// The values of `status-position`.
package enum TmuxPosition: String, Equatable, Sendable {
  case top
  case bottom

  /// An inset of `rows` at this edge.
  package func inset(rows: Int) -> TerminalInsets {
    switch self {
    case .top: TerminalInsets(top: rows)
    case .bottom: TerminalInsets(bottom: rows)
    }
  }
}

/// tmux's version numbers: `3.3a`, `3.2-rc2`, `next-3.5`, `openbsd-7.4`.
package struct TmuxVersion: Equatable, Sendable {
  var major: Int
  var minor: Int

  /// Nil for a version without tmux's own number, such as `master` or `openbsd-7.4`. Such a version is newer than any limit here.
  package init?(_ text: String) {
    guard !text.hasPrefix("openbsd") else { return nil }
    let digits = text.drop { !$0.isNumber }.prefix { $0.isNumber || $0 == "." }.split(separator: ".")
    guard digits.count >= 2, let major = Int(digits[0]), let minor = Int(digits[1]) else { return nil }
    self.major = major
    self.minor = minor
  }

  package var isSupported: Bool { (major, minor) >= (3, 2) }
}

/// A server's state, with everything that a banner or toast in it needs.
package struct ServerSnapshot: Equatable, Sendable {
  package var state: ServerState
  package var saved: SavedState?
  package var settings: UserSettings
  /// The answer to ``UserSettings/listHooks``.
  package var hooks: String?
  /// The answer to ``PluginFailure/listHooks``.
  package var failureHooks: String?
  package var position: TmuxPosition
  package var clients: [String]
  package var scrolled: [ScrolledPane]
  /// The colours that all clients can show.
  package var colorDepth: ColorDepth

  package init(_ answers: [String: String]) {
    state = ServerReading.state(answers)
    saved = answers["saved"].flatMap(SavedState.init(encoded:))
    settings = UserSettings(variable: answers["set"] ?? "")
    hooks = answers["hooks"]
    failureHooks = answers["failure"]
    position = TmuxProbe(answers).position
    clients = ServerReading.lines(answers["clients"])
    scrolled = Set(ServerReading.lines(answers["scrolled"])).compactMap(ScrolledPane.init(listed:))
    colorDepth = ServerReading.colorDepth(answers["terminals"])
  }

  /// The questions for ``reading(_:)``.
  var optionQuestions: [String] {
    ServerReading.optionQuestions + state.sessions.keys.sorted().flatMap(ServerReading.questions(session:))
  }

  /// The same snapshot with the options of a later moment.
  func reading(_ answers: [String: String]) -> ServerSnapshot {
    var answers = answers
    answers["sessions"] = state.sessions.keys.sorted().joined(separator: "\n")
    var later = self
    later.state = ServerReading.state(answers)
    later.state.windows = state.windows
    later.settings = UserSettings(variable: answers["set"] ?? "")
    return later
  }
}
