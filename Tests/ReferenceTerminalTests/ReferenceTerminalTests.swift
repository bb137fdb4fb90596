import OverlineReferenceTerminal
import OverlineTestThread
import Testing

/// The reference itself: the behaviour that other tests rely on.
@Suite(.ownThread) struct ReferenceTerminalTests {
  private func terminal(_ text: String = "", rows: Int = 4, columns: Int = 10) -> ReferenceTerminal {
    let terminal = ReferenceTerminal(rows: rows, columns: columns)
    terminal.write(text)
    return terminal
  }

  @Test func textGoesWhereTheCursorIs() {
    let terminal = terminal("one\r\n\u{1b}[3;4Htwo\u{1b}[?25l")
    #expect(terminal.text == ["one", "", "   two", ""])
    #expect(terminal.cursor == .init(row: 2, column: 6, isVisible: false))
  }

  @Test func attributesAndColours() {
    let terminal = terminal("\u{1b}[1;3;4;5;7;9;31;48;5;200ma\u{1b}[0;21;38;2;1;2;3mb\u{1b}[0mc")
    let cells = terminal.cells(inRow: 0)
    var expected = TerminalCell()
    expected.text = "a"
    expected.isBold = true
    expected.isItalic = true
    expected.underline = 1
    expected.isBlinking = true
    expected.isReverse = true
    expected.isStruck = true
    expected.foreground = .indexed(1)
    expected.background = .indexed(200)
    #expect(cells[0] == expected)
    expected = TerminalCell()
    expected.text = "b"
    expected.underline = 2
    expected.foreground = .rgb(1, 2, 3)
    #expect(cells[1] == expected)
    expected = TerminalCell()
    expected.text = "c"
    #expect(cells[2] == expected)
    #expect(cells[3] == TerminalCell())
  }

  @Test func wideCharactersAndCombiningMarks() {
    let cells = terminal("日e\u{301}").cells(inRow: 0)
    #expect(cells.prefix(3).map(\.text) == ["日", "", "e\u{301}"])
    #expect(cells.prefix(3).map(\.width) == [2, 0, 1])
    #expect(terminal("日本").text[0] == "日本")
  }

  /// A program's output may end inside a character at any read.
  @Test(arguments: ["line 漢字 é 🙂", "漢", "é", "🙂"]) func aCharacterInTwoWrites(_ text: String) {
    let bytes = Array(text.utf8)
    for place in bytes.indices {
      let terminal = terminal(columns: 20)
      terminal.write(bytes[..<place])
      terminal.write(bytes[place...])
      #expect(terminal.text[0] == text, "cut before byte \(place)")
    }
  }

  /// Invalid bytes do not wait for ever.
  @Test func anUnfinishedCharacter() {
    let terminal = terminal()
    for bytes: [UInt8] in [[0xe6, 0xbc], [0x41]] { terminal.write(bytes) }
    #expect(terminal.text[0] == "\u{fffd}A")
  }

  @Test func whatErasesLeavesItsBackgroundOnly() {
    let cell = terminal("\u{1b}[31;44;1;4m\u{1b}[K").cells(inRow: 0)[0]
    var expected = TerminalCell()
    expected.background = .indexed(4)
    #expect(cell == expected)
  }

  @Test func linesThatLeaveAtTheTopAreKept() {
    let terminal = terminal("1\r\n2\r\n3\r\n\u{1b}[1m4\u{1b}[m\r\n5\r\n6")
    #expect(terminal.scrollbackText == ["1", "2"])
    #expect(terminal.text == ["3", "4", "5", "6"])
    terminal.write("\u{1b}[2;4r\u{1b}[4;1H\r\n\r\n")
    #expect(terminal.scrollbackText == ["1", "2"], "not those that leave a region below the top")
    terminal.write("\u{1b}[?1049h\u{1b}[4;1H\r\n\r\n\r\n")
    #expect(terminal.scrollbackText == ["1", "2"], "nor those of the alternate screen")
  }

  @Test func theScrollbackHasALimit() {
    let terminal = ReferenceTerminal(rows: 2, columns: 10, scrollbackLimit: 3)
    for number in 0..<5000 { terminal.write("\(number)\r\n") }
    #expect(terminal.scrollbackText == ["4996", "4997", "4998"])
    #expect(terminal.text == ["4999", ""])
  }

  @Test(arguments: [true, false]) func growing(_ takesLinesBack: Bool) {
    let terminal = terminal("1\r\n\u{1b}[1;32m日\u{1b}[m\r\n3\r\n4\r\n5\r\n6")
    terminal.takesLinesBack = takesLinesBack
    let before = terminal.scrollback
    terminal.resize(rows: 6, columns: 10)
    let lines = (0..<6).map { terminal.cells(inRow: $0).trimmed }
    if takesLinesBack {
      #expect(terminal.text == ["1", "日", "3", "4", "5", "6"])
      #expect(Array(lines.prefix(2)) == before)
      #expect(terminal.scrollback.isEmpty)
    } else {
      #expect(terminal.text == ["3", "4", "5", "6", "", ""])
      #expect(terminal.scrollback == before)
    }
  }

  @Test func shrinkingPushesWhatIsAboveTheCursor() {
    let terminal = terminal("1\r\n2\r\n3\r\n4")
    terminal.resize(rows: 2, columns: 10)
    #expect(terminal.scrollbackText == ["1", "2"])
    #expect(terminal.text == ["3", "4"])
  }

  @Test func replies() {
    let terminal = terminal("\u{1b}[3;5H\u{1b}[6n")
    #expect(String(decoding: terminal.takeReplies(), as: UTF8.self) == "\u{1b}[3;5R")
    #expect(terminal.takeReplies().isEmpty)
    terminal.write("\u{1b}[c")
    #expect(String(decoding: terminal.takeReplies(), as: UTF8.self).hasPrefix("\u{1b}[?"))
  }

  @Test func modesAndTitle() {
    let terminal = terminal("primary\u{1b}]2;a title\u{1b}\\\u{1b}[?1002h\u{1b}[?1049h\u{1b}[H\u{1b}[2J")
    #expect(terminal.isAlternate)
    #expect(terminal.title == "a title")
    #expect(terminal.mouse == .drag)
    #expect(terminal.text[0] == "")
    terminal.write("\u{1b}[?1002l\u{1b}[?1049l")
    #expect(!terminal.isAlternate)
    #expect(terminal.mouse == .none)
    #expect(terminal.text[0] == "primary")
  }
}
