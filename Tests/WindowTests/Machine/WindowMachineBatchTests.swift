import Overline
import OverlineTestThread
import Testing
@testable import OverlineCore

/// Batches of output: each ends with everything visible, and with no output held back.
@Suite(.ownThread) struct WindowMachineBatchTests {
  private func ends(_ script: MachineScript) -> Bool {
    script.written.ranges(of: "\u{1b}[?2026h").count == script.written.ranges(of: "\u{1b}[?2026l").count
  }

  /// During a synchronized update the terminal shows nothing new.
  @Test(
    arguments: [
      "\u{1b}[?1049h", "\u{1b}[?1049hvim\u{1b}[2J", "\u{1b}[?1049h\u{1b}[!p", "\u{1b}[2Jhome", "\r\n\u{1b}[A",
    ])
  func aPauseEndsTheUpdate(_ output: String) {
    let script = MachineScript.started()
    script.print("\u{1b}[24;1Hlast")
    script.lose()
    script.print(output)
    if script.questions > 0 { script.type("\u{1b}[\(script.cursorRow);5R\u{1b}[?62c") }
    script.pass(.milliseconds(1))
    #expect(script.written.contains("\u{1b}[?2026h"))
    #expect(ends(script))
  }

  /// The banner that ended during the full-screen program leaves the primary screen with the program.
  @Test func aBannerThatEndedDuringAFullScreenProgram() {
    let script = MachineScript.started()
    script.lose()
    script.print("\u{1b}[?1049h\u{1b}[2Jvim")
    script.pass(.seconds(1))
    script.restore()
    script.pass(.seconds(10))
    #expect(!script.showsBanner)
    // The read ends inside a sequence.
    script.print("\u{1b}[?1049l\u{1b}[3")
    script.print("1mred")
    script.pass(.milliseconds(1))
    #expect(script.written.contains("\u{1b}[31mred"))
    #expect(ends(script))
    script.forget()
    script.print("\u{1b}[2")
    #expect(script.written == "\u{1b}[2")
  }

  /// A scroll that a later sequence of the same read ended counts for the pace too.
  @Test func aLiftThatEndedInTheSameReadIsPaced() {
    let script = MachineScript.started()
    script.lose()
    script.print("\u{1b}[23;1Hlast")
    script.pass(.milliseconds(100))
    script.print("\r\none\u{1b}[A")
    script.type("\u{1b}[24;5R\u{1b}[?62c")
    script.pass(.zero)
    script.forget()
    script.print("\n\ntwo")
    #expect(script.questions == 0 && !script.written.contains("two"))
  }

  /// The terminal reported no cursor, and the program's output then showed where it is.
  @Test func outputIsNotHeldForATerminalThatDoesNotAnswer() {
    let script = MachineScript()
    script.send(.programStarted(title: nil))
    script.print("\u{1b}[?1049h\u{1b}[2J\u{1b}[Hvim")
    script.lose()
    #expect(script.showsBanner)
    script.print("\u{1b}[?1049l")
    script.pass(.seconds(1))
    #expect(script.questions == 1)
    script.print("\u{1b}[H\u{1b}[2Jready")
    script.pass(.milliseconds(100))
    script.print(String(repeating: "\r\n", count: 30) + "end")
    script.pass(.milliseconds(100))
    #expect(script.written.contains("end"))
    #expect(script.readsOutput)
  }

  @Test func heldOutputReachesATerminalThatHangsUpOrNone() {
    let script = MachineScript.started()
    script.lose()
    script.print("\u{1b}[23;1Hlast")
    script.pass(.milliseconds(100))
    script.print("\r\none")
    script.type("\u{1b}[24;5R\u{1b}[?62c")
    script.pass(.zero)
    script.print("\r\ntwo")
    script.send(.resized(nil))
    script.pass(.seconds(1))
    #expect(script.readsOutput)
    #expect(script.nextDeadline.map { $0 > script.now } ?? true)
  }
}
