import Overline
import OverlineReferenceTerminal
import OverlineTestThread
import Testing

/// Outages begin and end while the program is on the alternate screen: the primary one follows when the program leaves.
@Suite(.ownThread) struct AlternateScreenTests {
  private static let enter = "\u{1b}[?1049h\u{1b}[H\u{1b}[2Jeditor\u{1b}[9;1Hstatus"
  private static let leave = "\u{1b}[?1049l"
  private static let lines = (0..<10).map { "line \($0)" }

  /// A screen full of lines, the cursor after the last.
  private func window() -> Window {
    let window = Window(rows: 10, columns: 20)
    window.write(Self.lines.joined(separator: "\r\n"))
    return window
  }

  @Test(arguments: [1, 3])
  func aBannerThatGoesMeanwhile(height: Int) {
    let window = window()
    window.show(height)
    window.write(Self.enter)
    #expect(window.outer.text[0].contains(Window.title) || height > 1)
    #expect(window.outer.text[height] == "editor")
    window.hide()
    #expect(window.outer.text[0] == "editor")
    #expect(window.outer.text[min(8, 9 - height)] == "status")
    #expect(!window.isTransparent)
    window.write(Self.leave + "!")
    #expect(window.isTransparent)
    #expect(window.lines == Self.lines.dropLast() + ["line 9!"])
    #expect(window.outer.cursor.row == 9 - height)
  }

  @Test(arguments: [1, 3])
  func aBannerThatComesMeanwhile(height: Int) {
    let window = window()
    window.write(Self.enter)
    window.show(height)
    window.write("\u{1b}[H\u{1b}[2Jeditor")
    #expect(window.outer.text[height] == "editor")
    window.write(Self.leave + "!")
    #expect(window.outer.text[0..<height].contains { $0.contains(Window.title) })
    #expect(window.outer.scrollbackText == Array(Self.lines.prefix(height)))
    #expect(window.outer.text.last == "line 9!")
    window.hide()
    #expect(window.lines == Self.lines.dropLast() + ["line 9!"])
  }

  /// vim below a banner is stopped, and continues without one. The next banner's program has all other rows, and each frame is shown.
  @Test(arguments: [10, 12, 8])
  func aProgramThatContinuesHasAllRows(rows: Int) {
    let window = window()
    window.write(Self.enter)
    window.show(1)
    window.write(Self.leave)
    window.hide()
    window.resize(rows: rows)
    window.write(Self.enter)
    window.show(1)
    window.write("\u{1b}[999;1Hlast\u{1b}[K")
    #expect(window.outer.text.last == "last")
    let start = window.output.endIndex
    window.show(1)
    #expect(window.output[start...].contains(Window.title))
  }

  /// After any number of outages nothing is left on the primary screen.
  @Test func outagesThatAreOverLeaveNothing() {
    let window = window()
    window.write(Self.enter)
    for _ in 0..<50 {
      window.show(3)
      window.hide()
    }
    window.write(Self.leave + "!")
    #expect(window.lines == Self.lines.dropLast() + ["line 9!"])
    #expect(window.outer.cursor == ReferenceTerminal.Cursor(row: 9, column: 7))
  }

  @Test func shownOverAndOverOnThePrimaryScreen() {
    let window = window()
    for number in 10..<60 {
      window.show(number % 3 + 1)
      window.write("\r\nline \(number)")
      window.hide()
    }
    #expect(window.lines == (0..<60).map { "line \($0)" })
  }

  /// A cursor that was saved below a banner returns to its place without one.
  @Test func aSavedCursorOutlivesTheBanner() {
    let window = window()
    window.show(3)
    window.write("\u{1b}[2;3H\u{1b}[31m\u{1b}7\u{1b}[7;1H\u{1b}[m")
    window.hide()
    window.write("\u{1b}8*")
    #expect(window.outer.text[1] == "li*e 4")
    #expect(window.outer.cells[1][2].foreground == .indexed(1))
  }

  /// On a full screen the banner moves the lines up: a cursor that was saved before returns to its line, not to its row.
  @Test func aCursorSavedBeforeTheBannerFollowsItsLine() {
    let window = window()
    window.write("\u{1b}[6;3H\u{1b}7\u{1b}[10;7H")
    window.show(2)
    window.hide()
    window.write("\u{1b}8*")
    #expect(window.outer.text[3] == "li*e 5")
  }

  /// A picture moves the cursor to an unknown place: the banner comes back once the terminal has reported it.
  @Test func aPictureNeedsTheCursorAgain() {
    let window = window()
    window.show()
    window.write("\u{1b}Pq#0;2;0;0;0~~@@\u{1b}\\")
    #expect(window.isLifted)
    #expect(window.readiness() == .needsCursor)
    window.reportCursor()
    window.write("")
    #expect(!window.isLifted)
    #expect(window.outer.text[0].contains(Window.title))
  }

  @Test func underOriginModeTheCursorIsReportedFromTheMarginsOn() {
    let window = window()
    window.show()
    window.write("\u{1b}[3;8r\u{1b}[?6h\u{1b}[4;5H\u{1b}Pq#0;2;0;0;0~~@@\u{1b}\\")
    #expect(window.readiness() == .needsCursor)
    window.rewriter.surface.cursorReported(row: 4, column: 5)
    let (row, column) = (window.rewriter.surface.screen.cursor.row, window.rewriter.surface.screen.cursor.column)
    #expect(row == 5 && column == 4)
    window.write("")
    window.write("*")
    #expect(window.outer.text[6].dropFirst(4).hasPrefix("*"))
  }

  /// The window writes nothing into a control string, however long it stays open.
  @Test func aControlStringIsLeftAlone() {
    let window = window()
    window.write("\u{1b}]0;a ti")
    #expect(window.readiness() == .notAtGround)
    window.write("tle\u{7}")
    #expect(window.readiness() == .ready)
    window.show()
    window.write("\r\nmore\u{1b}]0;another")
    #expect(window.readiness() == .notAtGround)
    window.write(" title\u{7}")
    #expect(window.readiness() == .ready)
    #expect(window.output.contains("\u{1b}]0;another title\u{7}"))
    #expect(window.outer.text[0].contains(Window.title))
  }
}
