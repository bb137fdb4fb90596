/// The capabilities of a terminal and the wishes of its user, as the environment reports them. The terminal itself is not asked.
package struct TerminalCapabilities: Equatable, Sendable {
  package var colors: ColorDepth
  /// `ACCESSIBLE=1`: one repaint for each change, no counters, and the cursor does not move.
  package var isAccessible: Bool
  /// Whether a banner may be painted by moving the cursor; otherwise it is a line of text.
  package var movesCursor: Bool
  /// True if the locale or the font of the Linux console has no `⚠`.
  package var usesASCII: Bool
  /// False on the Linux console.
  package var hasTitle: Bool
  /// Which terminal it is; nil if the environment does not tell.
  package var family: TerminalFamily?
  private var guess: MarginRules

  /// - Parameters:
  ///   - environment: returns the value of a variable, or nil when it is not set. An empty value counts as not set.
  ///   - isTerminal: whether the output is a terminal.
  package init(environment: (String) -> String?, isTerminal: Bool) {
    func value(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
    func isOn(_ name: String) -> Bool { value(name).map { $0 != "0" && $0 != "false" } ?? false }

    let term = value("TERM") ?? "dumb"
    family = TerminalFamily(term: term, value: value)
    guess = MarginRules.guess(term: term)
    hasTitle = !term.hasPrefix("linux")
    isAccessible = isOn("ACCESSIBLE")
    movesCursor = isTerminal && term != "dumb" && !isAccessible
    let locale = value("LC_ALL") ?? value("LC_CTYPE") ?? value("LANG") ?? ""
    let encoding = locale.lowercased().filter { $0 != "-" }
    usesASCII = term == "linux" || encoding.split(separator: ".").last?.hasPrefix("utf8") != true

    // NO_COLOR takes precedence over the variables that force colours, and those over the rest: no-color.org, bixense.com/clicolors,
    // force-color.org.
    let possible = Self.colors(
      term: term, colorTerm: value("COLORTERM")?.lowercased() ?? "", program: value("TERM_PROGRAM") ?? "")
    let force = value("FORCE_COLOR")
    if value("NO_COLOR") != nil || (force != nil && !isOn("FORCE_COLOR")) {
      colors = .monochrome
    } else if let force {
      colors = Self.forced(force, possible)
    } else if isOn("CLICOLOR_FORCE") {
      colors = max(possible, .ansi16)
    } else if !isTerminal || value("CLICOLOR") == "0" {
      colors = .monochrome
    } else {
      colors = possible
    }
  }

  /// `FORCE_COLOR` gives a depth by number. Any other value asks for at least some colour.
  private static func forced(_ value: String, _ possible: ColorDepth) -> ColorDepth {
    switch value {
    case "1": .ansi16
    case "2": .palette256
    case "3": .truecolor
    default: max(possible, .ansi16)
    }
  }

  private static func colors(term: String, colorTerm: String, program: String) -> ColorDepth {
    if term == "dumb" || monochromeTerminals.contains(where: term.hasPrefix) { return .monochrome }
    if colorTerm == "truecolor" || colorTerm == "24bit" {
      // screen passes COLORTERM on from the terminal around it, but not the colours. tmux, which also calls itself screen, passes both.
      return term.hasPrefix("screen") && program != "tmux" ? .palette256 : .truecolor
    }
    let words = term.split(separator: "-")
    if words.contains("direct") || words.contains(where: truecolorTerminals.contains) { return .truecolor }
    return words.contains("256color") || words.contains("256") ? .palette256 : .ansi16
  }

  /// DEC's terminals, and emulators that deliberately use their names.
  private static let monochromeTerminals = ["vt1", "vt2", "vt3", "vt4", "vt5"]
  /// Terminals that always have truecolor, by the words of their `TERM`: `ssh` passes `TERM` on, but not `COLORTERM`.
  private static let truecolorTerminals: Set<Substring> = [
    "alacritty", "contour", "foot", "ghostty", "kitty", "rio", "wezterm",
  ]
}

// MARK: - What depends on the terminal

extension TerminalCapabilities {
  /// What the terminal does after it has printed in the last column.
  package var margin: MarginRules { family?.margin ?? guess }

  /// How the terminal counts the columns of text.
  package var widths: WidthRules { family?.widths ?? .guessed }

  /// What it does with its rows.
  package var traits: TerminalTraits { TerminalTraits(family) }
}
