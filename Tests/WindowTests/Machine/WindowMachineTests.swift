import Overline
@testable import OverlineRun
import OverlineTestThread
import Testing

/// The decisions of a window, as timelines without a pseudoterminal.
@Suite(.ownThread) struct WindowMachineTests {
  @Test func withoutOverlaysBytesPassUnchanged() {
    let script = MachineScript.started()
    script.print("\u{1b}[5;5Htext\n")
    script.type("\u{1b}[Akey")
    #expect(script.written == "\u{1b}[5;5Htext\n")
    #expect(script.typed == "\u{1b}[Akey")
    script.pass(.seconds(1))
    #expect(script.nextDeadline == nil)
  }

  @Test func theScreenMakesRoomBeforeTheProgramIsSmaller() {
    let script = MachineScript.started()
    script.acceptsBytes = false
    script.lose()
    #expect(script.written.contains("No connection"))
    #expect(!script.effects.contains(.resizeProgram(TerminalSize(rows: 23, columns: 80))))
    script.acceptsBytes = true
    #expect(script.effects.contains(.resizeProgram(TerminalSize(rows: 23, columns: 80))))
  }

  @Test func aTerminalThatAcceptsNothingGetsOnlyTheNewestFrame() {
    let script = MachineScript.started(motion: .on)
    script.acceptsBytes = false
    script.lose()
    let first = script.written
    script.pass(.seconds(2))
    #expect(script.written == first)
    script.acceptsBytes = true
    let rest = script.written.dropFirst(first.count)
    #expect(rest.ranges(of: "No connection").count == 1)
  }

  // MARK: - The cursor's place

  @Test func theTerminalIsAskedOnceAndTheProgramWaits() {
    let script = MachineScript()
    script.send(.programStarted)
    script.lose()
    #expect(script.questions == 1)
    #expect(!script.readsOutput)
    script.type("\u{1b}[5;1R\u{1b}[?62c")
    #expect(script.showsBanner)
    #expect(script.readsOutput)
    // The answer is neither the program's nor the user's.
    #expect(script.typed.isEmpty)
    script.pass(.seconds(1))
    #expect(!script.effects.contains(.noteInput))
  }

  /// The note is a system call, which must not delay the echo; and no wake-up of its own where the program prints.
  @Test(arguments: [true, false]) func inputIsNotedOnceAtTheProgramsPause(_ echoes: Bool) {
    let script = MachineScript.started()
    let before = script.looksAtDirectory
    for key in ["a", "b"] {
      script.type(key)
      if echoes { script.print(key) }
      #expect(script.effects.isEmpty)
    }
    let deadline = script.nextDeadline
    script.pass(.milliseconds(echoes ? 20 : 25))
    #expect(deadline == script.now)
    #expect(script.effects == [.noteInput])
    #expect(script.looksAtDirectory == before + 1)
    #expect(script.nextDeadline == nil)
  }

  @Test func aTerminalThatDoesNotAnswerIsNotAskedAgain() {
    let script = MachineScript()
    script.send(.programStarted)
    script.lose()
    script.pass(.milliseconds(199))
    #expect(!script.readsOutput)
    script.pass(.milliseconds(1))
    #expect(script.readsOutput)
    script.print("more")
    script.pass(.seconds(5))
    #expect(script.questions == 1)
    #expect(!script.showsBanner)
  }

  @Test func aLateAnswerAllowsAnotherQuestionWithTwiceTheTime() {
    let script = MachineScript()
    script.send(.programStarted)
    script.lose()
    script.pass(.milliseconds(300))
    script.type("\u{1b}[5;1R\u{1b}[?62c")
    #expect(script.questions == 2)
    #expect(!script.showsBanner)
    script.pass(.milliseconds(399))
    #expect(!script.readsOutput)
    script.type("\u{1b}[6;1R\u{1b}[?62c")
    #expect(script.showsBanner)
  }

  @Test func aResizeMakesAnAwaitedPlaceWorthless() {
    let script = MachineScript()
    script.send(.programStarted)
    script.lose()
    script.resize(rows: 30, columns: 100)
    script.type("\u{1b}[5;1R\u{1b}[?62c")
    // The place is from before the change: the terminal is asked again.
    #expect(script.questions == 2)
    #expect(!script.showsBanner)
    script.type("\u{1b}[7;1R\u{1b}[?62c")
    #expect(script.showsBanner)
    #expect(script.effects.contains(.resizeProgram(TerminalSize(rows: 29, columns: 100))))
  }

  // MARK: - The size

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
    script.pass(.milliseconds(50))
    // 150 ms after the first change the wait is over.
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
    script.pass(.milliseconds(150))
    script.type("\u{1b}[2;6R\u{1b}[?62c")
    #expect(script.effects.contains(.signalResize))
    #expect(script.showsBanner)
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

  /// Programs in mode 2048 rely on the reports, and the terminal reports only its own changes.
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
    // The terminal's report of a new size is early: the program gets it with its size.
    script.forget()
    script.resize(rows: 30, columns: 80)
    script.type("\u{1b}[48;30;80;0;0t")
    #expect(script.typed.isEmpty)
    script.pass(.milliseconds(150))
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

  // MARK: - Ctrl-Z

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
    script.send(.continued)
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

  @Test func aTerminalThatDoesNotAnswerDelaysAStopByASecond() {
    let script = MachineScript.started()
    script.lose()
    // The program moves the cursor to a place that only the terminal knows.
    script.send(.continued)
    script.type("\u{1b}[9;1R\u{1b}[?62c")
    script.send(.continued)
    script.forget()
    script.send(.programStopped)
    script.pass(.milliseconds(900))
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

  // MARK: - The end

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
    script.send(.programStarted)
    script.lose()
    script.pass(.milliseconds(200))
    script.send(.programEnded(.exited(0)))
    script.send(.outputClosed)
    #expect(!script.isOver)
    #expect(script.readsInput)
    script.type("\u{1b}[5;1R\u{1b}[?62c")
    #expect(script.end == .exited(0))
  }

  // MARK: - The start

  @Test func aWindowThatOpensOfflineShowsTheBannerFirst() {
    let script = MachineScript()
    script.send(.opened(.networkFoundLost(cause: "eth0 has no carrier")))
    #expect(script.effects.contains(.makeRaw))
    #expect(script.phase != .ready)
    script.type("\u{1b}[5;1R\u{1b}[?62c")
    #expect(script.showsBanner)
    #expect(script.phase == .ready)
    #expect(script.programSize == TerminalSize(rows: 23, columns: 80))
  }

  @Test func withoutAnAnswerTheProgramStartsAfterASecond() {
    let script = MachineScript()
    script.send(.opened(.networkFoundLost(cause: "eth0 has no carrier")))
    script.pass(.milliseconds(999))
    #expect(script.phase != .ready)
    script.pass(.milliseconds(1))
    #expect(script.phase == .ready)
    #expect(script.programSize == TerminalSize(rows: 24, columns: 80))
  }

  @Test func ctrlZBeforeTheStartStopsTheWindow() {
    let script = MachineScript()
    script.send(.opened(.networkFoundLost(cause: "eth0 has no carrier")))
    script.send(.signaled(.terminalStop))
    script.type("\u{1b}[5;1R\u{1b}[?62c")
    #expect(script.phase == .stopped)
    script.send(.resumed(hasStopped: true))
    script.type("\u{1b}[5;1R\u{1b}[?62c")
    #expect(script.showsBanner)
    #expect(script.phase == .ready)
  }

  @Test(arguments: [ProgramSignal.interrupt, .quit])
  func aKeysSignalBeforeTheStartEndsTheWindow(_ signal: ProgramSignal) {
    let script = MachineScript()
    script.send(.opened(.networkFoundLost(cause: "eth0 has no carrier")))
    script.send(.signaled(signal))
    script.type("\u{1b}[5;1R\u{1b}[?62c")
    #expect(script.end == .killed(signal: signal.rawValue))
    #expect(!script.showsBanner)
  }

  @Test func aProgramThatCannotStartLeavesNoBanner() {
    let script = MachineScript()
    script.send(.opened(.networkFoundLost(cause: "eth0 has no carrier")))
    script.type("\u{1b}[5;1R\u{1b}[?62c")
    script.send(.programFailed)
    #expect(script.isOver)
    #expect(!script.showsBanner)
  }

  @Test func theSourcesOfEventsStartAtTheFirstPause() {
    let script = MachineScript()
    script.send(.programStarted)
    for _ in 1...10 {
      script.print("compiling\n")
      script.pass(.milliseconds(10))
    }
    #expect(!script.effects.contains(.begin))
    script.pass(.milliseconds(20))
    #expect(script.effects.filter { $0 == .begin }.count == 1)
  }

  @Test func aProgramThatNeverPausesDelaysThemByHalfASecond() {
    let script = MachineScript()
    script.send(.programStarted)
    for _ in 1...52 {
      script.print("compiling\n")
      script.pass(.milliseconds(10))
    }
    #expect(script.effects.filter { $0 == .begin }.count == 1)
  }

  // MARK: - Keys and boxes

  @Test func aTornSequenceIsPassedOnAfterAPause() {
    let script = MachineScript.started()
    script.lose()
    script.type("\u{1b}[<0;3")
    #expect(script.typed.isEmpty)
    script.pass(.milliseconds(25))
    #expect(script.typed == "\u{1b}[<0;3")
  }

  @Test func anAlertThatCannotShowIsRefused() {
    let script = MachineScript()
    script.send(.programStarted)
    let alert = Alert(title: "Deploy?", buttons: ["Deploy"])
    script.send(.requested(.overlay(.alert(.alertPosted(alert, id: AlertID(rawValue: 7))))))
    script.pass(.milliseconds(200))
    #expect(script.effects.contains(.complete(.alertRefused(AlertID(rawValue: 7), .noCursor))))
  }

  @Test func anAlertTakesTheKeysOnceItShows() {
    let script = MachineScript.started()
    let alert = Alert(title: "Deploy?", buttons: ["Deploy", "Cancel"])
    script.send(.requested(.overlay(.alert(.alertPosted(alert, id: AlertID(rawValue: 7))))))
    script.pass(.seconds(1))
    script.type("2")
    #expect(script.typed.isEmpty)
    #expect(script.effects.contains(.complete(.alertAnswered(AlertID(rawValue: 7), button: 1))))
    script.type("x")
    #expect(script.typed == "x")
  }

  @Test func theMouseIsOnWhileAToastShows() {
    let script = MachineScript.started(toastInput: ToastInputSettings(mouse: true))
    script.send(.requested(.overlay(.toast(.toastPosted(ToastContent(title: "Saved"), id: ToastID(rawValue: 1))))))
    #expect(script.written.contains("\u{1b}[?1002h\u{1b}[?1006h"))
    // A click.
    script.type("\u{1b}[<0;40;1M\u{1b}[<0;40;1m")
    script.pass(.seconds(1))
    #expect(script.effects.contains(.complete(.toastEnded(ToastID(rawValue: 1)))))
    #expect(script.written.hasSuffix("\u{1b}[?1002l\u{1b}[?1006l"))
  }

  @Test func aDragEndsWhenTheProgramTurnsTheMouseOff() {
    let script = MachineScript.started()
    script.print("\u{1b}[?1002h\u{1b}[?1006h")
    script.send(.requested(.overlay(.toast(.toastPosted(ToastContent(title: "Saved"), id: ToastID(rawValue: 1))))))
    script.pass(.milliseconds(30))
    script.type("\u{1b}[<0;40;1M")
    #expect(script.isToastHeld)
    script.print("\u{1b}[?1002l")
    #expect(!script.isToastHeld)
  }
}
