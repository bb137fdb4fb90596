import Overline
import OverlineTestThread
import Testing
@testable import OverlineCore

/// The end of a window: of its program, of its terminal, or by a signal.
@Suite(.ownThread) struct WindowMachineEndTests {
  @Test func unreadOutputReachesTheTerminalBeforeTheEnd() {
    let script = MachineScript.started()
    script.lose()
    script.send(.programEnded(.exited(3)))
    #expect(!script.isOver)
    #expect(script.readsOutput)
    script.print("last words")
    #expect(script.written.contains("last words"))
    script.send(.paused)
    #expect(!script.showsBanner)
    #expect(script.end == .exited(3))
    #expect(script.reapsHelper)
  }

  @Test func anOpenSequenceOfAnEndedProgramDoesNotKeepTheBanner() {
    let script = MachineScript.started()
    script.lose()
    script.print("\u{1b}]0;half a title")
    script.send(.programEnded(.exited(0)))
    script.send(.outputClosed)
    #expect(!script.showsBanner)
    #expect(script.end == .exited(0))
  }

  @Test func aSignalGivesTheProgramSixSeconds() {
    let script = MachineScript.started()
    script.lose()
    script.send(.endRequested(signal: 15))
    #expect(script.effects.contains(.hangUpProgram))
    #expect(!script.showsBanner)
    script.pass(.milliseconds(5900))
    #expect(!script.effects.contains(.abandonProgram(killing: true)))
    script.pass(.milliseconds(200))
    #expect(script.effects.contains(.abandonProgram(killing: true)))
    #expect(script.end == .killed(signal: 15))
    #expect(!script.reapsHelper)
  }

  @Test func aSecondSignalDoesNotWaitButASecondHangUpDoes() {
    let script = MachineScript.started()
    script.send(.endRequested(signal: 1))
    script.send(.endRequested(signal: 1))
    #expect(!script.isOver)
    script.send(.endRequested(signal: 15))
    #expect(script.end == .killed(signal: 1))
  }

  @Test func aKilledProgramsModesAreReset() {
    let script = MachineScript.started()
    script.print("\u{1b}[?1049h\u{1b}[?1000h")
    script.send(.endRequested(signal: 15))
    script.send(.programEnded(.killed(signal: 1)))
    script.forget()
    script.send(.outputClosed)
    #expect(script.written.contains("\u{1b}[?1049l"))
    #expect(script.end == .killed(signal: 15))
  }

  @Test func aTerminalThatHangsUpEndsTheProgram() {
    let script = MachineScript.started()
    script.lose()
    script.send(.terminalLost)
    #expect(script.effects.contains(.hangUpProgram))
    #expect(!script.readsInput)
    script.send(.programEnded(.killed(signal: 1)))
    script.send(.outputClosed)
    #expect(script.end == .killed(signal: 1))
    #expect(!script.reapsHelper)
  }

  @Test func withoutItsHelperTheProgramIsLookedFor() {
    let script = MachineScript.started()
    script.send(.helperLost)
    #expect(script.effects == [.abandonProgram(killing: false), .lookForProgram])
    #expect(!script.readsReports)
    script.send(.programSeen(isAlive: true))
    script.forget()
    script.pass(.milliseconds(20))
    #expect(script.effects == [.lookForProgram])
    script.send(.programSeen(isAlive: false))
    script.send(.outputClosed)
    #expect(script.end == .killed(signal: 1))
  }

  @Test func lateAnswersDoNotReachTheShell() {
    let script = MachineScript()
    script.send(.programStarted(title: nil))
    script.lose()
    script.pass(.milliseconds(200))
    script.send(.programEnded(.exited(0)))
    script.send(.outputClosed)
    #expect(!script.isOver)
    #expect(script.readsInput)
    script.type("\u{1b}[5;1R\u{1b}[?62c")
    #expect(script.end == .exited(0))
  }
}
