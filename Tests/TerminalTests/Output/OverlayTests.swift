import Overline
import OverlineReferenceTerminal
import OverlineTestThread
import Testing

/// A box over a program's screen: beside it the screen is the program's, and after it all of it.
@Suite(.ownThread) struct OverlayTests {
  private static let rows = 9
  private static let columns = 30

  private static func toast(_ edge: ToastEdge, title: String = "Saved") -> OverlayBox {
    .toast(edge, title: title, rows: rows, columns: columns)
  }

  /// The first difference after these items with a box over them, at each step and at the end.
  private func difference(_ items: [[UInt8]], _ edge: ToastEdge, inset: Int) -> String? {
    let window = Window(rows: Self.rows + inset, columns: Self.columns)
    if inset > 0 { window.show(inset) }
    let box = Self.toast(edge)
    window.cover([box])
    let bare = ReferenceTerminal(rows: Self.rows, columns: Self.columns)
    func compare(isCovered: Bool) -> String? {
      let cells = window.outer.cells.seen
      for (row, expected) in bare.cells.seen.enumerated() {
        for column in expected.indices where cells[row + inset][column] != expected[column] {
          if isCovered, box.rowRange.contains(row), box.columnRange.contains(column) { continue }
          return "row \(row) column \(column) is \(cells[row + inset][column]), not \(expected[column])"
        }
        if isCovered, row == box.row + 1, !window.outer.text[row + inset].contains("i Saved") { return "no toast" }
      }
      var cursor = window.outer.cursor
      cursor.row -= inset
      if cursor != bare.cursor { return "\(cursor), not \(bare.cursor)" }
      let saved = window.outer.scrollbackText
      return saved == bare.scrollbackText ? nil : "the scrollback is \(saved), not \(bare.scrollbackText)"
    }
    for item in items {
      window.write(item)
      bare.write(item)
      if let difference = compare(isCovered: !window.isLifted) { return difference }
    }
    guard window.readiness() == .ready else { return nil }
    window.cover([])
    return compare(isCovered: false)
  }

  private func minimized(_ items: [[UInt8]], _ edge: ToastEdge, inset: Int) -> [[UInt8]] {
    var items = items
    var index = items.count - 1
    while index > 0 {
      var fewer = items
      fewer.remove(at: index)
      if difference(fewer, edge, inset: inset) != nil { items = fewer }
      index -= 1
    }
    return items
  }

  @Test(arguments: [0, 1], 1...40)
  func anyStream(inset: Int, seed: Int) {
    var stream = ProgramStream(seed: UInt64(seed), rows: Self.rows, columns: Self.columns)
    let items = stream.items(150)
    let edge: ToastEdge = seed % 2 == 0 ? .top : .bottom
    guard difference(items, edge, inset: inset) != nil else { return }
    let few = minimized(items, edge, inset: inset)
    let text = few.map { String(decoding: $0, as: UTF8.self).debugDescription }.joined(separator: " + ")
    Issue.record("\(difference(few, edge, inset: inset)!) after \(text)")
  }

  /// A box that cuts wide characters in two restores both halves, whatever their row.
  @Test(arguments: 0..<4)
  func wideCharactersComeBack(shift: Int) {
    let window = Window(rows: Self.rows, columns: Self.columns)
    let bare = ReferenceTerminal(rows: Self.rows, columns: Self.columns)
    bare.write(Array("\u{1b}[H\u{1b}[2J".utf8))
    let text = (0..<Self.rows).map {
      "\u{1b}[\($0 + 1);\(1 + shift)H\u{1b}[3\($0 % 8)m" + String(repeating: "漢", count: 12)
    }.joined()
    window.write(text)
    bare.write(Array(text.utf8))
    window.cover([Self.toast(.top), Self.toast(.bottom)])
    #expect(window.outer.text[1].contains("i Saved"))
    window.cover([])
    #expect(window.outer.cells == bare.cells)
    #expect(window.outer.cursor == bare.cursor)
  }

  /// A terminal without grapheme support shows each part of a joined emoji.
  @Test(arguments: [ToastEdge.top, .bottom], ["👨‍👩‍👧‍👦", "👍🏽", "🏳️‍🌈", "🇩🇪", "❤️"])
  func emojiStayInTheBox(_ edge: ToastEdge, emoji: String) {
    let window = Window(rows: Self.rows, columns: Self.columns)
    window.write(
      "\u{1b}[H" + (1...8).map { "row \($0) " + String(repeating: "x", count: 20) }.joined(separator: "\r\n"))
    let before = window.outer.cells
    window.cover([Self.toast(edge, title: String(repeating: emoji, count: 20))])
    window.cover([])
    #expect(window.outer.cells == before)
  }

  /// Wrapped text is one line for the terminal, also after a box.
  @Test func aBoxIsGoneWithoutATraceInTheScrollback() {
    let window = Window(rows: Self.rows, columns: Self.columns)
    let bare = ReferenceTerminal(rows: Self.rows, columns: Self.columns)
    bare.write(Array("\u{1b}[H\u{1b}[2J".utf8))
    window.cover([Self.toast(.top)])
    for number in 1...200 {
      let line = Array("line \(number) \(String(repeating: "x", count: number % 50))\r\n".utf8)
      window.write(line)
      bare.write(line)
    }
    #expect(window.outer.text[1].contains("i Saved"))
    #expect(window.outer.scrollbackText == bare.scrollbackText)
    window.cover([])
    #expect(window.outer.text == bare.text)
  }

  /// So much text that most of it is not drawn.
  @Test func aFloodPassesBelowABox() {
    let window = Window(rows: Self.rows, columns: Self.columns)
    let bare = ReferenceTerminal(rows: Self.rows, columns: Self.columns)
    bare.write(Array("\u{1b}[H\u{1b}[2J".utf8))
    window.cover([Self.toast(.top)])
    for batch in 0..<12 {
      for part in 0..<20 {
        let line = Array("\(batch) \(part) \u{1b}[31mred\u{1b}[m \(String(repeating: "é", count: 9))\r\n".utf8)
        let chunk = Array(repeatElement(line, count: 200).joined())
        window.write(chunk, endsBatch: part == 19)
        bare.write(chunk)
      }
      #expect(window.outer.text[1].contains("i Saved"))
    }
    #expect(window.outer.scrollbackText == bare.scrollbackText)
    window.cover([])
    #expect(window.outer.cells.seen == bare.cells.seen)
  }

  /// Two boxes: the back one is whole again when the front one moves.
  @Test func whatIsBehindComesBackWhenTheFrontGoes() {
    let window = Window(rows: Self.rows, columns: Self.columns)
    window.write("\u{1b}[Hbelow")
    let back = OverlayBox.alert("Deploy?", rows: Self.rows, columns: Self.columns)
    window.cover([back])
    let alone = window.outer.cells
    window.cover([back, Self.toast(.top)])
    #expect(window.outer.text[1].contains("i Saved"))
    window.cover([back])
    #expect(window.outer.cells == alone)
  }

  /// Unknown rows cannot be restored.
  @Test func unknownRowsAreNotCovered() {
    var rewriter = OutputRewriter(rows: Self.rows, columns: Self.columns)
    let before = rewriter.surface.canCover([Self.toast(.top)])
    #expect(!before)
    rewriter.surface.note(Array("\u{1b}[H\u{1b}[2J".utf8))
    let after = rewriter.surface.canCover([Self.toast(.top)])
    #expect(after)
  }

  /// The program saved an unknown cursor, and restored it: its rows are known, but its cursor is not.
  @Test func aCursorInAnUnknownRowKeepsTheBoxAway() {
    let window = Window(rows: Self.rows, columns: Self.columns)
    window.outer.write("\u{1b}[3;1Hold")
    window.rewriter = OutputRewriter(rows: Self.rows, columns: Self.columns)
    window.write("\u{1b}7\u{1b}[H\u{1b}[2Jnew")
    window.cover([Self.toast(.top)])
    window.write("\u{1b}8")
    #expect(window.isUncovered)
    #expect(window.outer.text[0] == "new")
    #expect(window.outer.cursor == .init(row: 2, column: 3))
  }

  /// A picture may be anywhere below it.
  @Test func aScreenThatIsNotKnownAnyMoreKeepsTheBoxAway() {
    let window = Window(rows: Self.rows, columns: Self.columns)
    window.cover([Self.toast(.top)])
    window.write("\u{1b}[5;1H\u{1b}Pq#0;2;0;0;0~-\u{1b}\\\u{1b}[5;1H")
    #expect(window.isUncovered)
    #expect(!window.outer.text.contains { $0.contains("Saved") })
    window.write("\u{1b}[H\u{1b}[2J")
    #expect(window.outer.text[1].contains("Saved"))
  }

  /// While a banner must still be shown on this screen, the box waits: the banner moves all rows.
  @Test func aBoxWaitsForTheBannerAboveIt() {
    let window = Window(rows: Self.rows, columns: Self.columns)
    let bare = ReferenceTerminal(rows: Self.rows - 1, columns: Self.columns)
    bare.write("\u{1b}[H\u{1b}[2Jbelow\u{e9}")
    window.write("below\u{1b}[?1049h\u{1b}[H\u{1b}[2J")
    window.show()
    window.cover([.toast(.top, rows: Self.rows - 1, columns: Self.columns)])
    // The window writes nothing in the middle of a UTF-8 character.
    window.write([0x1b] + Array("[?1049l".utf8) + [0xc3])
    window.write([0xa9])
    #expect(window.outer.text[0].contains(Window.title))
    #expect(window.outer.text[1].contains("Saved"))
    window.cover([])
    #expect(Array(window.outer.cells.seen[1...]) == bare.cells.seen)
  }

  /// Terminals never rewrap the alternate screen: the cells below a box are restored at any width.
  @Test func aNarrowerAlternateScreenKeepsNoCopy() {
    let window = Window(rows: Self.rows, columns: Self.columns)
    window.write("\u{1b}[?1049h\u{1b}[H\u{1b}[2J" + String(repeating: "x", count: Self.rows * Self.columns))
    window.cover([Self.toast(.top), Self.toast(.bottom)])
    window.resize(rows: Self.rows, columns: 20)
    #expect(window.outer.text.allSatisfy { $0 == String(repeating: "x", count: 20) })
  }

  /// There is no room for a banner of several rows, nor for the box below it; no synchronized update stays open.
  @Test func aTerminalLowerThanItsBannerHasNeither() {
    let window = Window(rows: Self.rows + 4, columns: Self.columns)
    window.show(4)
    window.write("\u{1b}[?1049h\u{1b}[H\u{1b}[2Jtext\u{1b}[3;9H")
    window.cover([Self.toast(.top)])
    let mark = window.output.count
    window.resize(rows: 3)
    #expect(window.rewriter.surface.programRows == 3)
    let written = window.output.dropFirst(mark)
    #expect(written.ranges(of: "\u{1b}[?2026h").count == written.ranges(of: "\u{1b}[?2026l").count)
    // Resetting the margins has homed it. libvterm 0.3 moves its row up with the text.
    #expect(window.outer.cursor.column == 8)
  }

  /// The terminal cuts long rows off: if it had rewrapped them, the cursor would be lower.
  @Test func aNarrowerTerminalThatDoesNotWrapKeepsNoCopy() {
    let window = Window(rows: Self.rows, columns: Self.columns)
    let line = String(repeating: "x", count: Self.columns - 2)
    window.write("\(line)\r\n\(line)\r\n\(line)\r\n")
    window.cover([Self.toast(.top)])
    window.resize(rows: Self.rows, columns: 20)
    #expect(Array(window.outer.text.prefix(4)) == Array(repeating: String(line.prefix(20)), count: 3) + [""])
  }

  /// The terminal may have rewrapped the rows below the box, and a full screen then moves up. The box's place is unknown: its cells stay.
  @Test func aNarrowerTerminalThatMayHaveWrappedIsLeftAsItIs() {
    let window = Window(rows: Self.rows, columns: Self.columns)
    let line = String(repeating: "x", count: Self.columns - 2)
    window.write("one\r\ntwo\r\nthree" + String(repeating: "\r\n\(line)", count: Self.rows - 3))
    window.cover([Self.toast(.top)])
    let mark = window.output.count
    window.resize(rows: Self.rows, columns: 20)
    #expect(!window.output.dropFirst(mark).contains("\u{1b}[1;"))
  }
}
