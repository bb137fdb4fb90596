/// A terminal emulator, as far as its behaviour matters to a window. Several have the `TERM` of xterm.
package enum TerminalFamily: Equatable, Sendable {
  case xterm, vte, konsole, kitty, urxvt, alacritty, foot, mlterm, st, tmux, screen

  /// The family that the environment names: `TERM`, or a variable that the terminal sets. ssh passes only `TERM` on.
  init?(term: String, value: (String) -> String?) {
    if let family = Self.terms.first(where: { term.hasPrefix($0.term) })?.family {
      self = family
    } else if term.hasPrefix("screen") {
      // tmux has screen's `TERM` too.
      if value("TERM_PROGRAM") == "tmux" {
        self = .tmux
      } else if value("STY") != nil {
        self = .screen
      } else {
        return nil
      }
    } else if term.hasPrefix("xterm") {
      // A terminal that was started in another one has the variables of both, or a TERM_PROGRAM of its own.
      let found = Self.variables.filter { value($0.name) != nil }
      guard let family = found.first?.family, found.count == 1, value("TERM_PROGRAM") == nil else { return nil }
      self = family
    } else {
      return nil
    }
  }

  /// The family that answers a request for secondary device attributes (DA2, `CSI > c`) with these numbers.
  package init?(secondaryAttributes numbers: [Int]) {
    guard numbers.count == 3 else { return nil }
    switch (numbers[0], numbers[1], numbers[2]) {
    case (41, _, _): self = .xterm
    case (65, 5000..., _): self = .vte
    case (85, _, _): self = .urxvt
    case (84, _, _): self = .tmux
    case (83, _, _): self = .screen
    case (24, _, _): self = .mlterm
    // Version 0.17.0 is 1700. Windows Terminal and iTerm2 begin with 0 too, and have lower numbers.
    case (0, 1000..., 1): self = .alacritty
    case (1, 4000, 1...): self = .kitty
    case (1, 10_000..., 0): self = .foot
    case (1, 115, 0): self = .konsole
    default: return nil
    }
  }

  private static let terms: [(term: String, family: TerminalFamily)] = [
    ("xterm-kitty", .kitty), ("rxvt", .urxvt), ("alacritty", .alacritty), ("foot", .foot), ("tmux", .tmux),
    ("konsole", .konsole), ("mlterm", .mlterm), ("st-", .st),
  ]
  private static let variables: [(name: String, family: TerminalFamily)] = [
    ("XTERM_VERSION", .xterm), ("VTE_VERSION", .vte), ("KONSOLE_VERSION", .konsole),
    ("ALACRITTY_WINDOW_ID", .alacritty),
  ]

  /// What the terminal does after it has printed in the last column.
  var margin: MarginRules {
    switch self {
    case .xterm: MarginRules()
    case .vte: .vte
    case .konsole: .konsole
    case .kitty: .kitty
    case .urxvt: .urxvt
    case .alacritty: .alacritty
    case .foot: .foot
    case .mlterm: .mlterm
    case .st: .st
    case .tmux: .tmux
    case .screen: .screen
    }
  }
}
