import Overline
import OverlineTestThread
import Testing

extension Screen {
  /// The rows without blanks at their ends.
  var lines: [String] {
    (0..<rows).map { row in
      var text = (0..<columns).map { column in
        let cell = cell(row: row, column: column)
        return cell.text.isEmpty && cell.width > 0 ? " " : cell.text
      }.joined()
      while text.last == " " { text.removeLast() }
      return text
    }
  }

  mutating func write(_ text: String) { write(Array(text.utf8)) }

  static func of(_ text: String, rows: Int = 4, columns: Int = 10) -> Screen {
    var screen = Screen(rows: rows, columns: columns, isKnown: true)
    screen.write(text)
    return screen
  }
}

/// `#expect` cannot capture a noncopyable value.
func expect(_ condition: Bool, sourceLocation: SourceLocation = #_sourceLocation) {
  #expect(condition, sourceLocation: sourceLocation)
}

private let esc = "\u{1b}"

@Suite(.ownThread) struct ScreenTests {
  @Test(arguments: [
    ("hello\r\nworld", ["hello", "world", "", ""]),
    ("0123456789ab", ["0123456789", "ab", "", ""]),
    ("0123456789\rx", ["x123456789", "", "", ""]),
    ("1\r\n2\r\n3\r\n4\r\n5", ["2", "3", "4", "5"]),
    ("012345678日x", ["012345678", "日x", "", ""]),
    // Mode 41: a tab performs a pending wrap.
    ("\u{1b}[?41h0123456789\tx", ["0123456789", "        x", "", ""]),
    ("\u{1b}[?41h\u{1b}[?41l0123456789\tx", ["0123456789", "x", "", ""]),
    // Characters between SPA and EPA survive ED and DECSED.
    ("a\u{1b}Vb\u{1b}Wc\u{1b}[2J", [" b", "", "", ""]),
    ("a\u{1b}Vb\u{1b}Wc\u{1b}[?2J", [" b", "", "", ""]),
    ("日本\(esc)[1;2Hx", [" x本", "", "", ""]), ("日本\(esc)[1;3Hx", ["日x", "", "", ""]),
    ("e\u{301}x", ["e\u{301}x", "", "", ""]),
    ("\(esc)(0lqk\(esc)(Bq", ["┌─┐q", "", "", ""]), ("\u{e}q\(esc))0q\u{f}q", ["q─q", "", "", ""]),
    ("abc\(esc)[2D\(esc)[4hX", ["aXbc", "", "", ""]),
    ("abc\(esc)[2D\(esc)[P", ["ac", "", "", ""]), ("abc\r\(esc)[2@", ["  abc", "", "", ""]),
    ("abc\r\(esc)[2X", ["  c", "", "", ""]), ("a\(esc)[3b", ["aaaa", "", "", ""]),
    ("1\r\n2\r\n3\(esc)[2;1H\(esc)[L", ["1", "", "2", "3"]), ("1\r\n2\r\n3\(esc)[2;1H\(esc)[M", ["1", "3", "", ""]),
    ("1\r\n2\r\n3\r\n4\(esc)[2;3r\(esc)[3;1H\n", ["1", "3", "", "4"]),
    ("1\r\n2\r\n3\r\n4\(esc)[2;3r\(esc)[2;1H\(esc)M", ["1", "", "2", "4"]),
    ("a\tb\(esc)[Z\(esc)[Zc", ["c       b", "", "", ""]), ("\(esc)#8\(esc)[2;1H\(esc)[J", ["EEEEEEEEEE", "", "", ""]),
    ("main\(esc)[?1049halt", ["    alt", "", "", ""]), ("main\(esc)[?1049halt\(esc)[?1049l!", ["main!", "", "", ""]),
    ("\(esc)[?6h\(esc)[2;3r\(esc)[1;1Hx\(esc)[9;1Hy", ["", "x", "y", ""]),
    ("ab\(esc)7\(esc)[3;3Hx\(esc)8c", ["abc", "", "  x", ""]),
    ("\(esc)[?7l0123456789abc", ["012345678c", "", "", ""]),
    ("\(esc)[1\"qa\(esc)[0\"qb\(esc)[?2K", ["a", "", "", ""]),
    ("abcdef\(esc)[?69h\(esc)[2;4s\(esc)[1;2H\(esc)[P", ["acd ef", "", "", ""]),
    ("abc\(esc)[88;1;1;1;1$x\(esc)[1;1;1;2;1;2;2$v", ["Xbc", " Xb", "", ""]),
  ])
  func text(output: String, lines: [String]) {
    expect(Screen.of(output).lines == lines)
  }

  /// In kitty, a tab behind the last column ends the pending wrap.
  @Test(arguments: [("xterm", ["0123456789", "x", "", ""]), ("xterm-kitty", ["012345678x", "", "", ""])])
  func aTabBehindTheLastColumn(term: String, lines: [String]) {
    let terminal = TerminalCapabilities(environment: { $0 == "TERM" ? term : nil }, isTerminal: true)
    var rewriter = OutputRewriter(rows: 4, columns: 10, terminal: terminal)
    rewriter.surface.note(Array("\(esc)[H\(esc)[2J0123456789\tx".utf8))
    rewriter.surface.settle()
    expect(rewriter.surface.screen.lines == lines)
  }

  @Test func thePenIsInTheCells() {
    let screen = Screen.of(
      "\(esc)[1;4:3;38;2;1;2;3;48;5;200;58:5:9mx\(esc)]8;id=1;http://a\u{7}y\(esc)]8;;\u{7}\(esc)[mz")
    var style = Style()
    style.attributes.insert(.bold)
    style.attributes.underline = 3
    style.foreground = .rgb(1, 2, 3)
    style.background = .palette(200)
    style.underlineColor = .palette(9)
    expect(screen.cell(row: 0, column: 0).style == style)
    expect(screen.cell(row: 0, column: 0).link == nil)
    expect(screen.cell(row: 0, column: 1).link?.target == Array("http://a".utf8))
    expect(screen.cell(row: 0, column: 2) == ScreenCell(text: "z", width: 1, style: Style(), link: nil))
  }

  @Test func erasingLeavesTheBackground() {
    let screen = Screen.of("abc\(esc)[44m\(esc)[1;2H\(esc)[K")
    expect(screen.cell(row: 0, column: 0).style.background == .standard)
    for column in 1..<10 { expect(screen.cell(row: 0, column: column).style.background == .palette(4)) }
  }

  @Test func printingStopsBeforeItWouldScroll() {
    var screen = Screen.of("\(esc)[4;9H")
    let bytes = Array("abcd".utf8)
    expect(screen.write(text: bytes.span, 0..<4, mayScroll: false) == 2)
    expect(screen.lines == ["", "", "", "        ab"])
    expect(screen.cursor.isWrapPending && screen.wouldScroll)
  }

  /// An encoded row draws the same row again, and nothing else.
  @Test(arguments: [
    "plain", "日本 e\u{301}\u{302}x", "\(esc)[1;31mred\(esc)[0;42m  \(esc)[mx", "0123456789",
    "a\(esc)]8;id=1;http://a\u{7}link\(esc)]8;;\u{7}b", "ab\(esc)[44m\(esc)[K", "\(esc)[4:3;58:2::1:2:3mcurly",
    "a\(esc)[1;5Hb\(esc)[97;100mc", "\(esc)[1\"qp\(esc)[0\"qu",
  ])
  func aRowIsDrawnAgain(output: String) {
    let screen = Screen.of(output)
    var bytes: [UInt8] = []
    screen.encode(row: 0, into: &bytes)
    var other = Screen.of("")
    other.write(bytes)
    for column in 0..<10 {
      var expected = screen.cell(row: 0, column: column)
      let cell = other.cell(row: 0, column: column)
      // A blank in the middle can only be printed.
      if expected.text.isEmpty && expected.width == 1 && cell.text == " " { expected.text = " " }
      expect(cell == expected)
    }
    expect(other.pen == Style() && other.link == nil)
    expect(other.lines.dropFirst().allSatisfy { $0.isEmpty })
  }

  @Test func thePenIsSetAgain() {
    let screen = Screen.of("\(esc)[1;3;4:5;9;38;5;200;48;2;1;2;3m\(esc)[1\"q\(esc)]8;;x\u{7}")
    var bytes: [UInt8] = []
    screen.encodePen(into: &bytes)
    var other = Screen.of("\(esc)[7m")
    other.write(bytes)
    expect(other.pen == screen.pen && other.link == screen.link)
  }
}

@Suite(.ownThread) struct ScreenKnowledgeTests {
  @Test func atTheStartNothingIsKnown() {
    var screen = Screen(rows: 4, columns: 10)
    expect(!screen.isRowKnown && screen.cursor.row == 3 && !screen.isKnown(row: 3))
    screen.write("x\r\nab")
    expect(screen.isKnown(row: 3) && !screen.isKnown(row: 2))
    // The report: the cursor was in the second row.
    screen.place(cursorRow: 1, column: 2)
    expect(screen.lines == ["x", "ab", "", ""])
    expect((0..<4).map { screen.isKnown(row: $0) } == [false, true, true, true])
    expect(screen.isRowKnown && screen.isColumnKnown)
  }

  @Test func lineFeedsReachTheLastRow() {
    var screen = Screen(rows: 4, columns: 10)
    screen.write("\r\n1\r\n2\r\n3")
    expect(!screen.isRowKnown)
    screen.write("\r\n4")
    expect(screen.isRowKnown && screen.lines == ["1", "2", "3", "4"])
    expect((0..<4).allSatisfy { screen.isKnown(row: $0) })
  }

  @Test func lineFeedsEndAtABottomMargin() {
    var screen = Screen.of("\(esc)[1;3r")
    screen.forget()
    screen.write(String(repeating: "\r\nx", count: 20))
    expect(!screen.isRowKnown)
  }

  @Test func anAbsoluteMotionMakesKnownWhereTheCursorIsOnly() {
    var screen = Screen(rows: 4, columns: 10)
    screen.write("\r\nab\(esc)[Hx")
    expect(screen.isRowKnown && screen.cursor.row == 0)
    expect((0..<4).allSatisfy { !screen.isKnown(row: $0) })
    screen.write("\(esc)[2J")
    expect((0..<4).allSatisfy { screen.isKnown(row: $0) })
  }

  @Test func clearingThenGoingHomeIsKnown() {
    var screen = Screen(rows: 4, columns: 10)
    screen.write("\(esc)[2J\(esc)[Hab")
    expect((0..<4).allSatisfy { screen.isKnown(row: $0) } && screen.lines[0] == "ab")
  }

  @Test func skimmingKeepsModesOnly() {
    var screen = Screen.of("abc")
    screen.skim(Array("x\(esc)[31m\(esc)[2;3ry\r\n\(esc)[?1000;1006h\(esc)(0".utf8))
    expect((0..<4).allSatisfy { !screen.isKnown(row: $0) } && !screen.isRowKnown)
    expect(screen.pen.foreground == .palette(1) && screen.margins.top == 1)
    expect(screen.modes.mouseTracking == .normal && screen.modes.mouseEncoding == .sgr)
    expect(screen.charsets[0] == .graphics)
  }

  @Test func imagesAreNotKnown() {
    for image in ["\(esc)P0;1q#0~~\(esc)\\", "\(esc)]1337;File=inline=1:AA\u{7}", "\(esc)_Ga=T,f=100;AA\(esc)\\"] {
      let screen = Screen.of(image)
      expect(!screen.isKnown(row: 0) && !screen.isRowKnown)
    }
    expect(Screen.of("\(esc)_Ga=q;AA\(esc)\\").isKnown(row: 0))
  }

  /// Terminals enter different rows, and xterm 379 even the last one.
  @Test func aBackspaceThatMayEnterTheRowAboveLeavesThePlaceUnknown() {
    for mode in [45, 1045] {
      for step in ["\u{8}", "\(esc)[2D"] {
        var screen = Screen.of("1\r\n2\(esc)[?\(mode)h")
        screen.write("\u{8}")
        expect(screen.isRowKnown && screen.isColumnKnown && screen.cursor.column == 0)
        screen.write(step)
        expect(!screen.isRowKnown && !screen.isColumnKnown)
        screen.place(cursorRow: 0, column: 9)
        expect(screen.isRowKnown && screen.cursor.row == 0 && screen.cursor.column == 9)
        screen.write("\(esc)[?\(mode)l\r\u{8}")
        expect(screen.isRowKnown && screen.cursor.column == 0)
      }
    }
  }

  /// As in xterm.
  @Test func belowConformanceLevel4ThereAreNoLeftAndRightMargins() {
    let program = "\(esc)[?69h\(esc)[3;5s\(esc)[1;3Habcd"
    expect(Screen.of("\(esc)[63;1\"p" + program).lines[0] == "  abcd")
    expect(Screen.of("\(esc)[63;1\"p\(esc)[64;1\"p" + program).lines == ["  abc", "  d", "", ""])
    expect(Screen.of("\(esc)[61\"p\(esc)c" + program).lines == ["  abc", "  d", "", ""])
  }

  /// xterm ignores DECNCSM below conformance level 5.
  @Test func whetherANewNumberOfColumnsKeepsTheTextIsUnknown() {
    var screen = Screen.of("\(esc)[?40hab\(esc)[?3h")
    expect(screen.isKnown(row: 0) && screen.lines[0] == "")
    screen.write("ab\(esc)[?95h\(esc)[?3l")
    expect(!screen.isKnown(row: 0) && screen.cursor.column == 0)
  }

  @Test func rowsComeAndGo() {
    var screen = Screen.of("1\r\n2\r\n3\r\n4\(esc)7")
    screen.removeRows(top: 1)
    expect(screen.lines == ["2", "3", "4"] && screen.cursor.row == 2 && screen.savedCursor?.cursor.row == 2)
    screen.appendBlankRows(2)
    expect(screen.lines == ["2", "3", "4", "", ""] && screen.margins.bottom == 4)
    screen.write("\(esc)[?1049h")
    screen.removeRows(bottom: 2)
    expect(screen.rows == 3)
    screen.write("\(esc)[?1049l!")
    expect(screen.lines == ["2", "3", "4!", "", ""] && screen.margins.bottom == 4)
    screen.resize(columns: 4)
    expect(screen.columns == 4 && !screen.isKnown(row: 0))
  }

  @Test(arguments: [
    ("0123456789ab\r\nc", 6, ["012345", "6789ab", "c", ""], 2, 1),
    ("0123456789ab\r\nc", 20, ["0123456789ab", "c", ""], 1, 1),
    ("012345678日x\(esc)[1;3H", 12, ["012345678日x", "", ""], 0, 2),
    ("01日x\(esc)[1;5H", 3, ["01", "日x", "", "", ""], 1, 2),
    ("012345678日x", 4, ["0123", "4567", "8日x", "", ""], 2, 3),
    ("0123456789ab\(esc)[1;6H\(esc)[K\(esc)[2;2H", 20, ["01234", "ab", "", ""], 1, 1),
    ("ab\(esc)[1;9H", 4, ["ab", "", "", ""], 0, 3),
    // Inserted and deleted characters change the length of the text by their number only.
    ("0123456789abc\(esc)[2;2H\(esc)[@", 15, ["0123456789a bc", "", ""], 0, 11),
    ("0123456789abc\(esc)[2;2H\(esc)[44m\(esc)[@", 15, ["0123456789a bc", "", ""], 0, 11),
    ("0123456789abc\(esc)[2;1H\(esc)[P", 13, ["0123456789bc", "", ""], 0, 10),
  ])
  func linesAreSplitAnew(_ text: String, columns: Int, _ lines: [String], row: Int, column: Int) {
    var screen = Screen.of(text)
    screen.resize(columns: columns, .reflow(isBelowBanner: false))
    expect(screen.lines == lines)
    expect(screen.cursor.row == row && screen.cursor.column == column)
    expect((0..<screen.rows).allSatisfy { screen.isKnown(row: $0) })
  }

  /// A terminal that grows takes back rows that have scrolled out.
  @Test(arguments: [
    ("1\r\n2\r\n3\r\n4\r\n5\r\n6", 10, ["2", "3", "4", "5", "6"], 0),
    // A line that the first row divides.
    ("0123456789abcdefghij\r\n2\r\n3\r\n4", 8, ["01234567", "89abcdef", "ghij", "2", "3", "4"], 0),
    ("0123456789abcdefghij\r\n2\r\n3\r\n4", 30, ["", "0123456789abcdefghij", "2", "3", "4"], 1),
    // What a terminal has in its scrollback after these is not known.
    ("1\r\n2\r\n3\r\n4\r\n5\(esc)[H\(esc)M\(esc)[4H", 10, ["", "", "2", "3", "4"], 1),
    ("1\r\n2\r\n3\r\n4\r\n5\(esc)[2J\(esc)[4Hx", 10, ["", "", "", "", "x"], 1),
    ("1\r\n2\r\n3\r\n4\r\n5\(esc)[?1049h\(esc)[?1049l", 10, ["", "2", "3", "4", "5"], 1),
  ])
  func rowsThatScrolledOutReturn(_ text: String, columns: Int, _ lines: [String], unknown: Int) {
    var screen = Screen.of(text)
    screen.resize(columns: columns, .reflow(isBelowBanner: false))
    screen.noteMovedRows()
    screen.appendBlankRows(max(0, lines.count - screen.rows))
    screen.place(cursorRow: lines.count - 1, column: 1)
    expect(screen.lines == lines)
    expect((0..<screen.rows).map { screen.isKnown(row: $0) } == (0..<lines.count).map { $0 >= unknown })
  }

  /// A line that began before the kept rows, and one of which a part is unknown, have an unknown number of rows.
  @Test func linesWithoutTheirBeginningAreUnknown() {
    var screen = Screen.of((1...80).map { "line \($0)\r\n" }.joined() + String(repeating: "x", count: 700) + "\r\nlast")
    screen.resize(columns: 20, .reflow(isBelowBanner: false))
    expect(!screen.isKnown(row: 0) && screen.isKnown(row: screen.cursor.row))
  }

  @Test func linesAreCutOffWithoutReflow() {
    var screen = Screen.of("0123456789ab")
    screen.resize(columns: 4, .cut)
    expect(screen.lines == ["0123", "ab", "", ""] && screen.isKnown(row: 0))
  }

  /// Rows are moved, and other rows come and go, while the terminal is narrower.
  @Test func rowsThatWereCutOffAreWholeAgain() {
    var screen = Screen.of("0123456789\r\nabcdefgh\r\n日本語日本\r\nABCDEFGH")
    for columns in [8, 5] { screen.resize(columns: columns, .cut) }
    expect(screen.lines == ["01234", "abcde", "日本", "ABCDE"])
    screen.write("\(esc)[2;2HX")
    screen.removeRows(top: 1)
    screen.appendBlankRows(1)
    screen.resize(columns: 8, .cut)
    expect(screen.lines == ["aXcde", "日本語日", "ABCDEFGH", ""])
    screen.resize(columns: 10, .cut)
    expect(screen.lines == ["aXcde", "日本語日本", "ABCDEFGH", ""])
    // The row is another one with the same text.
    screen.resize(columns: 5, .cut)
    screen.write("\(esc)[3;1H\(esc)[KABCDE")
    screen.resize(columns: 10, .cut)
    expect(screen.lines[2] == "ABCDE")
  }
}
