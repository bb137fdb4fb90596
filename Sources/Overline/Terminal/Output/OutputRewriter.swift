/// Rewrites what a program writes to its terminal, so that it lands below a banner.
///
/// The program's terminal is lower than the real one by the banner's rows. Without a banner nothing is rewritten: bytes pass as
/// they are, and the window only keeps book of them (``note(_:)``). With one, whatever addresses rows is moved down, and the rest
/// passes. What would scroll the program's first row away, or touches scrollback, is done with the banner *lifted*: in one
/// synchronized update the program's rows go back to where they would be without it, the bytes pass, and at the end of the batch
/// the banner stands again. So lines reach the terminal's own scrollback as that terminal does it, and no banner ever does.
///
///     hidden ──show──► shown ──lift──► lifted ──finishBatch──► shown
///        └──────hide────┴───────hide──────┘
///
/// It reads no clock and touches no terminal: bytes come in, and go out.
package struct OutputRewriter: ~Copyable {
  /// What showing a banner has to wait for.
  package enum Readiness: Hashable, Sendable {
    case ready
    /// The cursor's place is unknown: the window must ask the terminal, then call ``cursorReported(row:column:)``.
    case needsCursor
    /// The program is inside a control string or a sequence, into which nothing may be put.
    case notAtGround
  }

  /// The program's terminal.
  public internal(set) var screen: Screen
  /// The real terminal's rows.
  public internal(set) var rows: Int
  public internal(set) var columns: Int

  /// The banner that is to stand on the terminal.
  var banner: BannerRows?
  var primaryPlacement = Placement.hidden
  var alternatePlacement = Placement.hidden
  /// The offset at which the terminal saved the program's cursor, for each screen.
  var primarySavedOffset = 0
  var alternateSavedOffset = 0
  /// The terminal changed its size while the primary screen did not show: that has its old one here.
  var isPrimarySizeOld = false
  /// And another width, to which it may have wrapped text anew.
  var isPrimaryWidthOld = false
  var isPrimaryNarrower = false
  /// The screen that shows is the primary one again, on which the terminal has moved everything by an unknown distance.
  var isMoved = false
  /// How far, once the terminal has said where its cursor is.
  var distance = 0

  var parser = VTParser()
  /// The beginning of a control sequence whose end has not come.
  var tail: [UInt8] = []
  /// What is being rewritten, and how much of it has gone out.
  var input: [UInt8] = []
  var passed = 0
  /// Where the last item ended.
  var itemEnd = 0
  var output: [UInt8] = []
  /// The terminal got the beginning of a sequence, or a control string, that the next item cuts off.
  var isUnfinished = false
  /// The last item was a control string without its terminator.
  var wasCutOff = false
  var queries: [TerminalQuery] = []
  /// A synchronized update of the window's own is open.
  var isUpdating = false
  /// Boxes that are to stand over the program's screen, the backmost first, and those that do now. What the program writes passes
  /// without them.
  var overlays: [Overlay] = []
  var covering: [Overlay] = []
  /// What passed since the boxes were taken away, in bytes.
  var uncoveredBytes = 0
  /// So much passes, below boxes that are away, that it is noted and not drawn.
  var isFlooding = false
  private var backlog = Backlog()

  package init(rows: Int, columns: Int) {
    self.rows = rows
    self.columns = columns
    screen = Screen(rows: rows, columns: columns)
    screen.beginLine()
  }

  /// Where the active screen is.
  var placement: Placement {
    get { screen.isAlternate ? alternatePlacement : primaryPlacement }
    set { if screen.isAlternate { alternatePlacement = newValue } else { primaryPlacement = newValue } }
  }

  /// The rows of the program's terminal.
  package var programRows: Int { rows - (banner?.height ?? 0) }

  package var isShown: Bool { banner != nil }

  /// Bytes may pass as they are, if they are given to ``note(_:)``.
  package var isTransparent: Bool { hasNoBanner && overlays.isEmpty && covering.isEmpty }

  var hasNoBanner: Bool { banner == nil && primaryPlacement == .hidden && alternatePlacement == .hidden }

  /// Something that is to be on the screen is away, and ``finishBatch(into:)`` brings it.
  package var isLifted: Bool { placement.isLifted || isShowDue || isMoved || isUncovered }

  /// The program came back to a screen that has no banner yet, since its cursor's place is unknown.
  var isShowDue: Bool { banner != nil && placement == .hidden }
}

// MARK: - Without a banner

extension OutputRewriter {
  /// Keeps book of bytes that passed as they are.
  package mutating func note(_ bytes: [UInt8]) {
    backlog.append(bytes) { screen.skim($0) }
  }

  /// Whether ``settle()`` has anything to do; best when output has paused.
  package var hasBacklog: Bool { !backlog.isEmpty }

  /// Something else had the terminal meanwhile, and may have left anything on it.
  package mutating func forgetScreen() {
    settle()
    screen.forget()
    covering = []
  }

  /// Draws what was noted.
  package mutating func settle() {
    for chunk in backlog.take() { screen.write(chunk) }
    if isFlooding, screen.isGround { isFlooding = false }
    if hasNoBanner, isPrimarySizeOld { takeNewSize() }
  }
}

// MARK: - With a banner

extension OutputRewriter {
  /// Rewrites what the program wrote. What is incomplete at its end waits for the rest.
  package mutating func rewrite(_ bytes: [UInt8], into result: inout [UInt8]) {
    swap(&output, &result)
    defer { swap(&output, &result) }
    uncover()
    uncoveredBytes += bytes.count
    if passesFlood() {
      output += bytes
      return note(bytes)
    }
    input = tail + bytes
    passed = 0
    itemEnd = 0
    let whole = input
    var parser = parser
    let consumed = parser.parse(whole.span, from: 0, &self)
    self.parser = parser
    begin(consumed..<consumed)
    wasCutOff = isUnfinished
    pass(upTo: consumed)
    tail = Array(input[consumed...])
    input = []
  }

  /// Puts a lifted banner back. Call when no more output waits, or it has been away for as long as a frame.
  ///
  /// It stays lifted where ``readiness()`` is not ``Readiness/ready``.
  package mutating func finishBatch(into result: inout [UInt8]) {
    settle()
    guard !isFlooding, parser.isGround, screen.isCursorKnown || !placement.isLifted else { return }
    guard screen.isCursorKnown || !isMoved else { return }
    swap(&output, &result)
    followMove()
    if placement.isLifted {
      lower()
    } else if isShowDue, screen.isCursorKnown, tail.isEmpty {
      showActive()
    }
    coverIfPossible()
    endUpdate()
    swap(&output, &result)
  }

  /// What a program asked of the terminal since this was called last.
  package mutating func takeQueries() -> [TerminalQuery] {
    defer { queries = [] }
    return queries
  }

  /// What the terminal's answers and the mouse have to be seen through.
  package var surroundings: InputContext {
    var surroundings = InputContext()
    surroundings.offset = placement.inset
    surroundings.programRows = programRows
    surroundings.mouseTracking = screen.modes.mouseTracking
    surroundings.mouseEncoding = screen.modes.mouseEncoding
    surroundings.reportsResize = screen.modes.reportsResize
    return surroundings
  }

  /// Hands on the input before `index` as it is.
  mutating func pass(upTo index: Int) {
    if index > passed { output += input[passed..<index] }
    passed = max(passed, index)
  }

  /// Leaves an item of the input out; the caller writes a sequence for it.
  mutating func drop(_ range: Range<Int>) {
    pass(upTo: range.lowerBound)
    passed = max(passed, range.upperBound)
  }

  /// Leaves an item of the input out, and what comes next must not be taken for a part of what came before: of a sequence, a
  /// control string or a character that the program left unfinished. CAN ends any of them.
  mutating func omit(_ range: Range<Int>) {
    drop(range)
    if isUnfinished || (output.last ?? 0) >= 0x80 { output.append(0x18) }
    isUnfinished = false
  }
}
