import Overline
import OverlineReferenceTerminal
import OverlineTestThread
import Testing

/// The terminal changes its size while a banner shows: terminals that take lines back from the scrollback when they grow, and others.
@Suite(.ownThread) struct RewriterResizeTests {
  @Test(arguments: [true, false], 1...40)
  func stormsOfSizes(takesLinesBack: Bool, seed: Int) {
    var random = Seeded(UInt64(seed))
    let window = Window(rows: 20, columns: 40)
    window.outer.takesLinesBack = takesLinesBack
    var printed: [String] = []
    window.show(Bool.random(using: &random) ? 1 : 3)
    for step in 0..<30 {
      for _ in 0..<Int.random(in: 0...8, using: &random) {
        printed.append("line \(printed.count)")
        window.write(printed.last! + "\r\n")
      }
      window.resize(rows: Int.random(in: 9...30, using: &random))
      let shown = window.outer.text.prefix { $0.contains(Window.title) || $0.isEmpty }
      #expect(shown.contains { $0.contains(Window.title) }, "step \(step), seed \(seed): \(window.outer.text)")
      #expect(window.outer.text.count { $0.contains(Window.title) } == 1, "step \(step), seed \(seed)")
    }
    window.hide()
    // A terminal that shrinks pushes the banner's rows out before the window learns of it.
    let lines = window.lines.filter { !$0.isEmpty && !$0.contains(Window.title) }
    #expect(lines == printed, "seed \(seed)")
  }
}
