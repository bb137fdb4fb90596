import Overline
import OverlineReferenceTerminal
import OverlineTestThread
import Testing

/// Every printed line is in the terminal's own scrollback or on its screen: once, in order, and without the banner.
@Suite(.ownThread) struct ScrollbackTests {
  @Test(arguments: [1, 3], 1...40)
  func linesOfAFloodAreAllThere(height: Int, seed: Int) {
    var random = Seeded(UInt64(seed))
    let window = Window(rows: 10, columns: 40)
    var printed: [String] = []
    for _ in 0..<200 {
      let count = Int.random(in: 1...12, using: &random)
      var text = ""
      for _ in 0..<count {
        let line = "line \(printed.count)"
        printed.append(line)
        text += line + "\r\n"
      }
      window.write(Array(text.utf8), endsBatch: Bool.random(using: &random))
      switch Int.random(in: 0...9, using: &random) {
      case 0: window.show(height)
      case 1: window.hide()
      default: break
      }
    }
    window.hide()
    #expect(window.lines == printed, "seed \(seed)")
  }

  /// Lines from before the program's start are kept too.
  @Test func linesFromBeforeAreKept() {
    let window = Window(rows: 6, columns: 20)
    let before = (0..<6).map { "before \($0)" }
    window.outer.write(before.joined(separator: "\r\n") + "\r\n")
    window.rewriter = OutputRewriter(rows: 6, columns: 20)
    #expect(window.readiness() == .needsCursor)
    window.rewriter.surface.cursorReported(row: window.outer.cursor.row + 1, column: 1)
    #expect(window.readiness() == .ready)
    window.show()
    #expect(window.outer.text[0].contains(Window.title))
    for number in 0..<20 { window.write("line \(number)\r\n") }
    window.hide()
    let lines = window.lines.filter { !$0.isEmpty }
    #expect(lines == before + (0..<20).map { "line \($0)" })
  }

  /// Another process may have used the terminal while the banner shows, so that the window knows no row. All lines are kept.
  @Test(arguments: [1, 3], [0, 3, 7, 30])
  func linesThatBecomeUnknownAreKept(height: Int, count: Int) {
    for isPartial in [false, true] {
      let window = Window(rows: 10, columns: 40)
      window.write((0..<count).map { "before \($0)\r\n" }.joined())
      window.show(height)
      window.rewriter.surface.forgetScreen()
      #expect(window.readiness() == .needsCursor)
      window.reportCursor()
      if isPartial { window.write("partial ") }
      window.write((0..<4).map { "line \($0)\r\n" }.joined())
      window.write((4..<20).map { "line \($0)\r\n" }.joined())
      window.hide()
      let lines = window.lines.filter { !$0.isEmpty }
      let printed = (0..<20).map { $0 == 0 && isPartial ? "partial line 0" : "line \($0)" }
      #expect(lines == (0..<count).map { "before \($0)" } + printed)
    }
  }
}
