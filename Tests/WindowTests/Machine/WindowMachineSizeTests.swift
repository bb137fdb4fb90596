import Overline
import OverlineTestThread
import Testing
@testable import OverlineCore

/// A window whose terminal changes its size.
@Suite(.ownThread) struct WindowMachineSizeTests {
  @Test func aChangingSizeSettlesBelowTheBanner() {
    let script = MachineScript.started()
    script.lose()
    script.forget()
    for rows in 25...30 {
      script.resize(rows: rows, columns: 80)
      script.pass(.milliseconds(20))
    }
    #expect(script.questions == 0)
    #expect(!script.readsOutput)
    script.pass(.milliseconds(279))
    #expect(script.questions == 0)
    // 300 ms after the last change the wait is over.
    script.pass(.milliseconds(1))
    #expect(script.questions == 1)
    script.type("\u{1b}[2;6R\u{1b}[?62c")
    #expect(script.effects == [.publish(script.status(rows: 29)), .resizeProgram(TerminalSize(rows: 29, columns: 80))])
  }

  @Test func aSizeThatChangedBackReachesTheProgramAsASignal() {
    let script = MachineScript.started()
    script.lose()
    script.forget()
    script.resize(rows: 10, columns: 80)
    script.resize(rows: 24, columns: 80)
    script.pass(.milliseconds(300))
    script.type("\u{1b}[2;6R\u{1b}[?62c")
    #expect(script.effects.contains(.signalResize))
    #expect(script.showsBanner)
  }

  /// A banner in the middle of a drag would meet the next change of size.
  @Test func aBannerWaitsUntilTheSizeRests() {
    let script = MachineScript.started()
    script.resize(rows: 20, columns: 80)
    #expect(script.effects.contains(.resizeProgram(TerminalSize(rows: 20, columns: 80))))
    script.lose()
    script.pass(.milliseconds(200))
    script.resize(rows: 21, columns: 80)
    script.print("\r\nprinted meanwhile")
    #expect(script.written == "\r\nprinted meanwhile")
    script.pass(.milliseconds(299))
    #expect(script.questions == 0 && !script.showsBanner)
    script.pass(.milliseconds(1))
    #expect(script.questions == 1)
    script.type("\u{1b}[2;18R\u{1b}[?62c")
    #expect(script.showsBanner)
    #expect(script.programSize == TerminalSize(rows: 20, columns: 80))
  }

  /// Without an outage a new size sets no deadline.
  @Test func aSizeThatRestsWakesNoWindowThatShowsNothing() {
    let script = MachineScript.started()
    script.pass(.seconds(1))
    #expect(script.nextDeadline == nil)
    script.resize(rows: 20, columns: 80)
    #expect(script.nextDeadline == nil)
    script.pass(.milliseconds(300))
    script.lose()
    #expect(script.questions == 1)
  }

  @Test func inASequenceTheNewSizeWaits() {
    let script = MachineScript.started()
    script.lose()
    script.print("\u{1b}[3")
    script.forget()
    script.resize(rows: 30, columns: 80)
    script.pass(.seconds(1))
    #expect(script.questions == 0)
    script.print("1m")
    #expect(script.questions == 1)
  }

  /// A program in mode 2048 relies on reports of its size. The terminal reports only its own size, so the window reports the program's.
  @Test func aProgramThatAskedForReportsOfItsSizeGetsThem() {
    let script = MachineScript.started()
    script.lose()
    #expect(script.typed.isEmpty)
    script.restore()
    script.pass(.seconds(5))
    script.print("\u{1b}[?2048h")
    script.pass(.milliseconds(30))
    script.forget()
    script.lose()
    #expect(script.typed == "\u{1b}[48;23;80;0;0t")
    // The terminal's report comes before the program's new size is set. The program gets a report together with that size.
    script.forget()
    script.resize(rows: 30, columns: 80)
    script.type("\u{1b}[48;30;80;0;0t")
    #expect(script.typed.isEmpty)
    script.pass(.milliseconds(300))
    script.type("\u{1b}[2;6R\u{1b}[?62c")
    #expect(script.typed == "\u{1b}[48;29;80;0;0t")
    script.forget()
    script.restore()
    script.pass(.seconds(5))
    #expect(script.typed == "\u{1b}[48;30;80;0;0t")
    // Without a banner the window adds nothing to the terminal's own.
    script.forget()
    script.resize(rows: 24, columns: 80)
    script.type("\u{1b}[48;24;80;0;0t")
    #expect(script.typed == "\u{1b}[48;24;80;0;0t")
  }

  @Test func aFullScreenProgramThatDrawsNothingHasMissedItsNewSize() {
    let script = MachineScript.started()
    script.print("\u{1b}[?1049h\u{1b}[2J")
    script.pass(.milliseconds(30))
    script.lose()
    script.forget()
    script.pass(.milliseconds(299))
    #expect(script.effects.isEmpty)
    script.pass(.milliseconds(1))
    #expect(script.effects.contains(.resizeProgram(TerminalSize(rows: 22, columns: 80))))
    script.forget()
    script.pass(.milliseconds(50))
    #expect(script.effects.contains(.resizeProgram(TerminalSize(rows: 23, columns: 80))))
    // Only once.
    script.forget()
    script.pass(.seconds(5))
    #expect(script.effects.isEmpty)
  }

  /// A full-screen program below a banner, in a terminal that has another size since.
  private func withFullScreenProgram(resizedTo rows: Int) -> MachineScript {
    let script = MachineScript.started()
    script.lose()
    script.print("\u{1b}[?1049h\u{1b}[2Jvim")
    script.type("\u{1b}[2;6R\u{1b}[?62c")
    script.pass(.milliseconds(30))
    script.resize(rows: rows, columns: 80)
    script.pass(.seconds(1))
    script.forget()
    return script
  }

  /// The primary screen has another size than before, and its banner is in an unknown row until the terminal reports its cursor.
  @Test func aFullScreenProgramEndsInAnotherSizeBelowTheBanner() {
    let script = withFullScreenProgram(resizedTo: 20)
    script.print("\u{1b}[?1049l$ ")
    script.pass(.milliseconds(1))
    // `MachineScript` checks that the question is not inside the synchronized update, where kitty would not answer.
    #expect(script.questions == 1)
    script.type("\u{1b}[2;8R\u{1b}[?62c")
    script.pass(.milliseconds(1))
    #expect(script.showsBanner && !script.isBannerLifted && !script.isAnswerAwaited)
    #expect(script.written.contains("No connection"))
  }

  /// The shell prints in the same write. Its lines would scroll the banner and rows that the window then paints over.
  @Test func outputWaitsUntilTheBannerIsFoundAfterAFullScreenProgram() {
    let script = withFullScreenProgram(resizedTo: 30)
    script.print("\u{1b}[?1049l\r\nStopped\r\n$ ")
    #expect(script.questions == 1)
    #expect(script.written.contains("\u{1b}[?1049l") && !script.written.contains("Stopped"))
    script.forget()
    script.type("\u{1b}[8;5R\u{1b}[?62c")
    script.pass(.milliseconds(1))
    let written = script.written
    let banner = written.firstRange(of: "No connection")
    let text = written.firstRange(of: "Stopped")
    #expect(banner != nil && text != nil && banner!.lowerBound < text!.lowerBound)
    #expect(script.showsBanner && !script.isBannerLifted && !script.isAnswerAwaited)
  }

  /// The answer is from before the newest size. The window asks again, and the output still waits.
  @Test func outputWaitsAlsoIfTheSizeChangesBeforeTheAnswer() {
    let script = withFullScreenProgram(resizedTo: 30)
    script.print("\u{1b}[?1049l\r\nStopped\r\n$ ")
    script.resize(rows: 31, columns: 80)
    script.type("\u{1b}[8;5R\u{1b}[?62c")
    #expect(!script.written.contains("Stopped"))
    script.pass(.milliseconds(301))
    #expect(script.questions == 2 && !script.written.contains("Stopped"))
    script.type("\u{1b}[9;5R\u{1b}[?62c")
    script.pass(.milliseconds(1))
    #expect(script.written.contains("Stopped") && script.showsBanner && !script.isBannerLifted)
  }

  /// kitty would not report its cursor before the program ends its update, and the window would hold the output that ends it.
  @Test func theWindowAsksNothingInsideTheProgramsUpdate() {
    let script = MachineScript.started()
    script.lose()
    script.print("\u{1b}[23;1Hlast")
    script.pass(.milliseconds(100))
    script.print("\u{1b}[?2026h")
    script.print("\r\none")
    script.pass(.milliseconds(1))
    #expect(script.questions == 0 && script.written.contains("one"))
    script.print("\r\ntwo\u{1b}[?2026l")
    script.pass(.milliseconds(60))
    #expect(script.written.contains("two"))
    // The update has ended.
    #expect(script.questions == 1)
  }

  /// The window reads no output until the size has settled, so the program cannot end its update. The window does.
  @Test func afterANewSizeTheProgramsUpdateEndsBeforeTheQuestion() {
    let script = MachineScript.startedOnFullScreen()
    script.print("\u{1b}[?2026hx")
    script.resize(rows: 20, columns: 80)
    script.forget()
    script.pass(.milliseconds(300))
    #expect(script.written == "\u{1b}[?2026l\u{1b}[6n\u{1b}[c")
  }

  /// The rows are printed once the terminal has told where they are now.
  @Test func aStopWaitsForASizeThatSettles() {
    let script = MachineScript.startedOnFullScreen()
    script.resize(rows: 20, columns: 80)
    script.forget()
    script.send(.programStopped)
    #expect(script.written == "\u{1b}[6n\u{1b}[c")
    script.type("\u{1b}[20;8R\u{1b}[?62c")
    #expect(!script.showsBanner && !script.written.contains("line 2\r"))
    #expect(script.effects.contains(.stop) && script.programSize == TerminalSize(rows: 20, columns: 80))
  }

  @Test(arguments: ["drawn", ""])
  func aProgramThatDrawsOrIsNotFullScreenHasNotMissedIt(drawn: String) {
    let script = MachineScript.started()
    if !drawn.isEmpty { script.print("\u{1b}[?1049h\u{1b}[2J") }
    script.pass(.milliseconds(30))
    script.lose()
    script.pass(.milliseconds(100))
    script.print(drawn)
    script.forget()
    script.pass(.seconds(5))
    #expect(!script.effects.contains(.resizeProgram(TerminalSize(rows: 22, columns: 80))))
  }

  /// A full-screen program that draws after a new size has not missed it.
  @Test(arguments: [true, false]) func onlyASilentProgramLaysItselfOutAgain(isSilent: Bool) {
    let script = MachineScript.started()
    script.print("\u{1b}[?1049h\u{1b}[2Jvim")
    script.resize(rows: 30, columns: 80)
    if !isSilent { script.print("\u{1b}[H\u{1b}[2Jvim") }
    script.forget()
    script.pass(.milliseconds(400))
    #expect(script.effects.contains(.resizeProgram(TerminalSize(rows: 29, columns: 80))) == isSilent)
  }

  @Test func aProgramThatStopsDuringAHardSyncHasItsSize() {
    let script = MachineScript.started()
    script.send(.requested(.hardSync))
    #expect(script.effects.contains(.resizeProgram(TerminalSize(rows: 23, columns: 80))))
    script.forget()
    script.send(.programStopped)
    #expect(script.effects.contains(.resizeProgram(TerminalSize(rows: 24, columns: 80))))
  }

  @Test func aWindowAtRestReturnsItsMemory() {
    let script = MachineScript.started()
    script.lose()
    script.pass(.seconds(1))
    #expect(!script.effects.contains(.releaseMemory))
    script.restore()
    script.pass(.seconds(10))
    #expect(script.effects.count { $0 == .releaseMemory } == 1)
  }
}
