internal import NetworkPath
package import Overline

/// A window's terminal with the overlays on it. Decides which bytes reach the terminal, and which of its input reaches the program.
///
/// ``WindowMachine`` owns this value; it keeps the state of the program and the phases itself.
package struct DisplayMachine: ~Copyable {
  /// The state in which the window wants its overlays.
  enum Demand: Equatable {
    /// The terminal shows the presentation of ``overlays``.
    case serve
    /// The window removes the overlays once the program has ended its open sequence.
    case hide
    /// The overlays are removed now: the program will not finish its sequence. With `mayAsk`, the window first asks the terminal for an
    /// unknown cursor's place.
    case clear(mayAsk: Bool)
  }

  /// The terminal as a receiver of bytes.
  enum Reception: Equatable {
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
  /// When overlays were put back that the terminal has not accepted yet.
  private var repaintStart: Duration?
  var inquiry = CursorInquiry()
  var check = CursorCheck()
  /// The time at which an opening window starts its program even without the terminal's answer.
  var openingDeadline: Duration?
  var input = InputRewriter()
  /// Whether the terminal has been asked which one it is.
  var hasAskedName = false
  var releaseDeadline: Duration?
  /// True until the first output in a window that leads its terminal's session. A terminal emulator has opened its terminal for the
  /// window then, blank and with the cursor at home, or ssh, script(1) and others have, inside a terminal with a history.
  private(set) var mayStartBlank: Bool
  var sizes: SizeKeeper
  var pointer: OverlayPointer
  private(set) var network: (path: NWPath, limitation: Limitation?)?
  var status = WindowStatus()
  /// Whether the status may have changed since the last effects.
  var isStatusDue = false
  private var effects: [WindowEffect] = []
  /// The last bytes for the program; the array is kept so that a key allocates nothing.
  private var typed: [UInt8] = []

  /// - Parameter leadsSession: whether this process leads its terminal's session.
  package init(
    banner: BannerSettings, toasts: ToastSettings, toastInput: ToastInputSettings, size: TerminalSize?,
    capabilities: TerminalCapabilities, leadsSession: Bool = false
  ) {
    mayStartBlank = leadsSession
    sizes = SizeKeeper(size)
    pointer = OverlayPointer(toastInput)
    canvas = WindowCanvas(sizes.size, capabilities)
    overlays = OverlayModel(
      banner: banner, toasts: toasts,
      window: WindowTraits(
        rows: sizes.size.rows, columns: sizes.size.columns, colors: capabilities.colors,
        reducesMotion: capabilities.isAccessible))
  }

  /// The size of the program's terminal.
  var programSize: TerminalSize { sizes.programSize(inset: canvas.insetRows) }

  /// Whether the window reads the program's output. False while the place of new output is unknown, and while output is held.
  var readsOutput: Bool { knowsPlace && canvas.pace.held.isEmpty }

  /// Whether ``handlePrinted(_:at:)`` would write any output as it is, and write nothing else.
  var passesOutput: Bool {
    reception == .ready && readsOutput && canvas.output.isTransparent && !canvas.output.surface.isBannerMoved
      && !mayStartBlank
  }

  /// Whether ``handleTyped(_:isPassed:at:)`` would give the program any bytes without an ESC as they are, and at once.
  var passesText: Bool { input.passesText && !isAsking && canvas.boxes.toast == nil }

  /// Whether the window knows where the terminal would print new output. False while the size settles, and while the window waits for the
  /// terminal to report its cursor.
  var knowsPlace: Bool { !inquiry.isWaiting && sizes.deadline == nil }

  /// Whether an answer to the window's inquiry may still come. Left unread, it would reach the terminal's next reader.
  var isAnswerOwed: Bool { reception != .gone && input.isAnswerOwed }

  /// The size that the kernel reported last; nil when the terminal has hung up.
  var terminalSize: TerminalSize? { sizes.newest }

  mutating func emit(_ effect: WindowEffect) { effects.append(effect) }
  /// The effects in their order. A changed status is the last, so that the terminal's bytes do not wait for its readers.
  mutating func takeEffects(into result: inout [WindowEffect]) {
    publishIfDue()
    result.removeAll(keepingCapacity: true)
    swap(&effects, &result)
  }

  mutating func perform(_ request: WindowRequest, at now: Duration) {
    switch request {
    case .network(let path, let limitation):
      let event = path.bannerEvent(isFirst: network == nil, limitation: limitation)
      network = (path, limitation)
      if let event { deliver(.banner(event), at: now) } else { isStatusDue = true }
    case .overlay(let event): deliver(event, at: now)
    case .toastInput(let settings): pointer.settings = settings
    case .hardSync: sizes.beginHardSync(at: now)
    // The machine of the program's answers handles it.
    case .programNotice: break
    }
  }

  mutating func deliver(_ event: OverlayEvent, at now: Duration) {
    for effect in overlays.handle(event, at: now) { emit(.complete(effect)) }
    isStatusDue = true
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
    let screen = canvas.output.surface.screen.kind
    let isReportDue = sizes.resizeProgram(inset: canvas.insetRows, isFullScreen: screen == .alternate, at: now)
    if isReportDue, canvas.output.surface.screen.modes.reportsResize { emit(.type(programSize.report)) }
    isStatusDue = true
  }

  /// Gives the program's terminal its whole size, because the program will not run for a while.
  mutating func endHardSync() { sizes.endHardSync() }

  /// Sets the terminal's title. A program that sets its own replaces it.
  mutating func setTitle(_ title: String) {
    if canvas.capabilities.hasTitle { write(Array("\u{1b}]2;\(TerminalText.sanitized(title))\u{1b}\\".utf8)) }
  }

  mutating func drained(at now: Duration) {
    if reception == .writing { reception = .ready }
    if let repaintStart { canvas.pace.noteRepaint(after: now - repaintStart) }
    repaintStart = nil
  }

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
    canvas.output.surface.settle()
    guard reception == .ready, canvas.output.surface.screen.isAlternate || canvas.output.surface.screen.modes != Modes()
    else {
      return false
    }
    reception = .writing
    emit(.repair(TerminalRepair.sequence))
    return true
  }

  /// Makes the terminal raw again after SIGCONT. Its content is unknown if another process may have used it.
  ///
  /// - Parameter isLineEnded: whether that was a shell, which has ended its line.
  mutating func takeTerminalBack(isContentKnown: Bool = false, isLineEnded: Bool = false, at now: Duration) {
    if reception == .gone { return }
    emit(.makeRaw)
    if sizes.newest != sizes.size { resizeNow(at: now) }
    if !isContentKnown { canvas.forget(isLineEnded: isLineEnded) }
    if inquiry.hasFailed { inquiry.reset() }
  }
}

// MARK: - Input

extension DisplayMachine {
  /// - Parameter isPassed: the pump has written the bytes to the program, since ``passesText`` was true.
  /// - Returns: true if an alert has the keyboard or the program receives any of the bytes. An answer to the window is no input.
  mutating func handleTyped(_ bytes: [UInt8], isPassed: Bool, at now: Duration) -> Bool {
    let wasOwed = input.isAnswerOwed
    typed.removeAll(keepingCapacity: true)
    input.rewrite(bytes, inputContext, into: &typed)
    if !isPassed, !typed.isEmpty { emit(.type(typed)) }
    let isInput = isAsking || !typed.isEmpty
    handleOverlayInput(at: now)
    releaseDeadline = input.isHolding ? now + Self.sequencePause : nil
    if let family = input.takeName().flatMap(TerminalFamily.init) { canvas.recognize(family) }
    if wasOwed, !input.isAnswerOwed {
      let time = now - (inquiry.lastQuestion ?? now)
      canvas.pace.noteAnswer(after: time)
      if inquiry.noteAnswer(after: time) { check.isTerminalSilent = false }
    }
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

  mutating func releaseInput(at now: Duration) {
    releaseDeadline = nil
    var bytes: [UInt8] = []
    input.release(into: &bytes)
    if !bytes.isEmpty { emit(.type(bytes)) }
    handleOverlayInput(at: now)
  }

  /// True while an alert has the keyboard: it is visible and not answered yet.
  var isAsking: Bool {
    canvas.shown.hasAlert && canvas.boxes.hasAlert && overlays.presentation.hasAlert
  }

  private mutating func handleOverlayInput(at now: Duration) {
    for input in input.takeOverlayInput() {
      let edge = canvas.shown.toast?.content.edge
      let event = pointer.event(for: input, on: canvas.boxes, offset: canvas.boxOffset, edge: edge)
      if let event { deliver(event, at: now) }
    }
  }
}

// MARK: - Output

extension DisplayMachine {
  mutating func handlePrinted(_ bytes: [UInt8], at now: Duration) {
    sizes.hardSync.noteOutput()
    // Where a motion leads depends on the place.
    if mayStartBlank, let isNeeded = canvas.output.mustKnowPlace(before: bytes) {
      mayStartBlank = false
      if isNeeded { ask(.start, at: now) }
    }
    if holdsBehindSequence(bytes, at: now) { return }
    let forecast = canvas.output.forecast(bytes)
    guard forecast.mustWait || canvas.output.surface.isBannerMoved || !knowsPlace else { return pass(bytes, at: now) }
    canvas.pace.hold(bytes, pauseOffset: forecast.pauseOffset)
    if knowsPlace, let deadline = canvas.pace.deadline, deadline <= now { checkBeforeLift(at: now) }
  }

  /// Notes output that the pump has written, since ``passesOutput`` was true.
  mutating func handlePassed(_ bytes: [UInt8], isAccepted: Bool, at now: Duration) {
    sizes.hardSync.noteOutput()
    canvas.note(bytes, at: now)
    if !isAccepted { reception = .writing }
  }

  /// Asks the terminal for its cursor before held output lifts the banner. After an answer the terminal handles the next bytes soon, so
  /// that a change of its size in between is unlikely. The output passes at once if the terminal does not answer or has hung up, or if the
  /// program must first end its own synchronized update.
  mutating func checkBeforeLift(at now: Duration) {
    if isFindingBanner(at: now) { return }
    if mayCheck { ask(.check(row: canvas.output.surface.cursorRow), at: now) } else { passHeld(at: now) }
  }

  /// Without a banner, and on the alternate screen, no line is lost.
  var mayCheck: Bool {
    canvas.output.surface.isShown && !check.isTerminalSilent && !inquiry.hasFailed && sizes.newest != nil
      && !canvas.output.surface.screen.isAlternate
      && canvas.output.isCursorComparable
  }

  /// Passes the held output on. Behind a DECCOLM the rest waits until the size has settled: the terminal has a new width, which it has not
  /// reported yet. Behind a return to the primary screen, whose rows the terminal may have moved, the rest waits until the window has found
  /// its banner there: lines that scroll before would be painted over.
  mutating func passHeld(at now: Duration) {
    if holdsBehindSequence(canvas.pace.held, at: now) { return }
    let (bytes, rest) = canvas.pace.releaseUpToPause()
    pass(bytes, at: now)
    guard let rest else { return }
    if !canvas.output.surface.isBannerMoved { noteResize(at: now) }
    if !rest.isEmpty { handlePrinted(rest, at: now) }
  }

  /// While a new size waits for the end of a sequence, passes only that end, and holds the rest until the size has settled: the rest would
  /// scroll below a banner that is placed for the old size.
  ///
  /// - Returns: true if it has held bytes.
  private mutating func holdsBehindSequence(_ bytes: [UInt8], at now: Duration) -> Bool {
    // A line feed in the middle of a character ends it, and belongs to no character. Then all bytes pass.
    guard sizes.isHeld, let end = canvas.output.endOfSequence(in: bytes), end > 0, end < bytes.count else {
      return false
    }
    pass(Array(bytes[..<end]), at: now)
    let rest = Array(bytes[end...])
    canvas.pace.hold(rest, pauseOffset: canvas.output.forecast(rest).pauseOffset)
    return true
  }

  /// Asks for the place of a banner that the terminal may have moved.
  ///
  /// - Returns: true while the terminal's answer is awaited.
  private mutating func isFindingBanner(at now: Duration) -> Bool {
    guard canvas.output.surface.isBannerMoved, !inquiry.isWaiting else { return inquiry.isWaiting }
    finishBatch(at: now)
    return inquiry.isWaiting
  }

  private mutating func pass(_ bytes: [UInt8], at now: Duration) {
    if bytes.isEmpty { return }
    let rewritten = canvas.pass(bytes, at: now)
    for query in canvas.output.takeQueries() { input.expect(query) }
    // One write: the terminal rarely changes its size between bytes that it reads at once.
    if canvas.output.surface.isScrolledInPlace { finishBatch(after: rewritten, at: now) } else { write(rewritten) }
  }

  /// Before another process gets the terminal: settles a size that is still changing, then passes the held output and puts the overlays back.
  ///
  /// - Parameter isLate: true to no longer wait for the terminal.
  /// - Returns: false while the terminal's answer is awaited.
  mutating func prepareToLeave(isLate: Bool, at now: Duration) -> Bool {
    // The signal may follow within 100 ms.
    if !isLate, sizes.isSignalDue, sizes.deadline != nil { return false }
    if !isLate, sizes.deadline != nil || sizes.isHeld { settleSize(.clear(mayAsk: true), at: now) }
    if inquiry.isWaiting || !isLate && isFindingBanner(at: now) { return false }
    pass(canvas.pace.release(), at: now)
    if !isLate, canvas.output.surface.isBatchOpen { finishBatch(at: now) }
    return !inquiry.isWaiting
  }

  /// Puts the overlays back after output.
  ///
  /// - Parameters:
  ///   - rewritten: output that the terminal gets first.
  ///   - isFlood: true if the batch ended at its deadline and not at a pause of the output.
  mutating func finishBatch(after rewritten: [UInt8] = [], isFlood: Bool = false, at now: Duration) {
    // xterm may have become lower since the lift, and have saved rows that would be printed and saved again.
    if let row = canvas.output.surface.flowRow, !canvas.capabilities.traits.reflows, mayCheck, inquiry.isIdle {
      canvas.holdBatch()
      return ask(.lower(row: row, isFlood: isFlood), after: rewritten, at: now)
    }
    putBack(after: rewritten, isFlood: isFlood, at: now)
  }

  /// The same without a question.
  mutating func putBack(after rewritten: [UInt8] = [], isFlood: Bool, at now: Duration) {
    let isLift = canvas.output.surface.hasLifted
    let isInPlace = canvas.output.surface.hasScrolledInPlace
    var bytes = rewritten
    // Output that waits for a moved banner's place must not wait for a late answer.
    let isSilent = inquiry.isSilent || inquiry.hasFailed && canvas.output.surface.isBannerMoved
    let needsCursor = canvas.finishBatch(isSilent: isSilent, into: &bytes)
    if needsCursor { return ask(.banner, after: bytes, at: now) }
    // Something is not back yet, for example because the program is inside a sequence.
    if canvas.output.surface.isBatchOpen { return write(bytes) }
    if pointer.isOn { bytes += OverlayPointer.turningOn }
    if isLift { canvas.pace.begin(isFlood: isFlood, at: now) }
    repaintStart = now
    guard isInPlace, mayCheck else { return write(bytes) }
    ask(.checkAfter(row: canvas.output.surface.cursorRow), after: bytes, at: now)
  }

  mutating func write(_ bytes: [UInt8]) {
    if bytes.isEmpty || reception == .gone { return }
    reception = .writing
    emit(.write(bytes))
  }
}
