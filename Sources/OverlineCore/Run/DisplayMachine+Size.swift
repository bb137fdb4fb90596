internal import Overline

// MARK: - The cursor's place

extension DisplayMachine {
  /// Sends the terminal two requests: its cursor's place, then its attributes. The answer to the second ends the inquiry, even if the
  /// terminal does not answer the first. The first time a terminal that the environment does not name is asked in between which it is. A
  /// terminal that signals a size late is asked for its size before.
  ///
  /// - Parameter rewritten: output that the terminal gets first, in the same write.
  mutating func ask(_ purpose: CursorInquiry.Purpose, after rewritten: [UInt8] = [], at now: Duration) {
    guard inquiry.isIdle, let size = sizes.newest else { return write(rewritten) }
    check.isSizeConfirmed = false
    inquiry.begin(
      purpose, on: size, isBannerMoved: canvas.output.surface.isBannerMoved, at: now, until: openingDeadline)
    let asksName = canvas.capabilities.family == nil && !hasAskedName
    hasAskedName = true
    let asksSize = canvas.capabilities.traits.signalsSizeLate
    input.ask(withName: asksName, withSize: asksSize)
    // kitty handles no bytes, and so answers nothing, until a synchronized update ends.
    var bytes = rewritten
    canvas.output.surface.endUpdates(into: &bytes)
    if asksSize { bytes += "\u{1b}[18t".utf8 }
    let asksWidth =
      if case .checkAfter = purpose { !asksSize && canvas.output.surface.reprintsCutOffRows } else { false }
    canvas.output.surface.askPlace(withWidth: asksWidth, into: &bytes)
    write(bytes + (asksName ? "\u{1b}[>c\u{1b}[c" : "\u{1b}[c").utf8)
  }

  mutating func handleCursorAnswer(at now: Duration) {
    guard inquiry.isWaiting, input.answer != .awaited, let asked = inquiry.end() else { return }
    var place: (row: Int, column: Int)?
    if case .position(let row, let column)? = input.answer { place = (row, column) }
    let row = place.map { canvas.output.surface.row(ofReport: $0.row, column: $0.column) }
    let isSignalDue = sizes.noteReported(input.reportedSize, at: now)
    switch asked.purpose {
    case .resize:
      // If the size changed again, another signal follows.
      if isSignalDue { return awaitSignal(at: now) }
      if sizes.newest == asked.size { followSize(cursorRow: row, at: now) } else { noteResize(at: now) }
    case .start:
      if sizes.newest == asked.size, let place { noteStart(place) }
      passHeld(at: now)
    case .banner:
      guard let place else { return inquiry.fail(at: now) }
      // A position from before a size change is useless: the window asks again.
      guard sizes.newest == asked.size else { return }
      if isSignalDue {
        inquiry.reset()
        return awaitSignal(at: now)
      }
      if mayStartBlank { noteStart(place) } else { canvas.cursorReported(row: place.row, column: place.column) }
    case .check(let expected):
      // The size has changed since the question. The output waits until it has settled.
      if sizes.deadline != nil { return }
      let isMoved = check.findsNewSize(hasAnswered: place != nil, isExpected: row == nil || row == expected)
      if isSignalDue { return awaitSignal(at: now) }
      if isMoved { noteResize(at: now) } else { passHeld(at: now) }
    case .paint(let expected):
      if sizes.deadline != nil { return }
      let isMoved = check.findsNewSize(hasAnswered: place != nil, isExpected: row == nil || row == expected)
      if isSignalDue { return awaitSignal(at: now) }
      if isMoved { noteResize(at: now) } else { check.isSizeConfirmed = true }
    case .lower(let expected, let isFlood):
      if sizes.deadline != nil { return }
      let isNewSize = check.findsNewSize(hasAnswered: place != nil, isExpected: row == nil || row == expected)
      if isNewSize { noteResize(at: now) } else { putBack(isFlood: isFlood, at: now) }
    case .checkAfter(let expected):
      let askedWidth = canvas.output.surface.canAskWidth ? place?.column : nil
      let width = canvas.capabilities.traits.signalsSizeLate ? input.reportedSize?.columns : askedWidth
      let isCutOff = width.map { canvas.output.surface.hasCutOffRow(at: $0) } == true
      check.noteScroll(to: row, expected: expected, isCutOff: isCutOff)
      // The signal of the new size may be late: the next output would be cut off too.
      if isCutOff { noteResize(at: now) }
    }
  }

  /// Notes the place of the cursor before the first output.
  private mutating func noteStart(_ place: (row: Int, column: Int)) {
    if place == (1, 1) {
      canvas.output.surface.beginBlank()
    } else {
      canvas.cursorReported(row: place.row, column: place.column)
    }
  }

  /// Ends the wait for an answer, or for a late one.
  mutating func endInquiry(at now: Duration) {
    if inquiry.isWaiting { return stopWaitingForCursor(at: now) }
    inquiry.fail(at: now)
    if canvas.output.surface.isBatchOpen { finishBatch(at: now) }
  }

  mutating func stopWaitingForCursor(at now: Duration) {
    guard inquiry.isWaiting else { return }
    var bytes: [UInt8] = []
    input.stopWaiting(into: &bytes)
    if !bytes.isEmpty { emit(.type(bytes)) }
    handleCursorAnswer(at: now)
  }
}

// MARK: - The size

extension DisplayMachine {
  mutating func handleResize(to size: TerminalSize?, at now: Duration) {
    sizes.note(size)
    noteResize(at: now)
  }

  /// Waits for the signal of a size that the terminal has reported.
  private mutating func awaitSignal(at now: Duration) {
    sizes.isSignalled = true
    noteResize(at: now)
  }

  mutating func noteResize(at now: Duration) {
    guard canvas.shown.isEmpty else { return sizes.debounce(at: now) }
    resizeNow(at: now)
    sizes.rest(at: now)
  }

  /// Handles a size that has settled. Even if it equals the old one, the terminal had another size in between, and has moved its content.
  mutating func settleSize(_ demand: Demand, at now: Duration) {
    sizes.settle()
    guard !canvas.shown.isEmpty else { return resizeNow(at: now) }
    if canvas.output.readiness() == .notAtGround {
      guard case .clear = demand else { return sizes.isHeld = true }
      // The program will not finish its open sequence.
      var bytes: [UInt8] = []
      canvas.output.abandonSequence(into: &bytes)
      write(bytes)
    }
    // Terminals differ in how they move their rows at a resize: the cursor's place shows how far.
    guard canvas.output.readiness() == .ready, !canvas.output.surface.screen.isAlternate else {
      return resizeNow(at: now)
    }
    inquiry.reset()
    ask(.resize, at: now)
  }

  /// Follows the terminal's new size. Without one the terminal has moved no rows, wherever its cursor is: another process may have written to
  /// it, or it counts a character's columns in another way. Then all rows are printed again where they were, and the cursor returns to the
  /// program's place.
  private mutating func followSize(cursorRow: Int?, at now: Duration) {
    // foot signals no size that is the old one again.
    let isResize =
      sizes.isSignalled || canvas.capabilities.traits.signalsSizeLate && (check.lostRows > 0 || check.isCutOff)
    guard isResize else {
      if canvas.output.surface.flowRow != nil { return putBack(isFlood: false, at: now) }
      var bytes: [UInt8] = []
      canvas.output.surface.returnCursor(into: &bytes)
      write(bytes)
      return resizeNow(cursorRow: canvas.output.surface.cursorRow, at: now)
    }
    // foot signals only the last of several sizes.
    let hasLostRows = sizes.mayHaveLostRows || canvas.capabilities.traits.signalsSizeLate
    // Where rows were cut off, all are printed again, wherever the terminal has moved them.
    if cursorRow != nil, !check.isCutOff, hasLostRows { canvas.output.surface.loseBanner(rows: check.lostRows) }
    resizeNow(cursorRow: cursorRow, isCutOff: check.isCutOff, at: now)
  }

  /// - Parameters:
  ///   - cursorRow: the row that the terminal reports for its cursor, from 1.
  ///   - isCutOff: whether the terminal has cut off rows that the window printed.
  mutating func resizeNow(cursorRow: Int? = nil, isCutOff: Bool = false, at now: Duration) {
    sizes.settle()
    check.noteSize(isSignalled: sizes.isSignalled)
    sizes.isSignalled = false
    let narrowest = sizes.takeNarrowest()
    guard let new = sizes.newest, new != sizes.size || !canvas.shown.isEmpty else { return }
    let old = sizes.size
    sizes.size = new
    sizes.isProgramDue = true
    if !canvas.shown.isEmpty || (new.rows, new.columns) != (old.rows, old.columns), new.rows > 0, new.columns > 0 {
      var bytes: [UInt8] = []
      canvas.resize(new, cursorRow: cursorRow, narrowest: narrowest, isCutOff: isCutOff, into: &bytes)
      write(bytes)
      deliver(.windowResized(rows: new.rows, columns: new.columns), at: now)
    }
    // The kernel signals a program only if the size differs.
    if new == old { emit(.signalResize) }
  }
}
