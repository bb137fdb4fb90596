/// Rewrites a program's output so that it appears below a banner.
///
/// The program's terminal is lower than the real one by the banner's rows. Without a banner nothing is rewritten: bytes pass unchanged, and
/// the window only notes them (``note(_:)``). With a banner, sequences that address rows are moved down, and the rest passes. Bytes that
/// would scroll the program's first row away, or touch scrollback, pass with the banner *lifted*. In one synchronized update the program's
/// rows move to where they would be without a banner, the bytes pass, and at the end of the batch the banner is put back. A few lines scroll
/// in place instead: only the program's first row is printed over the banner. So each terminal saves lines to its scrollback in its own way,
/// and no banner gets there.
///
///     hidden ──show──► shown ──lift──► lifted ──finishBatch──► shown
///        └──────hide────┴───────hide──────┘
///
/// It reads no clock and touches no terminal: bytes come in and go out.
package struct OutputRewriter: ~Copyable {
  /// Whether a banner can be shown, or the reason to wait.
  package enum Readiness: Hashable, Sendable {
    case ready
    /// The cursor's place is unknown: the window must ask the terminal, then call ``cursorReported(row:column:)``.
    case needsCursor
    /// The program is inside a control string or a sequence, where the window must not write.
    case notAtGround
  }

  /// The program's terminal.
  public internal(set) var screen: Screen
  /// The real terminal's rows.
  public internal(set) var rows: Int
  public internal(set) var columns: Int

  /// The wanted banner.
  var banner: BannerRows?
  var primary = PlacedScreen()
  var alternate = PlacedScreen()
  var missed = MissedResize()
  var overlays = Overlays()

  var stream = ProgramStream()
  var output: [UInt8] = []
  var queries: [TerminalQuery] = []
  /// True while a synchronized update of the window is open.
  var isUpdating = false
  /// How often output that addresses rows has lowered the banner in this batch.
  var endedFlows = 0
  /// While the banner is lifted, the distance from the program's last row down to the terminal's cursor: a picture, or another process's
  /// output, may end there.
  var overhang = 0
  var scroll = ScrollInPlace()
  private var backlog = Backlog()

  /// - Parameter terminal: nil for one of which nothing is known.
  package init(rows: Int, columns: Int, terminal: TerminalCapabilities? = nil) {
    self.rows = rows
    self.columns = columns
    screen = Screen(rows: rows, columns: columns)
    if let terminal { adopt(terminal) }
    screen.beginLine()
  }

  /// Notes what the terminal does, also when it has told its name later.
  package mutating func adopt(_ terminal: TerminalCapabilities) {
    settle()
    screen.tables.margin = terminal.margin
    if screen.tables.widths.rules != terminal.widths { screen.tables.widths = CellWidths(terminal.widths) }
    screen.tables.reflows = terminal.reflows
    screen.tables.marksRows = terminal.marksRows
    screen.tables.breaksErasedCells = terminal.breaksErasedCells
    screen.tables.keepsCursorColumn = terminal.keepsCursorColumn
    screen.tables.findsBrokenRows = terminal.findsBrokenRows
    screen.tables.endsWrapsInMargins = terminal.endsWrapsInMargins
    screen.tables.maximumInPlace = terminal.maximumInPlace
    screen.tables.rewrapsScreenAlone = terminal.rewrapsScreenAlone
    screen.tables.dropsBlanks = terminal.dropsBlanks
    screen.tables.countsErasedCells = terminal.countsErasedCells
    screen.tables.knowsBannerLength = terminal.knowsBannerLength
  }

  /// Whether it is known what the terminal does at the right margin.
  package var knowsTheMargin: Bool { screen.tables.margin.isCertain }

  /// The visible screen.
  var active: PlacedScreen {
    get { screen.isAlternate ? alternate : primary }
    set { if screen.isAlternate { alternate = newValue } else { primary = newValue } }
  }

  var placement: Placement {
    get { active.placement }
    set { active.placement = newValue }
  }

  /// The rows of the program's terminal.
  package var programRows: Int { rows - (banner?.height ?? 0) }

  package var isShown: Bool { banner != nil }

  /// True when bytes may pass unchanged, provided that ``note(_:)`` receives them.
  package var isTransparent: Bool { hasNoBanner && overlays.isEmpty && stream.isGround && !isUpdating }

  var hasNoBanner: Bool { banner == nil && primary.placement == .hidden && alternate.placement == .hidden }

  /// True while a banner or a box is missing from the screen and ``finishBatch(into:)`` must put it back.
  package var isLifted: Bool { placement.isLifted || scroll.isActive || isShowDue || missed.isMoved || isUncovered }

  /// True while the banner's row shows a row of the program, because output scrolls in place.
  package var isScrolledInPlace: Bool { scroll.isActive }

  /// True if this batch of output has scrolled in place.
  package var hasScrolledInPlace: Bool { scroll.hasBegun }

  /// True while the banner is missing because output scrolls.
  package var isBannerLifted: Bool { placement.isLifted }

  /// True while this batch of output needs a ``finishBatch(into:)``: a banner or a box is missing, or the window's synchronized update is
  /// open, during which the terminal shows nothing new.
  package var isBatchOpen: Bool { isLifted || isUpdating || endedFlows > 0 }

  /// True if this batch of output has lifted the banner, or printed a row of the program over it.
  package var hasLifted: Bool { isBannerLifted || scroll.hasBegun || endedFlows > 0 }

  /// The terminal's row of the cursor, from 1.
  package var cursorRow: Int { screen.cursor.row + placement.offset + 1 }

  /// Whether the terminal can be asked now, and its answer compared with ``cursorRow``. False inside a sequence, where the window must not
  /// write, inside the program's synchronized update, where kitty does not answer, and while the terminal may have moved the rows.
  package var isCursorComparable: Bool {
    stream.isComplete && !overlays.isFlooding && screen.isCursorKnown && !missed.isMoved && !screen.modes.isSynchronized
  }

  /// True while the primary screen shows a banner that the terminal has moved by an unknown distance.
  package var isBannerMoved: Bool { missed.isMoved && missed.distance == nil }

  /// The terminal's row of a cursor report, from 1. In origin mode a terminal counts from its top margin. kitty reports a cursor that is
  /// behind the last column as the first column of the next row.
  package func row(ofReport row: Int, column: Int) -> Int {
    let isWrapped = screen.isCursorKnown && screen.cursor.isWrapPending && column == 1
    return row + screen.origin.top + placement.offset - reportedOffset - (isWrapped ? 1 : 0)
  }

  /// What bytes of the program may do to the terminal. May name effects that they do not have.
  package struct Forecast: Hashable, Sendable {
    /// They may scroll the program's first row away, or contain a pause.
    package var mustWait: Bool
    /// The number of bytes up to the end of the first sequence after which the terminal must report its cursor: DECCOLM, which may give it
    /// another width, or a return to a primary screen whose rows it has moved.
    package var pauseOffset: Int?
  }

  package func forecast(_ bytes: [UInt8]) -> Forecast {
    let isPrimaryMoved = screen.isAlternate && missed.isSizeOld && primary.placement != .hidden
    guard keepsFirstRow || isPrimaryMoved else { return Forecast(mustWait: false) }
    var forecast = ScrollForecast(
      row: screen.cursor.row, column: screen.cursor.column + (screen.cursor.isWrapPending ? 1 : 0), columns: columns,
      bottom: screen.margins.bottom, allowsColumnChange: screen.modes.allowsColumnChange, isPrimaryMoved: isPrimaryMoved
    )
    var parser = stream.parser
    _ = parser.parse((stream.tail + bytes).span, &forecast)
    let pauseOffset = forecast.pauseOffset.map { $0 - stream.tail.count }
    guard keepsFirstRow else { return Forecast(mustWait: pauseOffset != nil, pauseOffset: pauseOffset) }
    return Forecast(
      mustWait: forecast.mayScroll || screen.modes.isOrigin || screen.modes.hasLeftRightMargins,
      pauseOffset: pauseOffset)
  }

  /// True when the visible screen has no banner yet, because its cursor's place is unknown.
  var isShowDue: Bool { banner != nil && placement == .hidden }
}

// MARK: - Without a banner

extension OutputRewriter {
  /// Notes bytes that passed unchanged.
  package mutating func note(_ bytes: [UInt8]) {
    backlog.append(bytes) { screen.skim($0) }
  }

  /// Whether ``settle()`` has anything to do. Best called when output has paused.
  package var hasBacklog: Bool { !backlog.isEmpty }

  /// Forgets the screen: another process has used the terminal, and its content is unknown.
  ///
  /// - Parameter isLineEnded: whether that process has ended its line, as a shell does.
  package mutating func forgetScreen(isLineEnded: Bool = false) {
    settle()
    screen.forget()
    if isLineEnded, !screen.isAlternate { screen.beginLine() }
    missed.distance = nil
    scroll.endBatch()
    if case .flowing(let height) = placement { placement = .lifted(rows: height) }
    (endedFlows, overhang) = (0, 0)
    overlays.uncover()
  }

  /// Draws the noted bytes.
  package mutating func settle() {
    screen.doubtsMargins = true
    for chunk in backlog.take() { screen.write(chunk) }
    if screen.isGround { overlays.endFlood() }
    if hasNoBanner, missed.isSizeOld { takeNewSize() }
  }
}

// MARK: - With a banner

extension OutputRewriter {
  /// Rewrites the program's output. An incomplete sequence at its end waits for the rest.
  package mutating func rewrite(_ bytes: [UInt8], into result: inout [UInt8]) {
    swap(&output, &result)
    defer { swap(&output, &result) }
    // These bytes may move the cursor or scroll: the reported distance holds only before them.
    if missed.distance != nil, stream.isGround, !overlays.isFlooding { followMove() }
    uncover()
    screen.doubtsMargins = placement == .hidden
    if passesFlood(bytes.count) {
      output += bytes
      return note(bytes)
    }
    scroll.expect(
      bytes, repaint: screen.repaintBytes, room: screen.margins.bottom - screen.cursor.row,
      limit: screen.tables.maximumInPlace)
    stream.append(bytes)
    let whole = stream.bytes
    var parser = stream.parser
    let consumed = parser.parse(whole.span, from: 0, &self)
    stream.parser = parser
    stream.finish(at: consumed, into: &output)
  }

  /// Puts a lifted banner back. Call it when no more output waits, or when the banner has been lifted for one frame.
  ///
  /// It stays lifted where ``readiness()`` is not ``Readiness/ready``.
  package mutating func finishBatch(into result: inout [UInt8]) {
    settle()
    guard !overlays.isFlooding, stream.parser.isGround else { return }
    guard screen.isCursorKnown || !placement.isLifted && !scroll.isActive else { return }
    guard screen.isCursorKnown || !missed.isMoved else { return }
    endedFlows = 0
    swap(&output, &result)
    followMove()
    endScroll()
    scroll.endBatch()
    if placement.isLifted {
      lower()
    } else if isShowDue, screen.isCursorKnown, stream.isGround {
      showActive()
    }
    coverIfPossible()
    endUpdate()
    swap(&output, &result)
  }

  /// Ends every synchronized update, so that the terminal shows and answers what it has received. When the program ends its own later, the
  /// terminal ignores that.
  package mutating func endUpdates(into result: inout [UInt8]) {
    guard isUpdating || screen.modes.isSynchronized else { return }
    isUpdating = false
    result += "\u{1b}[?2026l".utf8
  }

  /// Returns the program's requests to the terminal since the last call.
  package mutating func takeQueries() -> [TerminalQuery] {
    defer { queries = [] }
    return queries
  }

  /// The state that the input rewriter needs for the terminal's answers and the mouse.
  package var inputContext: InputContext {
    var context = InputContext()
    context.offset = placement.inset
    context.programRows = programRows
    context.columns = columns
    context.mouseTracking = screen.modes.mouseTracking
    context.mouseEncoding = screen.modes.mouseEncoding
    context.reportsResize = screen.modes.reportsResize
    return context
  }
}
