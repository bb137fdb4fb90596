import OverlineSimulatedTerminal
import OverlineTestThread
import Testing

/// The columns of clusters, measured in real terminals.
@Suite(.ownThread) struct SimulatedWidthTests {
  static let rows: [(cluster: String, most: Int, exceptions: [String: Int])] = [
    ("\u{7f}", 0, ["urxvt": 1]), ("\u{1}", 0, [:]), ("±", 1, [:]), ("\u{e0b0}", 1, [:]),
    ("❤\u{fe0f}", 1, ["kitty": 2]), ("1\u{fe0f}\u{20e3}", 1, ["kitty": 2]), ("😀\u{fe0e}", 2, ["kitty": 1]),
    ("🇩", 1, ["kitty": 2, "konsole": 2]), ("🇩🇪", 2, [:]), ("🇩🇪🇫", 3, ["kitty": 4, "konsole": 4]),
    ("👍🏽", 4, ["kitty": 2, "konsole": 2]), ("✌🏽", 3, ["kitty": 1, "konsole": 1]),
    ("👨\u{200d}👩\u{200d}👧", 6, ["mlterm": 8, "konsole": 2, "tmux": 2]),
    ("🏳\u{fe0f}\u{200d}🌈", 3, ["kitty": 4, "mlterm": 4, "konsole": 1, "tmux": 1]),
    ("🏃\u{200d}♀\u{fe0f}", 3, ["kitty": 4, "mlterm": 4, "konsole": 2, "tmux": 2]),
    ("\u{1112}\u{1161}\u{11ab}", 2, ["kitty": 4]), ("\u{d7b0}", 0, ["kitty": 1, "konsole": 2]),
    ("\u{915}\u{94d}\u{937}\u{93f}", 3, ["kitty": 2, "mlterm": 2]), ("\u{928}\u{940}", 2, ["kitty": 1, "mlterm": 1]),
    ("\u{ad}", 1, ["kitty": 0]), ("\u{200b}", 0, ["mlterm": 1]), ("\u{2060}", 0, ["mlterm": 1]),
    ("\u{feff}", 0, ["mlterm": 1]),
    ("\u{1fae8}", 1, ["kitty": 2, "vte": 2, "alacritty": 2, "konsole": 2, "foot": 0, "tmux": 0]),
    ("䷀", 2, ["kitty": 1, "vte": 1, "alacritty": 1, "konsole": 1, "mlterm": 1]), ("漢", 2, [:]), ("é", 1, [:]),
    ("e\u{301}", 1, [:]),
  ]

  @Test(arguments: TerminalFamily.all.map(\.name)) func clusters(_ name: String) throws {
    let family = try #require(TerminalFamily.all.first { $0.name == name })
    for (cluster, most, exceptions) in Self.rows {
      var terminal = SimulatedTerminal(rows: 3, columns: 40, family: family)
      terminal.write(cluster)
      let scalars = cluster.unicodeScalars.map { String($0.value, radix: 16) }
      #expect(terminal.cursor.column == exceptions[name] ?? most, "\(name): \(scalars)")
    }
  }

  @Test func nextLineControl() {
    for family in TerminalFamily.all {
      var terminal = SimulatedTerminal(rows: 3, columns: 40, family: family)
      terminal.write("a\u{85}")
      let isNewline = ["st", "kitty", "vte", "screen"].contains(family.name)
      #expect(terminal.cursor.row == (isNewline ? 1 : 0), "\(family.name)")
      #expect(terminal.cursor.column == (isNewline ? 0 : family.name == "mlterm" ? 2 : 1), "\(family.name)")
    }
  }

  @Test func halfOfAWideCharacter() {
    for family in TerminalFamily.all {
      var terminal = SimulatedTerminal(rows: 2, columns: 8, family: family)
      terminal.write("漢\u{1b}[2Gx")
      let keeps = ["foot", "konsole", "kitty"].contains(family.name)
      #expect(terminal.screenText()[0] == (keeps ? "漢x" : " x"), "\(family.name)")
      terminal.write("\u{1b}[2;1H漢\u{1b}[2;1Hx")
      #expect(terminal.screenText()[1] == "x", "\(family.name)")
    }
  }
}
