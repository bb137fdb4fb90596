internal import Overline
internal import OverlineSystem

/// Signals, and the program's state changes.
extension Window {
  mutating func takeSignals() {
    while let signal = signals.next() {
      switch signal {
      case .windowSizeChanged: noteResize()
      case .continued:
        if !knowsItContinued { takeTerminalBack() }
        knowsItContinued = false
      // Keys reach the program through its own terminal: these signals were sent from elsewhere.
      case .interrupt, .quit:
        if let session, terminal.size != nil { session.forward(signal) } else { end(by: signal) }
      case .terminalStop:
        if let session { session.forward(signal) } else { followStop() }
      case .terminalOutput: break
      // All others end a process without a handler.
      default: end(by: signal)
      }
    }
  }

  /// Tells the program that its terminal is gone, and gives it time to clean up.
  private mutating func end(by signal: Signal) {
    if terminal.size == nil { ending.isTerminalGone = true }
    let isFirst = ending.signal == nil
    ending.signal = ending.signal ?? signal
    guard isFirst else {
      // A terminal may hang up more than once; any other second signal asks not to wait.
      if signal != .hangUp { giveUp() }
      return
    }
    if let session { session.hangUp() }
    // Longer than the helper waits before it kills the program.
    deadlines.end = BootClock.now + .seconds(6)
    present()
  }

  /// The terminal has hung up: nothing is visible any more.
  mutating func loseTerminal() {
    guard !ending.isTerminalGone else { return }
    ending.isTerminalGone = true
    toTerminal.discard()
    if ending.program == nil, ending.signal == nil { end(by: .hangUp) }
  }

  /// Ends without waiting, except briefly for the terminal.
  mutating func giveUp() {
    // The terminal does not take the rest of the output, or the overlays could not be removed since the program's end.
    if ending.isDrained || !toTerminal.isEmpty { ending.isTerminalGone = true }
    session?.abandon(killing: true)
    ending.program = ending.program ?? .killed(signal: Signal.hangUp.rawValue)
    ending.unread = 0
    deadlines.end = BootClock.now + .seconds(1)
  }

  mutating func takeReports() {
    while ending.hasReports, let report = session?.nextReport() {
      switch report {
      case .stopped: followStop()
      case .continued: break
      case .exited(let status): programEnded(.exited(status))
      case .killed(let signal): programEnded(.killed(signal: signal))
      case .lost: loseHelper()
      }
    }
  }

  private mutating func programEnded(_ end: End) {
    ending.program = end
    ending.unread = ending.isOutputGone ? 0 : Self.maximumUnreadLength
    toProgram.discard()
    deadlines.end = ending.signal == nil ? nil : BootClock.now + .seconds(1)
  }

  /// The helper was killed. The kernel has told the program that its terminal is gone; no report of its end will come.
  private mutating func loseHelper() {
    ending.isLost = true
    session?.abandon(killing: false)
    deadlines.end = BootClock.now + .seconds(5)
    awaitLost()
  }

  /// Checks whether anything is left of a program whose helper is gone.
  mutating func awaitLost() {
    guard ending.isLost, ending.program == nil else { return }
    if session?.isAlive == true {
      deadlines.look = BootClock.now + .milliseconds(20)
    } else {
      deadlines.look = nil
      programEnded(.killed(signal: Signal.hangUp.rawValue))
    }
  }
}

/// The window as a job of the shell that started it.
extension Window {
  /// The program was stopped, or the window was before its program started: the shell gets the terminal.
  private mutating func followStop() {
    if ending.signal != nil { return }
    leaveTerminal()
    let hasStopped = Job.stop(hasProgram: session != nil)
    if hasStopped {
      knowsItContinued = true
      OuterTerminal.waitForForeground(hasProgram: session != nil)
      terminal.readModes()
    }
    takeTerminalBack()
    session?.resume()
  }

  /// After SIGCONT: the terminal is the program's again, and its content is unknown.
  mutating func takeTerminalBack() {
    if ending.isTerminalGone { return }
    // This waits while in the background.
    terminal.makeRaw()
    if terminal.size != size { resizeNow() }
    // The shell had the screen: its content is unknown.
    output.forgetScreen()
    needsRepaint = !shown.isEmpty
    if inquiry == .failed { inquiry = .none }
  }

  /// Gives the terminal back: sends pending output, removes the banner, restores the attributes. Waits about a second for a terminal
  /// that does not answer or accepts no bytes.
  mutating func leaveTerminal() {
    let end = BootClock.now + .seconds(1)
    isLeaving = true
    if output.isLifted { finishBatch() }
    // A later answer would bring the banner back.
    awaitCursor(until: end)
    hide(isUrgent: true)
    awaitCursor(until: end)
    hide(isUrgent: true)
    flushTerminal(until: end)
    toTerminal.discard()
    awaitAnswers()
    isLeaving = false
    terminal.restore()
  }

  private mutating func awaitCursor(until end: Duration) {
    guard inquiry.isWaiting else { return }
    flushTerminal(until: end)
    awaitAnswers()
    stopWaitingForCursor()
  }

  /// The signal ended a program that did not expect to lose its terminal, and may have left its modes set.
  mutating func repairAfterKill() {
    guard ending.signal != nil, !ending.isTerminalGone, OwnTerminal.isForeground(0) else { return }
    output.settle()
    guard output.screen.isAlternate || output.screen.modes != Modes() else { return }
    send(TerminalRepair.sequence)
    flushTerminal(until: BootClock.now + .seconds(1))
  }

  private mutating func flushTerminal(until end: Duration) {
    while !toTerminal.isEmpty, !ending.isTerminalGone, BootClock.now < end {
      var only = PollSet(count: 1)
      only.watch(0, terminal.writing, .writable)
      only.wait(milliseconds: 100)
      if only.ready(0) != [] { flushTerminal() }
    }
  }
}
