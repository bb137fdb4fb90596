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
    window.rewriter.cursorReported(row: window.outer.cursor.row + 1, column: 1)
    #expect(window.readiness() == .ready)
    window.show()
    #expect(window.outer.text[0].contains(Window.title))
    for number in 0..<20 { window.write("line \(number)\r\n") }
    window.hide()
    let lines = window.lines.filter { !$0.isEmpty }
    #expect(lines == before + (0..<20).map { "line \($0)" })
  }
}
