import Overline
import OverlineReferenceTerminal
import OverlineTestThread
import Testing

/// The ways in which a window's terminal could differ from the program's. Each case is a program's output on a screen with ten numbered
/// rows below the banner; it must look as on a bare terminal of ten rows.
@Suite(.ownThread) struct HazardTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var stream: String
    var testDescription: String { name }
    init(_ name: String, _ stream: String) {
      self.name = name
      self.stream = stream
    }
  }

  private static let rows = 10
  private static let numbered = "\u{1b}[H" + (1...10).map { "row \($0)" }.joined(separator: "\r\n")

  static let cases = [
    Case("cursor position counts from below the banner", "\u{1b}[1;1Hx\u{1b}[3;5fy\u{1b}[4dz"),
    Case("a position beyond the last row is the last row", "\u{1b}[99;2Hx\u{1b}[99dy"),
    Case("home", "\u{1b}[Hx"),
    Case("under origin mode rows count from the margins", "\u{1b}[3;6r\u{1b}[?6h\u{1b}[2;2Hx\u{1b}[99;1Hy\u{1b}[?6lz"),
    Case("margins count from below the banner", "\u{1b}[2;4r\u{1b}[4;1H\n\n\nx"),
    Case("a bottom margin beyond the last row", "\u{1b}[3;99r\u{1b}[10;1H\r\nx"),
    Case("a bottom margin beyond the last row amid a scroll", "\u{1b}[10;1H\n\u{1b}[3;99r\u{1b}[10;1H\n\nx"),
    Case("margins without values are the whole screen", "\u{1b}[2;4r\u{1b}[r\u{1b}[10;1H\r\nx"),
    Case("margins in the wrong order are ignored", "\u{1b}[5;5r\u{1b}[7;3r\u{1b}[2;2Hx"),
    Case("setting margins homes the cursor", "\u{1b}[5;5H\u{1b}[2;4rx"),
    Case("up stops at the first row", "\u{1b}[5;5H\u{1b}[99Ax"),
    Case("up from above the margins stops at the first row", "\u{1b}[5;8r\u{1b}[3;5H\u{1b}[99Ax"),
    Case("previous line from above the margins", "\u{1b}[5;8r\u{1b}[3;5H\u{1b}[99Fx\u{1b}[1;5H\u{1b}[Fy"),
    Case("down stops at the last row", "\u{1b}[99Bx\u{1b}[99Ey"),
    Case("down from below the margins stops at the last row", "\u{1b}[2;4r\u{1b}[8;1H\u{1b}[99Bx"),
    Case("the same after a scroll", "\u{1b}[10;1H\n\u{1b}[2;4r\u{1b}[8;1H\u{1b}[99Bx\u{1b}[99ey"),
    Case("reverse index at the first row scrolls down", "\u{1b}[H\u{1b}Mx"),
    Case("reverse index above the margins stops", "\u{1b}[5;8r\u{1b}[2;1H\u{1b}M\u{1b}M\u{1b}Mx"),
    Case("a saved cursor comes back", "\u{1b}[4;4H\u{1b}7\u{1b}[8;8H\u{1b}8x"),
    Case("a cursor saved before a scroll and restored after it", "\u{1b}[4;4H\u{1b}7\u{1b}[10;1H\n\n\u{1b}8x"),
    Case("a cursor saved amid a scroll", "\u{1b}[10;1H\n\u{1b}[4;4H\u{1b}7\u{1b}[9;9Ha"),
    Case("a restore with nothing saved goes home", "\u{1b}[5;5H\u{1b}8\u{1b}[mx"),
    Case("erase below", "\u{1b}[4;3H\u{1b}[Jx"),
    Case("erase above leaves the banner", "\u{1b}[4;3H\u{1b}[1Jx"),
    Case("erase all leaves the banner and the cursor", "\u{1b}[4;3H\u{1b}[2Jx"),
    Case("erase the scrollback leaves the banner", "\u{1b}[10;1H\n\n\u{1b}[3Jx"),
    Case("full reset", "\u{1b}[2;4r\u{1b}[1;31m\u{1b}cfresh\r\nx"),
    Case("alignment pattern", "\u{1b}[2;4r\u{1b}#8x"),
    Case("alternate screen and back", "\u{1b}[5;5H\u{1b}[?1049h\u{1b}[Hvim\u{1b}[10;1Hend\n\u{1b}[?1049lx"),
    Case("alternate screen amid a scroll", "\u{1b}[10;1H\n\u{1b}[?1049h\u{1b}[Hvim\u{1b}[?1049l\nx"),
    Case("margins outlive the alternate screen", "\u{1b}[?1049h\u{1b}[2;4r\u{1b}[?1049l\u{1b}[4;1H\n\nx"),
    Case(
      "a pending wrap stays pending",
      "\u{1b}[4;1H\u{1b}[32m" + String(repeating: "a", count: 20) + "\u{1b}[31mx"),
    Case("a pending wrap at the last row scrolls", "\u{1b}[10;1H" + String(repeating: "b", count: 20) + "\u{1b}[35mx"),
    Case("a wide character that does not fit scrolls", "\u{1b}[10;1H" + String(repeating: "b", count: 19) + "日x"),
    Case("insert mode", "\u{1b}[4h\u{1b}[10;1H\n\nabc\u{1b}[Dx"),
    Case("line drawing", "\u{1b}(0\u{1b}[10;1H\n\nlqk\u{1b}(Bx"),
    Case("no auto-wrap", "\u{1b}[?7l\u{1b}[10;1H\n" + String(repeating: "c", count: 30)),
    Case("insert and delete lines", "\u{1b}[3;1H\u{1b}[2L\u{1b}[6;1H\u{1b}[Mx"),
    Case("delete at the first row", "\u{1b}[H\u{1b}[3Mx"),
    Case("scroll up and down", "\u{1b}[2S\u{1b}[4Tx"),
    Case("a control character inside a sequence", "\u{1b}[3;\n5Hx\u{1b}[10;1H\u{1b}[1\n;5Hy"),
    Case("a sequence that another one cuts off", "\u{1b}[3;\u{1b}[4;4Hx"),
    Case("the program's own synchronized update", "\u{1b}[?2026h\u{1b}[10;1H\n\nx\u{1b}[?2026l\ny"),
    Case("other alternate screens", "\u{1b}[5;5H\u{1b}[?1047h\u{1b}[2;4r\u{1b}[Hvim\u{1b}[?1047l\u{1b}[4;1H\n\nx"),
    Case(
      "left and right margins",
      "\u{1b}[?69h\u{1b}[5;12s\u{1b}[2;2Ha\u{1b}[3;6Hbcd\u{1b}[2;6r\u{1b}[6;5H\nx\u{1b}[?69l\u{1b}[9;1Hy"),
    Case(
      "left and right margins amid a scroll", "\u{1b}[10;1H\n\u{1b}[?69h\u{1b}[5;12s\u{1b}[4;6Hbcd"),
    Case("newline mode", "\u{1b}[20h\u{1b}[10;5H\nx\u{1b}[20l"),
  ]

  @Test(arguments: cases, [1, 3])
  func looksAsOnABareTerminal(_ hazard: Case, height: Int) {
    let window = Window(rows: Self.rows + height, columns: 20)
    let bare = ReferenceTerminal(rows: Self.rows, columns: 20)
    window.show(height)
    for stream in [Self.numbered, hazard.stream] {
      window.write(stream)
      bare.write(stream)
    }
    #expect(Array(window.outer.text.dropFirst(height)) == bare.text)
    #expect(Array(window.outer.cells.dropFirst(height)) == bare.cells)
    let cursor = window.outer.cursor
    #expect((cursor.row - height, cursor.column) == (bare.cursor.row, bare.cursor.column))
    #expect(window.outer.text[0...max(0, height - 1)].contains { $0.contains(Window.title) })
    #expect(window.outer.scrollbackText == bare.scrollbackText)

    // Without the banner the terminal is as the program left it: the saved cursor is where it was.
    window.hide()
    let next = "\u{1b}[?6l\u{1b}[r\u{1b}8more\u{1b}[2;1Hend"
    window.write(next)
    bare.write(next)
    #expect(Array(window.outer.cells.prefix(Self.rows)) == bare.cells)
    #expect(!window.outer.text.contains { $0.contains(Window.title) })
  }

  /// A row that is printed again must not become protected after a reset: xterm would not erase it.
  @Test func protectionEndsWithAReset() {
    let window = Window(rows: 6, columns: 20)
    window.show()
    window.write("\u{1b}[Hab\u{1b}Vc\u{1b}W")
    window.write("\u{1b}[!p\u{1b}[2Jx")
    let before = window.output.utf8.count
    window.write("\u{1b}[5;1H\n")
    #expect(!String(decoding: window.output.utf8.dropFirst(before), as: UTF8.self).contains("\u{1b}V"))
    #expect(window.rewriter.surface.screen.cell(row: 0, column: 2).text.isEmpty)
  }
}
