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
  var primary = PlacedScreen()
  var alternate = PlacedScreen()
  var missed = MissedResize()
  var overlays = Overlays()

  var stream = ProgramStream()
  var output: [UInt8] = []
  var queries: [TerminalQuery] = []
  /// A synchronized update of the window's own is open.
  var isUpdating = false
  private var backlog = Backlog()

  package init(rows: Int, columns: Int) {
    self.rows = rows
    self.columns = columns
    screen = Screen(rows: rows, columns: columns)
    screen.beginLine()
  }

  /// The screen that shows.
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

  /// Bytes may pass as they are, if they are given to ``note(_:)``.
  package var isTransparent: Bool { hasNoBanner && overlays.isEmpty }

  var hasNoBanner: Bool { banner == nil && primary.placement == .hidden && alternate.placement == .hidden }

  /// Something that is to be on the screen is away, and ``finishBatch(into:)`` brings it.
  package var isLifted: Bool { placement.isLifted || isShowDue || missed.isMoved || isUncovered }

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
    overlays.uncover()
  }

  /// Draws what was noted.
  package mutating func settle() {
    for chunk in backlog.take() { screen.write(chunk) }
    if screen.isGround { overlays.endFlood() }
    if hasNoBanner, missed.isSizeOld { takeNewSize() }
  }
}

// MARK: - With a banner

extension OutputRewriter {
  /// Rewrites what the program wrote. What is incomplete at its end waits for the rest.
  package mutating func rewrite(_ bytes: [UInt8], into result: inout [UInt8]) {
    swap(&output, &result)
    defer { swap(&output, &result) }
    uncover()
    if passesFlood(bytes.count) {
      output += bytes
      return note(bytes)
    }
    stream.append(bytes)
    let whole = stream.bytes
    var parser = stream.parser
    let consumed = parser.parse(whole.span, from: 0, &self)
    stream.parser = parser
    stream.finish(at: consumed, into: &output)
  }

  /// Puts a lifted banner back. Call when no more output waits, or it has been away for as long as a frame.
  ///
  /// It stays lifted where ``readiness()`` is not ``Readiness/ready``.
  package mutating func finishBatch(into result: inout [UInt8]) {
    settle()
    guard !overlays.isFlooding, stream.parser.isGround, screen.isCursorKnown || !placement.isLifted else { return }
    guard screen.isCursorKnown || !missed.isMoved else { return }
    swap(&output, &result)
    followMove()
    if placement.isLifted {
      lower()
    } else if isShowDue, screen.isCursorKnown, stream.isGround {
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
    surroundings.columns = columns
    surroundings.mouseTracking = screen.modes.mouseTracking
    surroundings.mouseEncoding = screen.modes.mouseEncoding
    surroundings.reportsResize = screen.modes.reportsResize
    return surroundings
  }
}
