import Overline
import OverlineTestThread
import Testing

/// The columns of text that terminals count in different ways. The expected columns are those of the terminals' cursor reports.
@Suite(.ownThread) struct WidthTests {
  private static let families: [TerminalFamily] = [.xterm, .kitty, .vte, .konsole, .mlterm, .tmux, .foot]

  @Test(
    arguments: [
      ("❤️", [1, 2, 1, 1, 1, 1, 1]),
      ("1️⃣", [1, 2, 1, 1, 1, 1, 1]),
      ("😀\u{fe0e}", [2, 1, 2, 2, 2, 2, 2]),
      ("🇩", [1, 2, 1, 2, 1, 1, 1]),
      ("🇩🇪", [2, 2, 2, 2, 2, 2, 2]),
      ("🇩🇪🇫", [3, 4, 3, 4, 3, 3, 3]),
      ("👍🏽", [4, 2, 4, 2, 4, 4, 4]),
      ("✌🏽", [3, 1, 3, 1, 3, 3, 3]),
      ("👨‍👩‍👧", [6, 6, 6, 2, 8, 2, 6]),
      ("🏳️‍🌈", [3, 4, 3, 1, 4, 1, 3]),
      ("\u{1100}\u{1161}\u{11a8}", [2, 4, 2, 2, 2, 2, 2]),
      ("\u{1161}", [0, 1, 0, 2, 0, 0, 0]),
      ("क्षि", [3, 2, 3, 3, 2, 3, 3]),
      ("\u{ad}", [1, 0, 1, 1, 1, 1, 1]),
      ("\u{200b}", [0, 0, 0, 0, 1, 0, 0]),
      ("\u{1fae8}", [1, 2, 2, 2, 1, 0, 0]),
      ("\u{1face}", [1, 2, 2, 2, 1, 0, 0]),
      ("䷀", [2, 1, 1, 1, 1, 2, 2]),
    ])
  func theScreenCountsAsItsTerminal(text: String, columns: [Int]) {
    for (family, columns) in zip(Self.families, columns) {
      var rewriter = OutputRewriter(rows: 4, columns: 20, terminal: .of(family))
      rewriter.surface.note(Array("\u{1b}[H\u{1b}[2Ja \(text)".utf8))
      rewriter.surface.settle()
      #expect(rewriter.surface.screen.cursor.column == 2 + columns, "\(family)")
    }
  }

  /// kitty moves a symbol in the last column to the next row when it becomes wide.
  @Test func kittyMovesASymbolThatBecomesWide() {
    var rewriter = OutputRewriter(rows: 4, columns: 5, terminal: .of(.kitty))
    rewriter.surface.note(Array("\u{1b}[H\u{1b}[2Jabcd❤️x".utf8))
    rewriter.surface.settle()
    #expect(Array(rewriter.surface.screen.lines.prefix(2)) == ["abcd", "❤️x"])
  }

  /// A terminal that nothing names may have wrapped such a line elsewhere. Then it is not known in which rows its text is.
  @Test(arguments: [(15, true), (19, false), (30, false)])
  func aTerminalThatIsNotNamedMakesRowsUnknown(length: Int, isKnown: Bool) {
    var rewriter = OutputRewriter(rows: 4, columns: 20)
    rewriter.surface.note(Array("\u{1b}[H\u{1b}[2J❤️\(String(repeating: "x", count: length))\r\nlast".utf8))
    rewriter.surface.settle()
    #expect(rewriter.surface.screen.isKnown(row: 0) == isKnown)
    #expect(rewriter.readiness() == (isKnown ? .ready : .needsCursor))
  }
}
