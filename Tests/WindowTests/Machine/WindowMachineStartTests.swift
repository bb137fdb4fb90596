import Overline
import OverlineTestThread
import Testing
@testable import OverlineCore

/// The start of a window, and of its program.
@Suite(.ownThread) struct WindowMachineStartTests {
  @Test func aWindowThatOpensOfflineShowsTheBannerFirst() {
    let script = MachineScript()
    script.send(.opened([.network(lostPath)]))
    #expect(script.effects.contains(.makeRaw))
    #expect(script.phase != .ready)
    script.type("\u{1b}[5;1R\u{1b}[?62c")
    #expect(script.showsBanner)
    #expect(script.phase == .ready)
    #expect(script.programSize == TerminalSize(rows: 23, columns: 80))
  }

  /// The user has dismissed the outage's banner in the monitor.
  @Test func aWindowThatOpensAfterADismissalShowsNothing() {
    let script = MachineScript()
    script.send(.opened([.network(lostPath), .overlay(.banner(.troubleDismissedElsewhere))]))
    #expect(script.phase == .ready && !script.showsBanner)
    #expect(script.programSize == TerminalSize(rows: 24, columns: 80))
  }

  /// A window manager may resize a new terminal. The program still starts below the banner.
  @Test func aProgramWaitsForABannerWhoseTerminalIsResized() {
    let script = MachineScript()
    script.send(.opened([.network(lostPath)]))
    script.resize(rows: 30, columns: 100)
    script.type("\u{1b}[5;1R\u{1b}[?62c")
    #expect(script.phase != .ready)
    script.pass(.milliseconds(300))
    script.type("\u{1b}[5;1R\u{1b}[?62c")
    #expect(script.showsBanner)
    #expect(script.phase == .ready)
    #expect(script.programSize == TerminalSize(rows: 29, columns: 100))
  }

  @Test func withoutAnAnswerTheProgramStartsAfterASecond() {
    let script = MachineScript()
    script.send(.opened([.network(lostPath)]))
    script.pass(.milliseconds(999))
    #expect(script.phase != .ready)
    script.pass(.milliseconds(1))
    #expect(script.phase == .ready)
    #expect(script.showsBanner)
    #expect(script.programSize == TerminalSize(rows: 23, columns: 80))
  }

  @Test func ctrlZBeforeTheStartStopsTheWindow() {
    let script = MachineScript()
    script.send(.opened([.network(lostPath)]))
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
    script.send(.opened([.network(lostPath)]))
    script.send(.signaled(signal))
    script.type("\u{1b}[5;1R\u{1b}[?62c")
    #expect(script.end == .killed(signal: signal.rawValue))
    #expect(!script.showsBanner)
  }

  @Test func aProgramThatCannotStartLeavesNoBanner() {
    let script = MachineScript()
    script.send(.opened([.network(lostPath)]))
    script.type("\u{1b}[5;1R\u{1b}[?62c")
    script.send(.programFailed)
    #expect(script.isOver)
    #expect(!script.showsBanner)
  }

  @Test func theSourcesOfEventsStartAtTheFirstPause() {
    let script = MachineScript()
    script.send(.programStarted(title: nil))
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
    script.send(.programStarted(title: nil))
    for _ in 1...52 {
      script.print("compiling\n")
      script.pass(.milliseconds(10))
    }
    #expect(script.effects.filter { $0 == .begin }.count == 1)
  }
}
