internal import Overline

/// A window's terminal with the overlays on it. Decides which bytes reach the terminal, and which of its input reaches the program.
///
/// ``WindowMachine`` owns this value; it keeps the state of the program and the phases itself.
struct DisplayMachine: ~Copyable {
  /// The state in which the window wants its overlays.
  enum Demand: Hashable {
    /// The terminal shows the presentation of ``overlays``.
    case serve
    /// The window removes the overlays once the program has ended its open sequence.
    case hide
    /// The overlays are removed now: the program will not finish its sequence. With `mayAsk`, the window first asks the terminal for an
    /// unknown cursor's place.
    case clear(mayAsk: Bool)
  }

  /// The terminal as a receiver of bytes.
  enum Reception: Hashable {
    case ready
    /// The terminal has not yet accepted all bytes.
    case writing
    /// The terminal has hung up: nothing is visible any more.
    case gone
  }

  /// An incomplete sequence of input is passed on after this pause.
  private static let sequencePause = Duration.milliseconds(25)

  var overlays: OverlayModel
  var canvas: WindowCanvas
  private(set) var reception = Reception.ready
  var inquiry = CursorInquiry()
  /// The time at which an opening window starts its program even without the terminal's answer.
  var openingDeadline: Duration?
  private var input = InputRewriter()
  private var releaseDeadline: Duration?
  var sizes: SizeKeeper
  var pointer: OverlayPointer
  private var status = WindowStatus()
  private var effects: [WindowEffect] = []

  init(
    banner: BannerSettings, toasts: ToastSettings, toastInput: ToastInputSettings, size: TerminalSize?,
    capabilities: TerminalCapabilities
  ) {
    sizes = SizeKeeper(size)
    pointer = OverlayPointer(toastInput)
    canvas = WindowCanvas(sizes.size, capabilities)
    overlays = OverlayModel(
      banner: banner, toasts: toasts,
      window: WindowTraits(
        rows: sizes.size.rows, columns: sizes.size.columns, colors: capabilities.colors,
        reducesMotion: capabilities.isAccessible))
  }

  var nextDeadline: Duration? {
    overlays.nextDeadline.earlier(canvas.nextDeadline).earlier(releaseDeadline).earlier(inquiry.deadline)
      .earlier(sizes.deadline).earlier(mayLift ? canvas.pace.deadline : nil).earlier(sizes.hardSync.deadline)
  }

  /// The size of the program's terminal.
  var programSize: TerminalSize { sizes.programSize(inset: canvas.insetRows) }

  /// Whether the window reads the program's output. False while the place of new output is unknown, and while output is held.
  var placesOutput: Bool { mayLift && canvas.pace.held.isEmpty }

  /// Whether the window knows where the terminal would print new output. False while the size settles, and while the window waits for the
  /// terminal to report its cursor.
  private var mayLift: Bool { !inquiry.isWaiting && sizes.deadline == nil }

  /// Whether an answer to the window's inquiry may still come. Left unread, it would reach the terminal's next reader.
  var isAnswerOwed: Bool { reception != .gone && input.isAnswerOwed }

  /// The size that the terminal reported last; nil when it has hung up.
  var terminalSize: TerminalSize? { sizes.newest }

  mutating func emit(_ effect: WindowEffect) { effects.append(effect) }
  mutating func takeEffects() -> [WindowEffect] {
    defer { effects = [] }
    return effects
  }

  mutating func perform(_ request: WindowRequest, at now: Duration) {
    switch request {
    case .overlay(let event): deliver(event, at: now)
    case .toastInput(let settings): pointer.settings = settings
    case .hardSync: sizes.beginHardSync(at: now)
    // The machine of the program's answers handles it.
    case .programNotice: break
    }
  }

  mutating func deliver(_ event: OverlayEvent, at now: Duration) {
    for effect in overlays.handle(event, at: now) { emit(.complete(effect)) }
    publish()
  }

  /// Reports a changed status to the observers.
  private mutating func publish() {
    var new = WindowStatus()
    new.overlays = overlays.status
    new.inset.top = canvas.insetRows
    new.rows = canvas.output.programRows
    new.columns = sizes.size.columns
    guard new != status else { return }
    status = new
    emit(.publish(new))
  }

  mutating func handleDeadlines(_ demand: Demand, at now: Duration) {
    if let deadline = overlays.nextDeadline, deadline <= now { deliver(.deadlineReached, at: now) }
    canvas.handleDeadline(at: now)
    if let deadline = canvas.batchDeadline, deadline <= now { finishBatch(isFlood: true, at: now) }
    if let deadline = releaseDeadline, deadline <= now { releaseInput(at: now) }
    if let deadline = sizes.deadline, deadline <= now { settleSize(demand, at: now) }
    if let deadline = inquiry.deadline, deadline <= now { stopWaitingForCursor(at: now) }
    if mayLift, let deadline = canvas.pace.deadline, deadline <= now { checkBeforeLift(at: now) }
    sizes.advanceHardSync(at: now)
  }

  /// Updates the screen and the program's size as far as the last event allows.
  mutating func advance(_ demand: Demand, at now: Duration) {
    if sizes.isHeld { settleSize(demand, at: now) }
    present(demand, at: now)
    if demand == .serve { followMouse(at: now) }
    resizeProgramIfDue(at: now)
  }

  mutating func resizeProgramIfDue(at now: Duration) {
    guard sizes.isProgramDue, reception != .writing else { return }
    sizes.isProgramDue = false
    emit(.resizeProgram(programSize))
    let screen = canvas.output.screen.kind
    let isReportDue = sizes.resizeProgram(inset: canvas.insetRows, isFullScreen: screen == .alternate, at: now)
    if isReportDue, canvas.output.screen.modes.reportsResize { emit(.type(programSize.report)) }
    publish()
  }

  /// Gives the program's terminal its whole size, because the program will not run for a while.
  mutating func endHardSync() { sizes.endHardSync() }

  /// Sets the terminal's title. A program that sets its own replaces it.
  mutating func setTitle(_ title: String) {
    if canvas.capabilities.hasTitle { write(Array("\u{1b}]2;\(TerminalText.sanitized(title))\u{1b}\\".utf8)) }
  }

  mutating func drained() { if reception == .writing { reception = .ready } }

  mutating func loseTerminal() {
    reception = .gone
    emit(.discardOutput)
  }

  /// Drops the bytes that the terminal does not accept: another process gets the terminal.
  mutating func discardOutput() {
    guard reception == .writing else { return }
    reception = .ready
    emit(.discardOutput)
  }

  /// Resets the modes that a killed program left set.
  ///
  /// - Returns: false if nothing was to reset, or the terminal does not accept bytes now.
  mutating func repair() -> Bool {
    canvas.output.settle()
    guard reception == .ready, canvas.output.screen.isAlternate || canvas.output.screen.modes != Modes() else {
      return false
    }
    reception = .writing
    emit(.repair(TerminalRepair.sequence))
    return true
  }

  /// Makes the terminal raw again after SIGCONT. Its content is unknown if a shell may have used it.
  mutating func takeTerminalBack(isContentKnown: Bool = false, at now: Duration) {
    if reception == .gone { return }
    emit(.makeRaw)
    if sizes.newest != sizes.size { resizeNow(at: now) }
    if !isContentKnown { canvas.forget() }
    if inquiry.hasFailed { inquiry.reset() }
  }
}

// MARK: - Input

extension DisplayMachine {
  /// - Returns: true if an alert has the keyboard or the program receives any of the bytes. An answer to the window is no input.
  mutating func handleTyped(_ bytes: [UInt8], at now: Duration) -> Bool {
    let wasOwed = input.isAnswerOwed
    var rewritten: [UInt8] = []
    input.rewrite(bytes, inputContext, into: &rewritten)
    if !rewritten.isEmpty { emit(.type(rewritten)) }
    let isInput = isAsking || !rewritten.isEmpty
    handleOverlayInput(at: now)
    releaseDeadline = input.isHolding ? now + Self.sequencePause : nil
    if wasOwed, !input.isAnswerOwed { inquiry.noteAnswer() }
    handleCursorAnswer(at: now)
    return isInput
  }

  private var inputContext: InputContext {
    var context = canvas.output.inputContext
    context.cellHeight = sizes.size.cellHeight
    context.cellWidth = sizes.size.cellWidth
    context.isCapturing = isAsking
    if let area = canvas.boxes.toast {
      context.toast = area.moved(down: canvas.boxOffset)
      context.focusKey = pointer.settings.focusKey
    }
    if pointer.isOn {
      context.isMouseOwn = true
      context.mouseTracking = .button
      context.mouseEncoding = .sgr
    }
    return context
  }

  private mutating func releaseInput(at now: Duration) {
    releaseDeadline = nil
    var bytes: [UInt8] = []
    input.release(into: &bytes)
    if !bytes.isEmpty { emit(.type(bytes)) }
    handleOverlayInput(at: now)
  }

  /// True while an alert has the keyboard: it is visible and not answered yet.
  var isAsking: Bool {
    canvas.shown.alert != nil && canvas.boxes.hasAlert && overlays.presentation.alert != nil
  }

  private mutating func handleOverlayInput(at now: Duration) {
    for input in input.takeOverlayInput() {
      let edge = canvas.shown.toast?.content.edge
      let event = pointer.event(for: input, on: canvas.boxes, offset: canvas.boxOffset, edge: edge)
      if let event { deliver(event, at: now) }
    }
  }
}

// MARK: - The cursor's place

extension DisplayMachine {
  /// Sends the terminal two requests: its cursor's place, then its attributes. The answer to the second ends the inquiry, even if the
  /// terminal does not answer the first.
  ///
  /// - Parameter rewritten: output that the terminal gets first, in the same write.
  mutating func ask(_ purpose: CursorInquiry.Purpose, after rewritten: [UInt8] = [], at now: Duration) {
    guard inquiry.isIdle, let size = sizes.newest else { return write(rewritten) }
    inquiry.begin(purpose, on: size, at: now, until: openingDeadline)
    input.ask()
    // kitty handles no bytes, and so answers nothing, until a synchronized update ends.
    var bytes = rewritten
    canvas.output.endUpdate(into: &bytes)
    let asksWidth = if case .checkAfter = purpose { false } else { purpose != .banner }
    canvas.output.askPlace(withWidth: asksWidth && canvas.capabilities.signalsSizeLate, into: &bytes)
    write(bytes + "\u{1b}[c".utf8)
  }

  private mutating func handleCursorAnswer(at now: Duration) {
    guard inquiry.isWaiting, input.answer != .awaited, let asked = inquiry.end() else { return }
    var place: (row: Int, column: Int)?
    if case .position(let row, let column)? = input.answer { place = (row, column) }
    let row = place.map { canvas.output.row(ofReport: $0.row, column: $0.column) }
    switch asked.purpose {
    case .resize:
      // If the size changed again, another signal follows. foot signals a size only when its edge rests, and moves its rows before.
      let isMoving = !sizes.isSignalled && place != nil && canvas.pace.wrongPlace.map { $0 != place! } == true
      canvas.pace.wrongPlace = place
      if sizes.newest == asked.size, !isMoving { repair(cursorRow: row, at: now) } else { noteResize(at: now) }
    case .banner:
      guard let place else { return inquiry.fail() }
      // A position from before a size change is useless: the window asks again.
      if sizes.newest == asked.size { canvas.cursorReported(row: place.row, column: place.column) }
    case .check(let expected):
      if row == nil { canvas.pace.isTerminalSilent = true }
      let isWidthNew = canvas.capabilities.signalsSizeLate && place.map { isNewWidth($0.column) } == true
      // The window printed its rows again after the first wrong row. A second wrong row is no new size, and the program must not wait.
      if let row, row != expected || isWidthNew, !canvas.pace.hasRepaired {
        canvas.pace.hasRepaired = true
        canvas.pace.wrongPlace = place
        return noteResize(at: now)
      }
      canvas.pace.hasRepaired = false
      canvas.pace.lostRows = 0
      passHeld(at: now)
    case .checkAfter(let expected):
      canvas.pace.lostRows = row.map { max(0, expected - $0) } ?? 0
    }
  }

  /// Whether the terminal's last column, if it was asked for, is another than the window knows.
  private func isNewWidth(_ column: Int) -> Bool { canvas.output.canAskWidth && column != sizes.size.columns }

  mutating func stopWaitingForCursor(at now: Duration) {
    guard inquiry.isWaiting else { return }
    var bytes: [UInt8] = []
    input.stopWaiting(into: &bytes)
    if !bytes.isEmpty { emit(.type(bytes)) }
    handleCursorAnswer(at: now)
  }
}

// MARK: - Output

extension DisplayMachine {
  mutating func handlePrinted(_ bytes: [UInt8], at now: Duration) {
    sizes.hardSync.noteOutput()
    let forecast = canvas.output.forecast(bytes)
    guard forecast.mayScroll || !mayLift else { return pass(bytes, at: now) }
    canvas.pace.hold(bytes, columnChangeEnd: forecast.columnChangeEnd)
    if mayLift, let deadline = canvas.pace.deadline, deadline <= now { checkBeforeLift(at: now) }
  }

  /// Asks the terminal for its cursor before held output lifts the banner. After an answer the terminal handles the next bytes soon, so
  /// that a change of its size in between is unlikely. The output passes at once if the terminal does not answer or has hung up, or if the
  /// program must first end its own synchronized update.
  private mutating func checkBeforeLift(at now: Duration) {
    if mayCheck { ask(.check(row: canvas.output.cursorRow), at: now) } else { passHeld(at: now) }
  }

  private var mayCheck: Bool {
    !canvas.pace.isTerminalSilent && !inquiry.hasFailed && sizes.newest != nil
      && !canvas.output.screen.modes.isSynchronized
  }

  /// Passes all held output on.
  mutating func releaseHeld(at now: Duration) { pass(canvas.pace.release(), at: now) }

  /// Passes the held output on. Behind a DECCOLM the rest waits until the size has settled: the terminal has a new width, which it has not
  /// reported yet.
  private mutating func passHeld(at now: Duration) {
    let (bytes, rest) = canvas.pace.releaseUpToColumnChange()
    pass(bytes, at: now)
    guard let rest else { return }
    noteResize(at: now)
    if !rest.isEmpty { handlePrinted(rest, at: now) }
  }

  private mutating func pass(_ bytes: [UInt8], at now: Duration) {
    if bytes.isEmpty { return }
    let rewritten = canvas.pass(bytes, at: now)
    for query in canvas.output.takeQueries() { input.expect(query) }
    // One write: the terminal rarely changes its size between bytes that it reads at once.
    if canvas.output.isScrolledInPlace { finishBatch(after: rewritten, at: now) } else { write(rewritten) }
  }

  /// Puts the overlays back after output.
  ///
  /// - Parameters:
  ///   - rewritten: output that the terminal gets first.
  ///   - isFlood: true if the batch ended at its deadline and not at a pause of the output.
  mutating func finishBatch(after rewritten: [UInt8] = [], isFlood: Bool = false, at now: Duration) {
    let isLift = canvas.output.hasLifted
    let isInPlace = canvas.output.hasScrolledInPlace
    var bytes = rewritten
    let needsCursor = canvas.finishBatch(into: &bytes)
    if pointer.isOn, !canvas.output.isLifted { bytes += OverlayPointer.turningOn }
    if needsCursor { return ask(.banner, after: bytes, at: now) }
    let isBack = isLift && !canvas.output.isLifted
    if isBack { canvas.pace.begin(isFlood: isFlood, at: now) }
    guard isBack, isInPlace, mayCheck else { return write(bytes) }
    ask(.checkAfter(row: canvas.output.cursorRow), after: bytes, at: now)
  }

  mutating func write(_ bytes: [UInt8]) {
    if bytes.isEmpty || reception == .gone { return }
    reception = .writing
    emit(.write(bytes))
  }
}

// MARK: - The size

extension DisplayMachine {
  mutating func handleResize(to size: TerminalSize?, at now: Duration) {
    sizes.note(size)
    noteResize(at: now)
  }

  private mutating func noteResize(at now: Duration) {
    if canvas.shown.isEmpty { resizeNow(at: now) } else { sizes.debounce(at: now) }
  }

  /// Handles a size that has settled. Even if it equals the old one, the terminal had another size in between, and has moved its content.
  private mutating func settleSize(_ demand: Demand, at now: Duration) {
    sizes.settle()
    guard !canvas.shown.isEmpty else { return resizeNow(at: now) }
    // Terminals differ in how they move their rows at a resize: the cursor's place shows how far.
    switch canvas.output.readiness() {
    case .notAtGround:
      guard case .clear = demand else { return sizes.isHeld = true }
      // The program will not finish its open sequence.
      var bytes: [UInt8] = []
      canvas.output.abandonSequence(into: &bytes)
      write(bytes)
      resizeNow(at: now)
    case .ready where !canvas.output.screen.isAlternate:
      inquiry.reset()
      ask(.resize, at: now)
    case .ready, .needsCursor: resizeNow(at: now)
    }
  }

  /// Prints all rows again. Without a new size the terminal has not moved its rows, wherever its cursor is: another process may have
  /// written to it, or it counts a character's columns in another way. The cursor returns to the program's place.
  private mutating func repair(cursorRow: Int?, at now: Duration) {
    // foot signals no size that is the old one again.
    let isResize = sizes.isSignalled || canvas.capabilities.signalsSizeLate && canvas.pace.lostRows > 0
    guard isResize else { return resizeNow(cursorRow: canvas.output.cursorRow, at: now) }
    if cursorRow != nil { canvas.output.loseBanner(rows: canvas.pace.lostRows) }
    resizeNow(cursorRow: cursorRow, at: now)
  }

  /// - Parameter cursorRow: the row that the terminal reports for its cursor, from 1.
  private mutating func resizeNow(cursorRow: Int? = nil, at now: Duration) {
    sizes.settle()
    if sizes.isSignalled { canvas.pace.hasRepaired = false }
    sizes.isSignalled = false
    canvas.pace.lostRows = 0
    canvas.pace.wrongPlace = nil
    let narrowest = sizes.takeNarrowest()
    guard let new = sizes.newest, new != sizes.size || !canvas.shown.isEmpty else { return }
    let old = sizes.size
    sizes.size = new
    sizes.isProgramDue = true
    if !canvas.shown.isEmpty || (new.rows, new.columns) != (old.rows, old.columns), new.rows > 0, new.columns > 0 {
      var bytes: [UInt8] = []
      canvas.resize(new, cursorRow: cursorRow, narrowest: narrowest, into: &bytes)
      write(bytes)
      deliver(.windowResized(rows: new.rows, columns: new.columns), at: now)
    }
    // The kernel signals a program only if the size differs.
    if new == old { emit(.signalResize) }
  }
}
