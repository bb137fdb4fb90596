internal import Overline

/// Makes the decisions of a window: its phases from start to end, and the signals and sizes that its program receives.
///
/// A value: it owns no descriptor and reads no clock. The pump (`WindowPump`) reports events with the time, performs the effects in their
/// order, reads only what ``readsInput``, ``readsOutput`` and ``readsReports`` allow, and delivers ``WindowEvent/deadlineReached`` at
/// ``nextDeadline``.
///
///     opening ──► ready ──program starts──► serving ──program ends──► closing ──► over
///        │                                     │
///        └───────────Ctrl-Z──► leaving ◄───Ctrl-Z
///                              leaving ──► stopped ──fg──► opening, or serving
///                              leaving ──► serving, if the program ends or a signal ends the window meanwhile
///                              leaving ──► over, if the program did not start
package struct WindowMachine: ~Copyable {
  package enum Phase: Equatable {
    /// The window shows a banner before it starts the program, so that the program has its final size from the beginning. A program that
    /// reads its size once, or handles `SIGWINCH` late, would miss a change in its first milliseconds. If the terminal does not answer, the
    /// program starts at this time.
    case opening(until: Duration)
    case ready
    case serving
    /// The window removes the overlays before another process gets the terminal.
    case leaving(Departure, until: Duration)
    case stopped
    /// The program has ended: late answers must not reach the shell. After a signal to the window, it resets the modes that the program
    /// left set.
    case closing(until: Duration, isRepaired: Bool)
    case over(WindowEnd)
  }

  package enum Departure: Equatable {
    /// The program was stopped, or the window was stopped before its program started.
    case stop
    case end(WindowEnd)
  }

  /// The longest wait for the terminal before another process gets it.
  private static let departureTime = Duration.seconds(1)
  /// The same for a terminal that has answered before: the shell would read a late answer as typed.
  private static let knownDepartureTime = Duration.seconds(3)
  /// Longer than the helper waits before it kills the program.
  private static let hangUpTime = Duration.seconds(6)
  /// The longest wait for a program without its helper.
  private static let orphanTime = Duration.seconds(5)
  private static let orphanInterval = Duration.milliseconds(20)

  package private(set) var phase = Phase.ready
  var display: DisplayMachine
  var program = ProgramLife()
  var headStart = HeadStart()
  var pauses = PauseWatch()
  private var slices = SliceWatch()
  var notices: ProgramNotices
  /// The time when ``WindowEvent/deadlineReached`` is due; nil when only an event can change anything. Stored, since the pump asks several
  /// times in a turn.
  package private(set) var nextDeadline: Duration?
  /// The signal that ends this process.
  package private(set) var terminatingSignal: Int32?
  /// The time at which the window no longer waits for its program.
  var endDeadline: Duration?
  /// The next SIGCONT belongs to a stop that has been handled.
  private var ignoresContinue = false

  /// - Parameters:
  ///   - programNotice: the time after which the window shows that its program has no answer; zero for never.
  ///   - programLag: the round trip from which on the window shows that its program's connection is slow; zero for never.
  package init(
    _ display: consuming DisplayMachine, programNotice: Duration = .zero, programLag: Duration = .zero
  ) {
    self.display = display
    notices = ProgramNotices(program: programNotice, lag: programLag)
    nextDeadline = earliestDeadline
  }

  /// - Parameter effects: what the caller does next, in this order. Its old content is removed; its memory is used again.
  package mutating func handle(_ event: WindowEvent, at now: Duration, into effects: inout [WindowEffect]) {
    apply(event, at: now)
    if let due = earliestDeadline, due <= now { handleDeadlines(at: now) }
    advance(at: now)
    display.takeEffects(into: &effects)
    nextDeadline = earliestDeadline
  }

  // MARK: - Queries of the pump

  /// The size that the terminal reported last; nil when it has hung up.
  package var terminalSize: TerminalSize? { display.terminalSize }

  /// The size of the program's terminal.
  package var programSize: TerminalSize { display.programSize }

  /// Whether the pump must read the terminal's bytes. After the program's end it reads only late answers.
  package var readsInput: Bool { display.reception != .gone && program.end == nil || display.isAnswerOwed }

  /// Whether the pump must read the program's output.
  package var readsOutput: Bool {
    phase == .serving && display.readsOutput && !program.isDrained && !program.isOutputClosed
  }

  /// Whether the pump may write the program's output to the terminal as it is, and report it afterwards as ``WindowEvent/passed``. After
  /// the program's end the machine counts what is still to come, and each piece may be the last.
  package var passesOutput: Bool { readsOutput && display.passesOutput && program.end == nil }

  /// Whether the pump may write typed bytes without an ESC to the program as they are, and report them afterwards as
  /// ``WindowEvent/typedText``: the echo of a key then does not wait for the machine.
  package var passesText: Bool { phase == .serving && program.end == nil && display.passesText }

  /// Whether the pump must report ``WindowEvent/paused`` as soon as no output waits.
  package var isPauseAwaited: Bool { display.canvas.isPauseAwaited || program.isDraining }

  /// True while a banner or a box shows. Its place is wrong as soon as the terminal changes its size.
  package var showsOverlays: Bool { !display.canvas.shown.isEmpty }

  /// True while the window waits for the terminal to report its cursor's place.
  package var isAnswerAwaited: Bool { display.inquiry.isWaiting }

  package var readsReports: Bool { program.end == nil && !program.isHelperLost }

  /// Whether the helper ends right after its report of the program's end. After a hang-up it first waits for the rest of the program's
  /// processes.
  package var reapsHelper: Bool { terminatingSignal == nil && display.reception != .gone }
}

// MARK: - Events

extension WindowMachine {
  private mutating func apply(_ event: WindowEvent, at now: Duration) {
    switch event {
    case .opened(let requests): open(with: requests, at: now)
    case .programStarted(let title):
      start(at: now)
      if let title { display.setTitle(title) }
    case .programFailed: leave(.end(.hungUp), at: now)
    case .typed(let bytes): handleTyped(bytes, isPassed: false, at: now)
    case .typedText(let bytes): handleTyped(bytes, isPassed: true, at: now)
    case .drained: display.drained(at: now)
    case .terminalLost: loseTerminal(at: now)
    case .resized(let size): display.handleResize(to: size, at: now)
    case .printed(let bytes):
      program.read(bytes.count)
      noteOutput(bytes, at: now)
      display.handlePrinted(bytes, at: now)
    case .passed(let bytes, let isAccepted):
      noteOutput(bytes, at: now)
      display.handlePassed(bytes, isAccepted: isAccepted, at: now)
    case .paused: pause(at: now)
    case .outputClosed:
      program.closeOutput()
      pause(at: now)
    case .programStopped: if terminatingSignal == nil { leave(.stop, at: now) }
    case .programEnded(let end): finish(end, at: now)
    case .helperLost: loseHelper(at: now)
    case .programSeen(let isAlive): handleOrphan(isAlive: isAlive, at: now)
    case .connectionsSeen(let look): handleNotices(.looked(look), at: now)
    case .signaled(let signal): forward(signal, at: now)
    case .endRequested(let signal): end(by: signal, at: now)
    case .resumed(let hasStopped): resume(hasStopped: hasStopped, at: now)
    case .continued(let isTerminalShared):
      if !ignoresContinue { display.takeTerminalBack(isContentKnown: !isTerminalShared, at: now) }
      ignoresContinue = false
    case .requested(.programNotice(let time, let lag)):
      handleNotices(.settingsChanged(program: time, lag: lag), at: now)
    case .requested(let request): display.perform(request, at: now)
    case .deadlineReached: break
    }
  }

  private mutating func noteOutput(_ bytes: [UInt8], at now: Duration) {
    if slices.noteOutput(bytes.count) { display.emit(.setSlices(isShort: false)) }
    pauses.noteOutput(at: now)
    handleNotices(ProgramNotice.isLineEnd(bytes) ? .lineEnded : .outputArrived, at: now)
  }

  /// Handles a pause of the output: puts lifted overlays back.
  private mutating func pause(at now: Duration) {
    program.pause()
    if display.canvas.isPauseAwaited { display.finishBatch(at: now) }
  }
}

// MARK: - Phases

extension WindowMachine {
  /// The state in which the window wants its overlays now.
  var demand: DisplayMachine.Demand {
    if program.isDrained { return .clear(mayAsk: false) }
    return terminatingSignal == nil ? .serve : .hide
  }

  private mutating func open(with requests: [WindowRequest], at now: Duration) {
    for request in requests { display.perform(request, at: now) }
    if display.overlays.isEmpty { return }
    display.emit(.makeRaw)
    beginOpening(at: now)
  }

  private mutating func beginOpening(at now: Duration) {
    phase = .opening(until: now + Self.departureTime)
    display.openingDeadline = now + Self.departureTime
  }

  private mutating func start(at now: Duration) {
    program.start()
    phase = .serving
    headStart.begin(at: now)
    display.emit(.makeRaw)
  }

  private var departureTime: Duration {
    display.inquiry.hasAnswered ? Self.knownDepartureTime : Self.departureTime
  }

  private mutating func leave(_ departure: Departure, at now: Duration) {
    // A stop does not replace the end.
    if case .leaving(.end, _) = phase { return }
    handleNotices(.programLeft, at: now)
    phase = .leaving(departure, until: now + departureTime)
    display.endHardSync()
  }

  /// Advances screen and phase as far as the last event allows.
  private mutating func advance(at now: Duration) {
    switch phase {
    case .opening(let until):
      display.advance(demand, at: now)
      let isDrawn = !display.inquiry.isWaiting && display.reception != .writing && !display.isShowHeld
      guard isDrawn || until <= now else { return }
      display.openingDeadline = nil
      phase = .ready
    case .serving:
      display.advance(demand, at: now)
      guard program.isDrained else { return }
      guard display.reception == .gone || display.reception == .ready && display.canvas.shown.isEmpty else { return }
      phase = .closing(until: display.inquiry.endOfAnswers(at: now) ?? now + departureTime, isRepaired: false)
      close(at: now)
    case .leaving(let departure, let until):
      depart(departure, isLate: until <= now, at: now)
      // The program was killed meanwhile: no later event may come.
      if phase == .serving { advance(at: now) }
    case .closing: close(at: now)
    case .ready, .stopped, .over: break
    }
  }

  /// Removes the overlays once the terminal has answered and accepted all bytes. Does not wait for a terminal that is late.
  private mutating func depart(_ departure: Departure, isLate: Bool, at now: Duration) {
    if display.inquiry.isWaiting {
      if display.isAnswerOwed, !isLate { return }
      display.stopWaitingForCursor(at: now)
    }
    guard display.prepareToLeave(isLate: isLate, at: now) || isLate else { return }
    display.hide(.clear(mayAsk: !isLate), at: now)
    if !isLate, display.reception == .writing || display.inquiry.isWaiting || display.isAnswerOwed { return }
    display.discardOutput()
    display.resizeProgramIfDue(at: now)
    switch departure {
    case .end(let end): phase = .over(end)
    // The program was killed meanwhile, or this process received a signal to end.
    case .stop where program.end != nil || terminatingSignal != nil: phase = .serving
    case .stop:
      phase = .stopped
      // Observers hear of it before this process stops.
      display.publishIfDue()
      display.emit(.stop)
    }
  }

  private mutating func resume(hasStopped: Bool, at now: Duration) {
    ignoresContinue = hasStopped
    if program.isStarted { phase = .serving } else { beginOpening(at: now) }
    display.takeTerminalBack(isLineEnded: hasStopped, at: now)
    guard program.isStarted else { return }
    // Before the program runs again: it may read its size at once.
    display.resizeProgramIfDue(at: now)
    display.emit(.resumeProgram)
  }

  private mutating func close(at now: Duration) {
    guard case .closing(let until, let isRepaired) = phase else { return }
    let isLate = until <= now
    if display.isAnswerOwed, display.reception == .ready, !isLate { return }
    // A program that was ended by the signal may have left its modes set.
    if !isRepaired, terminatingSignal != nil, display.repair() {
      phase = .closing(until: now + Self.departureTime, isRepaired: true)
      return
    }
    if display.reception == .writing, !isLate { return }
    var end = program.end ?? .hungUp
    // End by the signal that this process received, as its sender expects, and not by the one that then ended the program.
    if let terminatingSignal, case .killed = end { end = .killed(signal: terminatingSignal) }
    phase = .over(end)
  }
}

// MARK: - The program

extension WindowMachine {
  /// Passes input to the program or the alert. A key for an alert starts no wait for the program's answer.
  private mutating func handleTyped(_ bytes: [UInt8], isPassed: Bool, at now: Duration) {
    let isAsking = display.isAsking
    guard display.handleTyped(bytes, isPassed: isPassed, at: now) else { return }
    if slices.noteInput() { display.emit(.setSlices(isShort: true)) }
    if pauses.noteInput(bytes, at: now) { display.emit(.noteInput) }
    if !isAsking, phase == .serving, program.end == nil { handleNotices(.keyTyped, at: now) }
  }

  mutating func handleNotices(_ event: ProgramNotices.Event, at now: Duration) {
    for effect in notices.handle(event, at: now) {
      switch effect {
      case .look(let isFirst): display.emit(.lookAtConnections(isFirst: isFirst))
      case .show(let words):
        display.deliver(.banner(words.map { .noticePresented($0) } ?? .noticeDismissed), at: now)
      }
    }
  }

  private mutating func finish(_ end: WindowEnd, at now: Duration) {
    handleNotices(.programLeft, at: now)
    program.finish(end)
    display.emit(.discardInput)
    endDeadline = terminatingSignal == nil ? nil : now + Self.departureTime
  }

  /// The helper was killed. The kernel has sent SIGHUP to the program; no report of the program's end will come.
  private mutating func loseHelper(at now: Duration) {
    program.loseHelper()
    endDeadline = now + Self.orphanTime
    display.emit(.abandonProgram(killing: false))
    display.emit(.lookForProgram)
  }

  private mutating func handleOrphan(isAlive: Bool, at now: Duration) {
    guard program.end == nil else { return }
    if isAlive { program.lookDeadline = now + Self.orphanInterval } else { finish(.hungUp, at: now) }
  }

  /// Forwards a signal that another process sent. Keys reach the program through its own terminal.
  private mutating func forward(_ signal: ProgramSignal, at now: Duration) {
    switch signal {
    case .interrupt, .quit:
      if program.isStarted, display.terminalSize != nil {
        display.emit(.signalProgram(signal))
      } else {
        end(by: signal.rawValue, at: now)
      }
    case .terminalStop: if program.isStarted { display.emit(.signalProgram(signal)) } else { leave(.stop, at: now) }
    }
  }

  /// Makes the helper send SIGHUP to the program, which then has time to clean up.
  private mutating func end(by signal: Int32, at now: Duration) {
    if display.terminalSize == nil { display.loseTerminal() }
    guard terminatingSignal == nil else {
      // A terminal may hang up more than once; any other second signal means that its sender does not want to wait.
      if WindowEnd.killed(signal: signal) != .hungUp { giveUp(at: now) }
      return
    }
    terminatingSignal = signal
    guard program.isStarted else { return leave(.end(.killed(signal: signal)), at: now) }
    display.emit(.hangUpProgram)
    endDeadline = now + Self.hangUpTime
  }

  private mutating func loseTerminal(at now: Duration) {
    guard display.reception != .gone else { return }
    display.loseTerminal()
    if program.end == nil, terminatingSignal == nil { end(by: WindowEnd.hangUp, at: now) }
  }

  /// Ends without waiting, except briefly for the terminal.
  mutating func giveUp(at now: Duration) {
    // Either the terminal does not accept the rest of the output, or the overlays could not be removed since the program's end.
    if program.isDrained || display.reception == .writing { display.loseTerminal() }
    display.emit(.abandonProgram(killing: true))
    program.giveUp()
    endDeadline = now + Self.departureTime
  }
}
