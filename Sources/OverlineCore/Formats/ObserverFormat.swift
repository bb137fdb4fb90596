internal import NetworkPath
internal import Overline

/// The output format of a state: the values of `--format`. The same state always gives the same text.
package enum ObserverFormat: String, Equatable, Sendable, CaseIterable {
  /// One plain sentence.
  case text
  /// The banner's title; empty when nothing is on screen.
  case plain
  /// The line of the observer protocol.
  case json
  /// `NAME='value'` lines that a POSIX shell can source safely with any values.
  case env
  /// One word for a prompt.
  case prompt
  /// For status bars.
  case waybar
  case i3statusRust = "i3status-rs"
  case i3bar
  case i3blocks
  case polybar
  case tmux

  private struct Traits {
    /// Without a line feed at its end and without control characters.
    var text: (ObserverState) -> String
    var isBar = false
    var preamble = ""
    var endsWithLineFeed = true
  }

  private var traits: Traits {
    switch self {
    case .text: Traits { $0.sentence }
    case .plain: Traits(text: { $0.title }, isBar: true)
    // `json` escapes control characters.
    case .json: Traits { $0.json }
    // `env` has a line feed between its lines.
    case .env: Traits { EnvironmentFormat.string($0.environment) }
    case .prompt: Traits(text: { $0.promptWord }, endsWithLineFeed: false)
    case .waybar: Traits(text: { $0.waybar }, isBar: true)
    case .i3statusRust: Traits(text: { $0.i3statusRust }, isBar: true)
    case .i3bar: Traits(text: { $0.i3bar }, isBar: true, preamble: "{\"version\":1}\n[\n")
    case .i3blocks: Traits(text: { $0.i3blocks }, isBar: true)
    case .polybar: Traits(text: { $0.polybar }, isBar: true)
    case .tmux: Traits(text: { $0.tmux }, isBar: true)
    }
  }

  /// Whether a command ends its output with a line feed. A prompt needs only the word.
  package var endsWithLineFeed: Bool { traits.endsWithLineFeed }

  /// Whether this is a status bar's format, which shows the title of any banner.
  package var isBar: Bool { traits.isBar }

  /// The beginning of a stream of states.
  package var preamble: String { traits.preamble }

  /// The text, without a line feed at its end.
  ///
  /// - Parameter icon: what a bar shows while no banner does, with `?` behind it while nothing is known; empty for nothing.
  package func string(_ state: ObserverState, icon: String = "") -> String {
    guard isBar, state.title.isEmpty else { return traits.text(state) }
    var state = state
    // An icon alone would look as if all were well.
    let known = icon.isEmpty || state.state != .unknown ? icon : "\(icon) ?"
    let fault = state.poorQuality.map { known.isEmpty ? $0.explanation : "\(known) \($0.explanation)" }
    state.banner.title = state.pauseWords ?? fault ?? known
    return traits.text(state)
  }

  /// The bytes of a message to an observer: the text and a line feed, in every format.
  package func line(_ state: ObserverState, icon: String = "") -> [UInt8] {
    self == .json ? state.jsonLine : Array((string(state, icon: icon) + "\n").utf8)
  }
}

extension ObserverState {
  /// The explanation: `online via eth0, wired, gateway 192.0.2.1, IPv4, IPv6, DNS`, or the reason why not.
  var sentence: String {
    let sentence =
      switch state {
      case .online, .unknown: explained(state.rawValue)
      case .offline: explained(state.rawValue) + dismissal
      case .restored: "back " + explained("online")
      case .limited: limitedSentence + dismissal
      }
    // While the connection is limited for its quality, the sentence has it.
    let quality = limited?.reason == Limitation.Reason.poorQuality.rawValue ? nil : path.quality?.explanation
    let others = [quality.map { "quality \($0)" }, pauseWords].compactMap(\.self)
    return TerminalText.sanitized(([sentence] + others).joined(separator: "; "))
  }

  /// The state, or what a prompt should rather show: a pause, or that the connection is worse than good.
  var promptWord: String {
    if paused != nil { return "paused" }
    return state == .online ? poorQuality?.level ?? state.rawValue : state.rawValue
  }

  /// The measured quality, if it is worse than good.
  var poorQuality: Quality? {
    path.quality.flatMap { $0.level == NWPath.LinkQuality.good.name ? nil : $0 }
  }

  /// `paused until 18:00`; nil without a pause.
  var pauseWords: String? { paused.map { "paused until \($0.words)" } }

  private var dismissal: String { banner.isDismissed ? "; its banner is dismissed" : "" }

  /// The fault, then the route: `limited: no answer from example.net (not in time); via eth0, wired, gateway 192.0.2.1, IPv4`.
  private var limitedSentence: String {
    let online = "online "
    let way = path.explanation.hasPrefix(online) ? String(path.explanation.dropFirst(online.count)) : path.explanation
    return "limited: " + [limitation ?? "", way].filter { !$0.isEmpty }.joined(separator: "; ")
  }

  /// The explanation. If it does not begin with the state's name, the name precedes it.
  private func explained(_ name: String) -> String {
    if path.explanation.isEmpty { return path.reason.map { "\(name): \($0)" } ?? name }
    return path.explanation.hasPrefix(name) ? path.explanation : "\(name): \(path.explanation)"
  }
}
