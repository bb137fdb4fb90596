/// The capabilities of a terminal and the wishes of its user, as the environment reports them. The terminal itself is not asked.
package struct TerminalCapabilities: Hashable, Sendable {
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

  /// False in xterm and mlterm, which cut lines off at a new width. Other terminals rewrap them.
  package var reflows: Bool { family != .xterm && family != .mlterm }

  /// True in urxvt: at another width it leaves its cursor in its column, and puts it into the first row of its line. Other terminals move
  /// the cursor with its text.
  package var keepsCursorColumn: Bool { family == .urxvt }

  /// True where erased cells with a background colour are text to a terminal that becomes narrower: VTE and Alacritty move them to the next
  /// row. Other terminals are treated like VTE: then a copy of the banner may get to the scrollback, but no line is joined to it.
  package var breaksErasedCells: Bool {
    switch family {
    case .kitty, .foot, .urxvt, .tmux, .screen, .xterm, .mlterm: false
    case .vte, .alacritty, .konsole, .st, nil: true
    }
  }

  /// True in VTE and Alacritty, which break erased cells, and where EL ends a wrap: a space that wraps only in a narrower terminal shows
  /// that it has broken the banner.
  package var findsBrokenRows: Bool { family == .vte || family == .alacritty }

  /// The most bytes of a batch of output that scrolls below the banner in place. xterm and urxvt take a new size between two reads of such a
  /// batch: if the cursor is above its row at that moment, they cut off the rows below it, and keep rows that the next bytes overwrite. One read
  /// gets up to 4 KB. In xterm and mlterm, which do not rewrap, a lift is safer still. VTE takes a size after the bytes that wait.
  package var maximumInPlace: Int {
    switch family {
    case .xterm, .mlterm: 0
    case .urxvt, nil: 4 << 10
    case .vte, .kitty, .foot, .alacritty, .konsole, .st, .tmux, .screen: 64 << 10
    }
  }

  /// True in kitty: it rewraps scrollback and screen each for itself. A line that begins in the scrollback stays divided there.
  package var rewrapsScreenAlone: Bool { family == .kitty }

  /// True in VTE (0.70, `Terminal::cursor_down`): a line that wraps in the last row of margins becomes two lines, unless the margins are the
  /// whole screen.
  package var endsWrapsInMargins: Bool { family == .vte }

  /// True in Alacritty: at a new width it drops spaces at the end of a line.
  package var dropsBlanks: Bool { family == .alacritty }

  /// True in tmux: erased cells stay part of their row, which breaks in a narrower terminal, until EL 2 or ED erases the row whole.
  package var countsErasedCells: Bool { family == .tmux }

  /// Whether the number of the banner's cells that count in its row is certain, see ``breaksErasedCells``. In tmux the row may be longer: text
  /// that was in it counts.
  package var knowsBannerLength: Bool {
    switch family {
    case .vte, .alacritty, .foot, .urxvt, .kitty, .xterm: true
    case .tmux, .screen, .konsole, .st, .mlterm, nil: false
    }
  }

  /// True in kitty and foot, which mark rows for shell integration (OSC 133). Other terminals mark cells, or nothing.
  package var marksRows: Bool { family == .kitty || family == .foot }

  /// True in foot: it moves its rows at once, and signals the new size 100 ms after the dragged edge rests (`resize-delay-ms`).
  package var signalsSizeLate: Bool { family == .foot }
}
