internal import Overline
internal import OverlineSystem

extension Window {
  /// Upper bound of the output that a pseudoterminal holds after its program ended: it has buffers of 64 KiB and 4 KiB.
  static var maximumUnreadLength: Int { 128 * 1024 }

  /// A program's start and first output keep two cores busy: the sources of events start at the next pause.
  private static var headStart: Duration { .milliseconds(20) }
  private static var maximumHeadStart: Duration { .milliseconds(500) }

  /// Serves the program until its end, and gives the terminal back.
  ///
  /// - Parameter begin: starts the sources of events; called once, a moment after the program started, if it is still running.
  package consuming func run(begin: () -> Void = {}) -> End {
    let start = BootClock.now
    deadlines.begin = start + Self.headStart
    while !hasEnded {
      turn()
      let now = BootClock.now
      guard let time = deadlines.begin, time <= now else { continue }
      if let pause = deadlines.settle, pause > now, now < start + Self.maximumHeadStart {
        deadlines.begin = pause
      } else {
        deadlines.begin = nil
        begin()
      }
    }
    awaitAnswers()
    repairAfterKill()
    terminal.restore()
    // Otherwise the helper may still wait for a program that does not end.
    if ending.signal == nil, !ending.isTerminalGone { session?.reapHelper() }
    let end = ending.program ?? .killed(signal: Signal.hangUp.rawValue)
    // The sender of a signal sees that the signal caused the end.
    if let signal = ending.signal, case .killed = end { return .killed(signal: signal.rawValue) }
    return end
  }

  private var hasEnded: Bool {
    guard ending.program != nil, ending.unread == 0 else { return false }
    return ending.isTerminalGone || toTerminal.isEmpty && shown.isEmpty
  }

  private mutating func turn() {
    watch()
    ready.wait(milliseconds: pollTimeout)
    if ready.ready(Place.signals) != [] { takeSignals() }
    if ready.ready(Place.bell) != [] { takeRequests() }
    if ready.ready(Place.timer) != [] { takeDeadline() }
    if ready.ready(Place.terminal) != [] { flushTerminal() }
    if ready.ready(Place.typed) != [] { readTyped() }
    if !toProgram.isEmpty { flushProgram() }
    // After the program received the input. Every time: the user's next command may look for the window used last.
    if hasInput { link.onInput() }
    hasInput = false
    // A hang-up may be reported before the last output: only reading tells for sure.
    if waitsForOutput, ready.ready(Place.printed).isDisjoint(with: [.readable, .hungUp]) {
      pausePrinted(isGone: false)
    } else if waitsForOutput {
      readPrinted()
    }
    // After the output that was printed before it.
    if ready.ready(Place.reports) != [] { takeReports() }
    if deadlines.next != nil { takeDeadlines() }
    if isResizeDue, ending.isDrained || output.readiness() != .notAtGround { settleSize() }
    if shown != wanted || needsRepaint { present() }
    followMouse()
  }

  /// Sets the descriptors to poll in this turn.
  private mutating func watch() {
    guard let session else { return }
    let isReading = ending.program == nil && !ending.isTerminalGone && toProgram.isEmpty
    ready.watch(Place.typed, terminal.reading, isReading ? .readable : [])
    ready.watch(Place.terminal, terminal.writing, toTerminal.isEmpty ? [] : .writable)
    waitsForOutput = takesOutput
    var interest: Poller.Interest = waitsForOutput ? .readable : []
    if !toProgram.isEmpty { interest.insert(.writable) }
    ready.watch(Place.printed, session.masterDescriptor, interest)
    ready.watch(Place.signals, signals.rawValue, .readable)
    ready.watch(Place.reports, session.reportDescriptor, ending.hasReports ? .readable : [])
    ready.watch(Place.bell, link.bell.rawValue, .readable)
    ready.watch(Place.timer, timer.rawValue, .readable)
  }

  var takesOutput: Bool {
    // Until the size has settled it is unknown where the terminal would put the output.
    let isPlaced = !inquiry.isWaiting && deadlines.resize == nil
    return toTerminal.isEmpty && isPlaced && !ending.isDrained && !ending.isOutputGone
  }

  /// The time until the next deadline, for poll(2).
  private var pollTimeout: Int32 {
    // A batch is over when no more output follows; the program's output, when none is left.
    if output.isLifted && !isBatchHeld && waitsForOutput
      || ending.program != nil && ending.unread > 0 && toTerminal.isEmpty
    {
      return 0
    }
    guard let next = deadlines.next else { return -1 }
    return (next - BootClock.now).pollTimeout
  }
}

extension Ending {
  var hasReports: Bool { program == nil && !isLost }
  var isDrained: Bool { program != nil && unread == 0 }
}
