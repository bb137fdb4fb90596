import OverlineSimulatedTerminal
import OverlineTestThread
import Testing

/// Table "Pending wrap", second part: the operations that move nothing, or move the cursor.
@Suite(.ownThread) struct SimulatedPendingTests {
  static let everyone = "xterm urxvt st kitty vte alacritty foot konsole mlterm tmux screen"

  /// An operation, the families in which the wrap stays pending, and those that wrap first.
  static let rows: [(operation: String, pending: String, wrapsFirst: String)] = [
    ("\u{1b}[1m", everyone, ""), ("\u{1b}]0;title\u{7}", everyone, ""), ("\u{1b}]8;;http://a\u{1b}\\", everyone, ""),
    ("\u{1b}]133;A\u{7}", everyone, ""), ("\u{e}\u{f}", everyone, ""),
    ("\u{1b}(B", everyone, ""), ("\u{7}", everyone, ""),
    ("\u{0}", everyone, ""), ("\u{1b}[?25l", everyone, ""), ("\u{1b}[?2004h", everyone, ""),
    ("\u{1b}[?2026h", everyone, ""), ("\u{1b}[6n", everyone, ""),
    ("\u{1b}[3;8H", "", ""), ("\u{1b}[8G", "", ""),
    ("\u{1b}[8`", "konsole", ""), ("\u{1b}[3d", "konsole tmux screen", ""),
    ("\u{1b}[C", "", "screen"), ("\u{1b}[A\u{1b}[B", "screen", ""),
    ("\u{1b}M\u{1b}D", "alacritty konsole tmux screen", ""),
    ("\u{1b}M\n", "alacritty konsole tmux screen", ""),
    ("\t", "xterm urxvt st vte foot konsole tmux", "alacritty mlterm screen"),
    ("\u{1b}7\u{1b}8", "xterm alacritty foot screen", ""), ("\u{1b}[s\u{1b}[u", "xterm alacritty foot screen", ""),
    ("\u{1b}[?1049h\u{1b}[?1049l", "xterm alacritty foot screen", ""),
    ("\u{1b}[?7l\u{1b}[?7h", "xterm st kitty vte alacritty konsole mlterm tmux screen", ""),
    ("\u{301}", "xterm kitty vte alacritty foot konsole mlterm tmux screen", "urxvt st"),
    ("\u{200d}", "xterm kitty vte alacritty foot konsole tmux screen", "urxvt st mlterm"),
  ]

  @Test(arguments: TerminalFamily.all.map(\.name)) func operations(_ name: String) throws {
    let family = try #require(TerminalFamily.all.first { $0.name == name })
    for row in Self.rows {
      var terminal = SimulatedTerminal(rows: 6, columns: 8, family: family)
      terminal.write("\u{1b}[3;8HW")
      terminal.write(row.operation)
      let isPending = row.pending.split(separator: " ").contains(Substring(name))
      let wraps = row.wrapsFirst.split(separator: " ").contains(Substring(name))
      let comment = Comment(rawValue: "\(name): \(row.operation.debugDescription)")
      #expect(terminal.isWrapPending == isPending, comment)
      #expect(terminal.cursor.row == (wraps ? 3 : 2), comment)
      if !wraps { #expect(terminal.cursor.column == 7, comment) }
    }
  }

  @Test func backspace() {
    for family in TerminalFamily.all {
      var terminal = SimulatedTerminal(rows: 3, columns: 8, family: family)
      terminal.write("\u{1b}[8GW\u{8}X")
      let stays = ["urxvt", "kitty", "foot", "tmux", "screen"].contains(family.name)
      #expect(terminal.cell(row: 0, column: stays ? 7 : 6).text == "X", "\(family.name)")
    }
  }

  @Test func withoutAutowrap() {
    for family in TerminalFamily.all {
      var terminal = SimulatedTerminal(rows: 3, columns: 8, family: family)
      terminal.write("\u{1b}[8GW\u{1b}[?7lX")
      let expected: [String: String] = ["screen": "X", "mlterm": "W", "tmux": "W"]
      let row = family.name == "screen" ? 1 : 0
      #expect(terminal.cell(row: row, column: row == 1 ? 0 : 7).text == expected[family.name] ?? "X", "\(family.name)")
    }
  }

  @Test func widerWindow() {
    for family in TerminalFamily.all {
      var terminal = SimulatedTerminal(rows: 3, columns: 8, family: family)
      terminal.write("1234567W")
      terminal.resize(rows: 3, columns: 12)
      terminal.write("X")
      let text = terminal.screenText()
      switch family.name {
      case "xterm", "urxvt": #expect(text.contains("X") && text.contains("1234567W"), "\(family.name) \(text)")
      case "st", "mlterm", "foot": #expect(text.contains("1234567X"), "\(family.name) \(text)")
      default: #expect(text.contains("1234567WX"), "\(family.name) \(text)")
      }
    }
  }

  @Test func report() {
    for family in TerminalFamily.all {
      var terminal = SimulatedTerminal(rows: 3, columns: 8, family: family)
      terminal.write("1234567W\u{1b}[6n")
      let expected = ["kitty": "2;1", "tmux": "1;9", "screen": "1;9"][family.name] ?? "1;8"
      #expect(String(decoding: terminal.takeAnswers(), as: UTF8.self) == "\u{1b}[\(expected)R", "\(family.name)")
    }
  }

  @Test func repetition() {
    for family in TerminalFamily.all {
      var terminal = SimulatedTerminal(rows: 3, columns: 8, family: family)
      terminal.write("1234567W\u{1b}[2b")
      let isIgnored = ["urxvt", "tmux"].contains(family.name)
      #expect(terminal.screenText()[1] == (isIgnored ? "" : family.name == "vte" ? "W" : "WW"), "\(family.name)")
    }
  }
}
