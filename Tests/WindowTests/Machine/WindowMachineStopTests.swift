import Overline
import OverlineTestThread
import Testing
@testable import OverlineCore

/// A window that is stopped by Ctrl-Z, and continued.
@Suite(.ownThread) struct WindowMachineStopTests {
  @Test func aStopInAFadeLeavesAnEmptyScreenAndComesBackToTheFade() {
    let script = MachineScript.started(motion: .on)
    script.lose()
    script.pass(.milliseconds(60))
    #expect(script.showsBanner)
    script.send(.programStopped)
    #expect(script.phase == .stopped)
    #expect(!script.showsBanner)
    // The program has all rows while it is stopped.
    #expect(script.effects.suffix(3).first == .resizeProgram(TerminalSize(rows: 24, columns: 80)))
    #expect(script.effects.last == .stop)
    script.forget()
    script.send(.resumed(hasStopped: true))
    // The shell used the terminal: only the terminal reports the cursor's place now.
    #expect(script.effects == [.makeRaw, .resumeProgram])
    #expect(script.questions == 1)
    script.type("\u{1b}[9;1R\u{1b}[?62c")
    #expect(script.showsBanner)
    // The kernel's SIGCONT of this stop causes no second repaint.
    script.forget()
    script.send(.continued(isTerminalShared: true))
    #expect(script.effects.isEmpty)
    #expect(script.questions == 0)
  }

  /// The shell gets the signal of a resize while it is in front. The program may read its size as soon as it continues.
  @Test func aSizeThatChangedWhileStoppedIsSetBeforeTheProgramContinues() {
    let script = MachineScript.started()
    script.send(.programStopped)
    #expect(script.phase == .stopped)
    script.forget()
    script.resize(rows: 33, columns: 70)
    script.send(.resumed(hasStopped: true))
    #expect(
      script.effects.filter { $0 == .resumeProgram || $0 == .resizeProgram(script.programSize) }
        == [.resizeProgram(TerminalSize(rows: 33, columns: 70)), .resumeProgram])
  }

  /// A terminal that has answered before is slow, so the window waits for longer: the shell would read the answer as typed.
  @Test(arguments: [false, true]) func aTerminalThatDoesNotAnswerDelaysAStop(hasAnswered: Bool) {
    let script = MachineScript.started()
    script.lose()
    // The program moves the cursor to a place that only the terminal knows.
    script.send(.continued(isTerminalShared: true))
    if hasAnswered {
      script.type("\u{1b}[9;1R\u{1b}[?62c")
      script.send(.continued(isTerminalShared: true))
    }
    script.forget()
    script.send(.programStopped)
    script.pass(.milliseconds(hasAnswered ? 2900 : 900))
    #expect(script.phase != .stopped)
    script.pass(.milliseconds(200))
    #expect(script.phase == .stopped)
    #expect(!script.showsBanner)
  }

  @Test func aProgramThatIsKilledWhileItStopsEndsTheWindow() {
    let script = MachineScript.started()
    script.lose()
    script.acceptsBytes = false
    script.send(.programStopped)
    script.send(.programEnded(.killed(signal: 9)))
    script.send(.outputClosed)
    script.acceptsBytes = true
    #expect(script.end == .killed(signal: 9))
    #expect(!script.effects.contains(.stop))
  }

  /// The window waits for an answer that does not come, and has nothing to remove: no event follows its deadline.
  @Test func aProgramThatIsKilledWhileASilentTerminalDelaysTheStopEndsTheWindow() {
    let script = MachineScript.started()
    script.send(.continued(isTerminalShared: true))
    script.lose()
    #expect(!script.showsBanner && script.questions == 1)
    script.send(.programStopped)
    script.send(.programEnded(.killed(signal: 9)))
    script.send(.outputClosed)
    #expect(!script.isOver)
    script.pass(.seconds(5))
    #expect(script.end == .killed(signal: 9))
    #expect(!script.effects.contains(.stop))
  }

  /// A window that the terminal itself started is stopped by SIGSTOP: no shell writes to the terminal, and its content stays known.
  @Test func aStopWithoutAShellKeepsTheScreen() {
    let script = MachineScript.started()
    script.print("\u{1b}[H\u{1b}[2Jone\r\ntwo")
    script.lose()
    #expect(script.showsBanner)
    script.forget()
    script.send(.continued(isTerminalShared: false))
    script.send(.continued(isTerminalShared: false))
    #expect(script.showsBanner)
    #expect(script.questions == 0)
    #expect(script.effects.allSatisfy { $0 == .makeRaw })
    script.print("\r\nthree")
    script.restore()
    #expect(script.questions == 0)
  }

  /// The signal to end comes while the terminal's answer delays the stop.
  @Test func anEndReplacesAStop() {
    let script = MachineScript.started()
    script.lose()
    script.send(.continued(isTerminalShared: true))
    script.forget()
    script.send(.programStopped)
    script.send(.endRequested(signal: 15))
    script.type("\u{1b}[9;1R\u{1b}[?62c")
    #expect(script.phase == .serving)
    #expect(script.effects.contains(.hangUpProgram) && !script.effects.contains(.stop))
  }

  /// The program could not start, and Ctrl-Z comes while the window waits for the terminal.
  @Test func aStopDoesNotReplaceTheEnd() {
    let script = MachineScript()
    script.send(.opened([.network(lostPath)]))
    script.send(.programFailed)
    #expect(!script.isOver)
    script.send(.signaled(.terminalStop))
    script.type("\u{1b}[9;1R\u{1b}[?62c")
    #expect(script.end == .hungUp)
    #expect(!script.effects.contains(.stop))
  }
}
