/// Rewrites a program's output so that it appears below a banner.
///
/// Without a banner nothing is rewritten: bytes pass unchanged, and the window only notes them (``TerminalSurface/note(_:)``). With a banner,
/// sequences that address rows are moved down, and the rest passes. Bytes that would scroll the program's first row away, or touch scrollback,
/// pass with the banner *lifted*. In one synchronized update the program's rows move to where they would be without a banner, the bytes pass,
/// and at the end of the batch the banner is put back. A few lines scroll in place instead: only the program's first row is printed over the
/// banner. So each terminal saves lines to its scrollback in its own way, and no banner gets there.
///
/// It reads no clock and touches no terminal: bytes come in and go out.
package struct OutputRewriter: ~Copyable {
  /// Whether a banner can be shown, or the reason to wait.
  package enum Readiness: Equatable, Sendable {
    case ready
    /// The cursor's place is unknown: the window must ask the terminal, then call ``TerminalSurface/cursorReported(row:column:)``.
    case needsCursor
    /// The program is inside a control string or a sequence, where the window must not write.
    case notAtGround
  }

  package var surface: TerminalSurface
  var stream = ProgramStream()
  var queries: [TerminalQuery] = []

  /// - Parameter terminal: nil for one of which nothing is known.
  package init(rows: Int, columns: Int, terminal: TerminalCapabilities? = nil) {
    surface = TerminalSurface(rows: rows, columns: columns, terminal: terminal)
  }
}

// MARK: - State

extension OutputRewriter {
  /// True when bytes may pass unchanged, provided that ``TerminalSurface/note(_:)`` receives them.
  package var isTransparent: Bool {
    surface.hasNoBanner && surface.overlays.isEmpty && stream.isGround && !surface.isUpdating
  }

  /// Whether a banner can be shown, changed, hidden or put back now; if not, the reason to wait.
  package mutating func readiness() -> Readiness {
    surface.settle()
    let isUnchanged = isTransparent || surface.overlays.isFlooding
    guard isUnchanged ? surface.screen.isGround : stream.isGround else { return .notAtGround }
    return surface.screen.isCursorKnown ? .ready : .needsCursor
  }

  /// Whether the terminal can be asked now, and its answer compared with ``TerminalSurface/cursorRow``. False inside a sequence, where the
  /// window must not write, inside the program's synchronized update, where kitty does not answer, and while the terminal may have moved the
  /// rows.
  package var isCursorComparable: Bool {
    stream.isComplete && !surface.overlays.isFlooding && surface.screen.isCursorKnown && !surface.missed.isMoved
      && !surface.screen.modes.isSynchronized
  }

  /// Whether a program's first output leads to rows that depend on the cursor's unknown place; nil if it neither prints nor moves.
  package func mustKnowPlace(before bytes: [UInt8]) -> Bool? {
    surface.screen.isCursorKnown ? false : FirstMotion.begins(bytes)
  }

  /// What bytes of the program may do to the terminal. May name effects that they do not have.
  package struct Forecast: Equatable, Sendable {
    /// They may scroll the program's first row away, or contain a pause.
    package var mustWait: Bool
    /// The number of bytes up to the end of the first sequence after which the terminal must report its cursor: DECCOLM, which may give it
    /// another width, or a return to a primary screen whose rows it has moved.
    package var pauseOffset: Int?
  }

  package func forecast(_ bytes: [UInt8]) -> Forecast {
    let isPrimaryMoved =
      surface.screen.isAlternate && surface.missed.isSizeOld && surface.primary.placement != .hidden
    guard surface.keepsFirstRow || isPrimaryMoved else { return Forecast(mustWait: false) }
    let (cursor, modes) = (surface.screen.cursor, surface.screen.modes)
    var forecast = ScrollForecast(
      row: cursor.row, column: cursor.column + (cursor.isWrapPending ? 1 : 0), columns: surface.columns,
      bottom: surface.screen.margins.bottom, allowsColumnChange: modes.allowsColumnChange,
      isPrimaryMoved: isPrimaryMoved)
    var parser = stream.parser
    _ = parser.parse((stream.tail + bytes).span, &forecast)
    let pauseOffset = forecast.pauseOffset.map { $0 - stream.tail.count }
    guard surface.keepsFirstRow else { return Forecast(mustWait: pauseOffset != nil, pauseOffset: pauseOffset) }
    return Forecast(
      mustWait: forecast.mayScroll || modes.isOrigin || modes.hasLeftRightMargins, pauseOffset: pauseOffset)
  }

  /// The state that the input rewriter needs for the terminal's answers and the mouse.
  package var inputContext: InputContext {
    let modes = surface.screen.modes
    var context = InputContext()
    context.offset = surface.placement.inset
    context.programRows = surface.programRows
    context.columns = surface.columns
    context.mouseTracking = modes.mouseTracking
    context.mouseEncoding = modes.mouseEncoding
    context.reportsResize = modes.reportsResize
    return context
  }
}

// MARK: - Output

extension OutputRewriter {
  /// Rewrites the program's output. An incomplete sequence at its end waits for the rest.
  package mutating func rewrite(_ bytes: [UInt8], into result: inout [UInt8]) {
    swap(&surface.output, &result)
    defer { swap(&surface.output, &result) }
    surface.beginOutput(isAtGround: stream.isGround)
    if passesFlood(bytes.count) {
      surface.output += bytes
      return surface.note(bytes)
    }
    surface.expect(bytes)
    stream.append(bytes)
    let whole = stream.bytes
    var parser = stream.parser
    let consumed = parser.parse(whole.span, from: 0, &self)
    stream.parser = parser
    stream.finish(at: consumed, into: &surface.output)
  }

  /// Whether bytes may pass unchanged and only be noted while the boxes are off the screen. Not on the alternate screen: a full-screen
  /// program draws little, and its screen would become unknown if its erasing were not drawn.
  private mutating func passesFlood(_ count: Int) -> Bool {
    let mayBegin =
      surface.hasNoBanner && !surface.screen.isAlternate && stream.isComplete && surface.screen.isGround
    return surface.overlays.isFlooded(by: count, mayBegin: mayBegin)
  }

  /// Puts a lifted banner back. Call it when no more output waits, or when the banner has been lifted for one frame.
  ///
  /// It stays lifted where ``readiness()`` is not ``Readiness/ready``.
  package mutating func finishBatch(into result: inout [UInt8]) {
    surface.settle()
    guard !surface.overlays.isFlooding, stream.parser.isGround else { return }
    swap(&surface.output, &result)
    surface.finishBatch(isAtGround: stream.isGround)
    swap(&surface.output, &result)
  }

  /// Returns the program's requests to the terminal since the last call.
  package mutating func takeQueries() -> [TerminalQuery] {
    defer { queries = [] }
    return queries
  }

  /// Ends a sequence that the program has begun and will not finish: CAN, and ST where CAN is not enough. The unfinished part is dropped.
  package mutating func abandonSequence(into result: inout [UInt8]) {
    guard !stream.isGround else { return }
    if !stream.parser.isGround { result.append("\u{18}\u{1b}\\") }
    stream = ProgramStream()
  }

  /// How many of these bytes still belong to the unfinished sequence or character; nil if it goes on behind them.
  package func endOfSequence(in bytes: [UInt8]) -> Int? {
    var parser = stream.parser
    var end = SequenceEnd()
    _ = parser.parse((stream.tail + bytes).span, &end)
    return end.index.map { max(0, $0 - stream.tail.count) }
  }
}

// MARK: - Passing items

extension OutputRewriter {
  /// Passes the program's bytes before `index` unchanged.
  mutating func pass(upTo index: Int) { stream.pass(upTo: index, into: &surface.output) }

  /// Leaves an item out; the caller writes a sequence for it.
  mutating func drop(_ range: Range<Int>) { stream.drop(range, into: &surface.output) }

  /// Leaves an item out, see ``ProgramStream/omit(_:into:)``.
  mutating func omit(_ range: Range<Int>) { stream.omit(range, into: &surface.output) }

  /// Lowers the banner before an item that addresses rows.
  mutating func lowerFlow(before range: Range<Int>) {
    guard surface.placement.isFlowing || surface.isScrolledInPlace else { return }
    surface.endedFlows += 1
    pass(upTo: range.lowerBound)
    surface.endScrolling()
  }

  /// Lifts the banner before an item passes.
  mutating func liftBefore(_ range: Range<Int>) {
    guard surface.keepsFirstRow else { return }
    pass(upTo: range.lowerBound)
    surface.lift()
  }

  /// Passes an item that shifts or scrolls all rows within the margins: below a banner the terminal gets margins for it.
  ///
  /// - Parameter apply: applies the item to the screen.
  mutating func passWithinMargins(_ range: Range<Int>, _ apply: (inout Screen) -> Void) {
    guard surface.placement.isShown, surface.isUnrestricted else { return apply(&surface.screen) }
    let offset = surface.placement.offset
    pass(upTo: range.lowerBound)
    surface.output.appendMargins(top: offset, bottom: offset + surface.screen.rows - 1)
    surface.appendCursor()
    pass(upTo: range.upperBound)
    apply(&surface.screen)
    surface.output.append("\u{1b}[r")
    surface.appendCursor()
  }

  /// Passes a reset, then sets again the state that the window needs.
  mutating func reset(_ range: Range<Int>, _ apply: (inout Screen) -> Void) {
    let wasAlternate = surface.screen.isAlternate
    liftBefore(range)
    apply(&surface.screen)
    if wasAlternate != surface.screen.isAlternate {
      surface.forgetMove()
      pass(upTo: range.upperBound)
      return surface.leaveAlternateScreen()
    }
    guard surface.placement != .hidden else { return }
    pass(upTo: range.upperBound)
    surface.receiveSevenBitControls()
    surface.restoreBanner()
  }

  /// Passes a sequence that restores the saved cursor, then places the cursor. The terminal may have saved it at another offset or not at
  /// all, and not every terminal restores origin mode with it.
  mutating func restoreCursor(_ range: Range<Int>, _ apply: (inout Screen) -> Void) {
    let wasUnrestricted = surface.isUnrestricted
    apply(&surface.screen)
    guard surface.placement != .hidden else { return }
    pass(upTo: range.upperBound)
    surface.placeRestoredCursor(wasUnrestricted: wasUnrestricted)
  }
}
