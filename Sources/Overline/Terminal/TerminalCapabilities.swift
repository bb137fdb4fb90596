/// What a terminal can show, and what its user wants of it, as far as the environment says. Nothing is asked of the terminal.
package struct TerminalCapabilities: Hashable, Sendable {
  package var colors: ColorDepth
  /// `ACCESSIBLE=1`: one repaint for a change, no counters, the cursor stays where it is.
  package var isAccessible: Bool
  /// Whether a banner may be painted by moving the cursor; otherwise it is a line of text.
  package var movesCursor: Bool
  /// The locale, or the Linux console's font, has no `⚠`.
  package var usesASCII: Bool

  /// - Parameters:
  ///   - environment: the value of a variable, nil when it is not set. An empty one counts as not set.
  ///   - isTerminal: whether the output is a terminal.
  package init(environment: (String) -> String?, isTerminal: Bool) {
    func value(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
    func isOn(_ name: String) -> Bool { value(name).map { $0 != "0" && $0 != "false" } ?? false }

    let term = value("TERM") ?? "dumb"
    isAccessible = isOn("ACCESSIBLE")
    movesCursor = isTerminal && term != "dumb" && !isAccessible
    let locale = value("LC_ALL") ?? value("LC_CTYPE") ?? value("LANG") ?? ""
    let encoding = locale.lowercased().filter { $0 != "-" }
    usesASCII = term == "linux" || encoding.split(separator: ".").last?.hasPrefix("utf8") != true

    // NO_COLOR before the forces before the rest: no-color.org, bixense.com/clicolors, force-color.org.
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

  /// `FORCE_COLOR` names a depth by number, or, with any other value, asks for at least some colour.
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
      // screen hands the variable on from the terminal around it, but not the colours; tmux, which also calls itself screen, does.
      return term.hasPrefix("screen") && program != "tmux" ? .palette256 : .truecolor
    }
    let words = term.split(separator: "-")
    if words.contains("direct") || words.contains(where: truecolorTerminals.contains) { return .truecolor }
    return words.contains("256color") || words.contains("256") ? .palette256 : .ansi16
  }

  /// DEC's own, and what calls itself so on purpose.
  private static let monochromeTerminals = ["vt1", "vt2", "vt3", "vt4", "vt5"]
  /// Terminals that always have truecolor, by the words of their `TERM`; `ssh` hands that on, but not `COLORTERM`.
  private static let truecolorTerminals: Set<Substring> = [
    "alacritty", "contour", "foot", "ghostty", "kitty", "rio", "wezterm",
  ]
}
