/// What the terminal shows: the program's rows, a banner above them, and boxes over them.
///
/// The program's terminal is lower than the real one by the banner's rows. The surface moves the program's rows when the banner comes and
/// goes, when output scrolls, and when the terminal changes its size. It writes the bytes for that to its ``output``, in one synchronized
/// update. ``OutputRewriter`` adds the program's own bytes in between.
///
///     hidden ──show──► shown ──lift──► lifted, flowing ──finishBatch──► shown
///        │               └────line feed────► scrolling ──finishBatch──► shown
///        └──────hide────┴───────hide──────┘
///
/// It reads no clock and touches no terminal.
package struct TerminalSurface: ~Copyable {
  /// The program's terminal.
  package internal(set) var screen: Screen
  /// The real terminal's rows.
  package internal(set) var rows: Int
  package internal(set) var columns: Int

  /// The wanted banner.
  var banner: BannerRows?
  var primary = PlacedScreen()
  var alternate = PlacedScreen()
  var missed = MissedResize()
  var overlays = Overlays()

  var output: [UInt8] = []
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
  init(rows: Int, columns: Int, terminal: TerminalCapabilities?) {
    self.rows = rows
    self.columns = columns
    screen = Screen(rows: rows, columns: columns)
    if let terminal { adopt(terminal) }
    screen.beginLine()
  }

  /// Notes what the terminal does, also when it has told its name later.
  package mutating func adopt(_ terminal: TerminalCapabilities) {
    settle()
    screen.tables.adopt(terminal)
  }

  /// Whether it is known what the terminal does at the right margin.
  package var knowsTheMargin: Bool { screen.tables.margin.isCertain }
}

// MARK: - State

extension TerminalSurface {
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

  var hasNoBanner: Bool { banner == nil && primary.placement == .hidden && alternate.placement == .hidden }

  /// True when the visible screen has no banner yet, because its cursor's place is unknown.
  var isShowDue: Bool { banner != nil && placement == .hidden }

  /// True while a banner or a box is missing from the screen, and ``OutputRewriter/finishBatch(into:)`` must put it back.
  package var isLifted: Bool { placement.isBannerMissing || isShowDue || missed.isMoved || isUncovered }

  /// True while the banner's row shows a row of the program, because output scrolls in place.
  package var isScrolledInPlace: Bool { placement == .scrolling }

  /// True if this batch of output has scrolled in place.
  package var hasScrolledInPlace: Bool { scroll.hasBegun }

  /// True while the program's rows are where they would be without a banner, because output scrolls.
  package var isBannerLifted: Bool { placement.isLifted }

  /// True while this batch of output needs an ``OutputRewriter/finishBatch(into:)``: a banner or a box is missing, or the window's
  /// synchronized update is open, during which the terminal shows nothing new.
  package var isBatchOpen: Bool { isLifted || isUpdating || endedFlows > 0 }

  /// True if this batch of output has lifted the banner, or printed a row of the program over it.
  package var hasLifted: Bool { isBannerLifted || scroll.hasBegun || endedFlows > 0 }

  /// The terminal's row of the cursor, from 1.
  package var cursorRow: Int { screen.cursor.row + placement.offset + 1 }

  /// True while the primary screen shows a banner that the terminal has moved by an unknown distance.
  package var isBannerMoved: Bool { missed.isMoved && missed.distance == nil }

  /// Whether lines that leave the program's first row must reach the scrollback.
  var keepsFirstRow: Bool { placement.isShown && !screen.isAlternate && !missed.isMoved }

  /// The offset of a cursor report. Under origin mode it counts from the margins, which are already the program's.
  var reportedOffset: Int { screen.modes.isOrigin ? 0 : placement.offset }

  /// The terminal's row of a cursor report, from 1. In origin mode a terminal counts from its top margin. kitty reports a cursor that is
  /// behind the last column as the first column of the next row.
  package func row(ofReport row: Int, column: Int) -> Int {
    let isWrapped = screen.isCursorKnown && screen.cursor.isWrapPending && column == 1
    return row + screen.origin.top + placement.offset - reportedOffset - (isWrapped ? 1 : 0)
  }
}

// MARK: - Output that passes unchanged

extension TerminalSurface {
  /// Notes bytes that passed unchanged.
  package mutating func note(_ bytes: [UInt8]) {
    backlog.append(bytes) { screen.skim($0) }
  }

  /// The bytes that ``settle()`` draws. Best called when output has paused.
  package var backlogSize: Int { backlog.count }

  /// Draws the noted bytes.
  package mutating func settle() {
    screen.doubtsMargins = true
    backlog.drain { screen.write($0) }
    if screen.isGround { overlays.endFlood() }
    if hasNoBanner, missed.isSizeOld { takeNewSize() }
  }

  /// Forgets the screen: another process has used the terminal, and its content is unknown.
  ///
  /// - Parameter isLineEnded: whether that process has ended its line, as a shell does.
  package mutating func forgetScreen(isLineEnded: Bool = false) {
    settle()
    screen.forget()
    if isLineEnded, !screen.isAlternate { screen.beginLine() }
    missed.distance = nil
    scroll.endBatch()
    switch placement {
    case .flowing(let height): placement = .lifted(rows: height)
    case .scrolling: placement = .shown(rows: 1)
    case .hidden, .shown, .lifted: break
    }
    (endedFlows, overhang) = (0, 0)
    overlays.uncover()
  }
}

// MARK: - Batches of output

extension TerminalSurface {
  /// Call this before output of the program passes: it may move the cursor or scroll, and it would write over boxes.
  ///
  /// - Parameter isAtGround: whether the terminal is between two sequences.
  mutating func beginOutput(isAtGround: Bool) {
    // The reported distance no longer holds once output has passed.
    if missed.distance != nil, isAtGround, !overlays.isFlooding { followMove() }
    uncover()
    screen.doubtsMargins = placement == .hidden
  }

  /// Puts a lifted banner and the boxes back, if the cursor's place is known.
  ///
  /// - Parameter isAtGround: whether the terminal is between two sequences, so that a banner that is due can be shown.
  mutating func finishBatch(isAtGround: Bool) {
    guard screen.isCursorKnown || !placement.isBannerMissing && !missed.isMoved else { return }
    endedFlows = 0
    followMove()
    endScroll()
    scroll.endBatch()
    if placement.isLifted {
      lower()
    } else if isShowDue, screen.isCursorKnown, isAtGround {
      showActive()
    }
    coverIfPossible()
    endUpdate()
  }

  /// Ends every synchronized update, so that the terminal shows and answers what it has received. When the program ends its own later, the
  /// terminal ignores that.
  package mutating func endUpdates(into result: inout [UInt8]) {
    guard isUpdating || screen.modes.isSynchronized else { return }
    isUpdating = false
    result += "\u{1b}[?2026l".utf8
  }
}
