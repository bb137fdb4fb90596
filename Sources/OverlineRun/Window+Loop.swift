internal import Overline
internal import OverlineSystem

extension Window {
  /// What a pseudoterminal holds of a program that has ended: a buffer of 64 KiB and one of 4.
  static var mostUnread: Int { 128 * 1024 }

  /// Two cores have enough to do with a program's start, and with what it prints first: what tells of events waits for a pause then.
  private static var headStart: Duration { .milliseconds(20) }
  private static var longestHeadStart: Duration { .milliseconds(500) }

  /// Serves the program until its end, and gives the terminal back.
  ///
  /// - Parameter begin: starts whatever tells of events; called once, a moment after the program was started, if it lives that long.
  package consuming func run(begin: () -> Void = {}) -> End {
    let start = BootClock.now
    deadlines.begin = start + Self.headStart
    while !hasEnded {
      turn()
      let now = BootClock.now
      guard let time = deadlines.begin, time <= now else { continue }
      if let pause = deadlines.settle, pause > now, now < start + Self.longestHeadStart {
        deadlines.begin = pause
      } else {
        deadlines.begin = nil
        begin()
      }
    }
    awaitAnswers()
    repairAfterKill()
    terminal.restore()
    // Otherwise it may be waiting for a program that does not go.
    if ending.signal == nil, !ending.isTerminalGone { session?.bury() }
    let end = ending.program ?? .killed(signal: Signal.hangUp.rawValue)
    // Whoever asked for the end sees that it came of that.
    if let signal = ending.signal, case .killed = end { return .killed(signal: signal.rawValue) }
    return end
  }

  private var hasEnded: Bool {
    guard ending.program != nil, ending.unread == 0 else { return false }
    return ending.isTerminalGone || toTerminal.isEmpty && shown.isEmpty
  }

  private mutating func turn() {
    watch()
    ready.wait(milliseconds: patience)
    if ready.ready(Place.signals) != [] { takeSignals() }
    if ready.ready(Place.bell) != [] { takeRequests() }
    if ready.ready(Place.timer) != [] { takeDeadline() }
    if ready.ready(Place.terminal) != [] { flushTerminal() }
    if ready.ready(Place.typed) != [] { readTyped() }
    if !toProgram.isEmpty { flushProgram() }
    // After the program has it. Each time: a command that looks for the window used last may follow at once.
    if hasInput { link.onInput() }
    hasInput = false
    // A hang-up may be told before the last that was printed: reading tells for sure.
    if waitsForOutput, ready.ready(Place.printed).isDisjoint(with: [.readable, .hungUp]) {
      pausePrinted(isGone: false)
    } else if waitsForOutput {
      readPrinted()
    }
    // After what was printed before it.
    if ready.ready(Place.reports) != [] { takeReports() }
    if deadlines.next != nil { takeDeadlines() }
    if isResizeDue, ending.isDrained || output.readiness() != .notAtGround { settleSize() }
    if shown != wanted || needsRepaint { present() }
    followMouse()
  }

  /// Watches for what can be used now.
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
    // Until the size has settled nobody knows where the terminal would put what is printed.
    let isPlaced = !inquiry.isWaiting && deadlines.resize == nil
    return toTerminal.isEmpty && isPlaced && !ending.isDrained && !ending.isOutputGone
  }

  /// How long to wait: until the next moment at which something is due.
  private var patience: Int32 {
    // Whether more is printed decides whether the batch is over; whether anything is left, whether the program's output is.
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
