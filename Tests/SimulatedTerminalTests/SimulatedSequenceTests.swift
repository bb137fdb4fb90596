import OverlineSimulatedTerminal
import OverlineTestThread
import Testing

/// Sequences in which the families agree, answers and the scrollback.
@Suite(.ownThread) struct SimulatedSequenceTests {
  private func terminal(_ text: String, family: TerminalFamily = .xterm) -> SimulatedTerminal {
    var terminal = SimulatedTerminal(rows: 4, columns: 10, family: family)
    terminal.write(text)
    return terminal
  }

  @Test func answers() {
    for family in TerminalFamily.all {
      var terminal = terminal("\u{1b}[5n\u{1b}[>q\u{1b}[>c\u{1b}[c", family: family)
      var expected = "\u{1b}[0n"
      if let version = family.answers.version { expected += "\u{1b}P>|\(version)\u{1b}\\" }
      if let secondary = family.answers.secondary { expected += "\u{1b}[\(secondary)c" }
      expected += "\u{1b}[\(family.answers.primary)c"
      #expect(String(decoding: terminal.takeAnswers(), as: UTF8.self) == expected)
      #expect(terminal.takeAnswers().isEmpty)
    }
  }

  @Test func synchronizedMode() {
    for (family, value) in [(TerminalFamily.kitty, 2), (.foot, 2), (.vte, 4), (.xterm, 0)] {
      var terminal = terminal("\u{1b}[?2026$p", family: family)
      #expect(String(decoding: terminal.takeAnswers(), as: UTF8.self) == "\u{1b}[?2026;\(value)$y")
    }
  }

  @Test func colourQuery() {
    var terminal = terminal("\u{1b}]11;?\u{7}\u{1b}]11;?\u{1b}\\")
    let text = "\u{1b}]11;rgb:0000/0000/0000"
    #expect(String(decoding: terminal.takeAnswers(), as: UTF8.self) == text + "\u{7}" + text + "\u{1b}\\")
  }

  @Test func stringsAreSkipped() {
    let text = "a\u{1b}P1$q m\u{1b}\\b\u{1b}_x\u{1b}\\c\u{1b}^y\u{1b}\\d\u{1b}Xz\u{1b}\\e"
    #expect(terminal(text).screenText()[0] == "abcde")
    #expect(terminal("a\u{1b}]52;c;abc\u{7}b\u{1b}]133;A").screenText()[0] == "ab")
    #expect(terminal("a\u{1b}[=5;3zb\u{1b}[?1;2$xc\u{1b}[1 qd\u{1b}[8;1;1te").screenText()[0] == "abcde")
  }

  @Test func shiftingCharacters() {
    #expect(terminal("abcdef\u{1b}[3G\u{1b}[2P").screenText()[0] == "abef")
    #expect(terminal("abcdef\u{1b}[3G\u{1b}[2@").screenText()[0] == "ab  cdef")
    #expect(terminal("abcdef\u{1b}[3G\u{1b}[2X").screenText()[0] == "ab  ef")
    #expect(terminal("abcdef\u{1b}[3G\u{1b}[4hXY").screenText()[0] == "abXYcdef")
    #expect(terminal("abcdefghij\u{1b}[3G\u{1b}[2@").screenText()[0] == "ab  cdefgh")
  }

  @Test func marginsAndOrigin() {
    let text = "1\r\n2\r\n3\r\n4\u{1b}[2;3r"
    #expect(terminal(text + "\u{1b}[3;1H\n").screenText() == ["1", "3", "", "4"])
    #expect(terminal(text + "\u{1b}[2;1H\u{1b}M").screenText() == ["1", "", "2", "4"])
    #expect(terminal(text + "\u{1b}[?6h\u{1b}[2;1Hx").screenText() == ["1", "2", "x", "4"])
    #expect(terminal(text + "\u{1b}[2;1H\u{1b}[L").screenText() == ["1", "", "2", "4"])
  }

  @Test func scrollbackOfARegion() {
    for family in TerminalFamily.all where family.name != "st" {
      let saves = ["alacritty", "foot", "mlterm", "tmux"].contains(family.name)
      let below = terminal("\u{1b}[2;4r\u{1b}[4;1H\n\n", family: family)
      #expect(below.scrollbackCount == (saves ? 2 : 0), "\(family.name)")
      #expect(terminal("\u{1b}[1;3r\u{1b}[3;1H\n\n", family: family).scrollbackCount == 2, "\(family.name)")
    }
  }

  @Test func erasureOfTheScreen() {
    for family in TerminalFamily.all {
      let count = terminal("1\r\n2\r\n\u{1b}[2J", family: family).scrollbackCount
      #expect(count == (["vte": 3, "alacritty": 2, "tmux": 2][family.name] ?? 0), "\(family.name)")
    }
  }

  @Test func alternateScreen() {
    let text = "one\u{1b}[?1049htwo"
    #expect(terminal(text).screenText()[0] == "   two")
    #expect(terminal(text).isAlternate)
    #expect(terminal(text).text() == ["one"])
    #expect(terminal(text + "\u{1b}[?1049l!").screenText()[0] == "one!")
  }

  @Test func styles() {
    let terminal = terminal("\u{1b}[1;4:3;38;5;9;48:2::1:2:3ma\u{1b}[0mb\u{1b}[44m\u{1b}[K")
    let cell = terminal.cell(row: 0, column: 0)
    #expect(cell.style.attributes == .bold && cell.style.underline == 3)
    #expect(cell.style.foreground == .indexed(9) && cell.style.background == .rgb(1, 2, 3))
    #expect(terminal.cell(row: 0, column: 1).style == CellStyle())
    #expect(terminal.cell(row: 0, column: 5).style.background == .indexed(4))
    #expect(terminal.cell(row: 0, column: 5).text.isEmpty)
  }

  @Test func wrappedLinesAreOneLine() {
    let terminal = terminal("0123456789abcde\r\nx")
    #expect(terminal.text() == ["0123456789abcde", "x"])
    #expect(terminal.isWrapped(row: 0) && !terminal.isWrapped(row: 1))
  }
}
