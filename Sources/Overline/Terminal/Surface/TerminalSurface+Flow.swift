/// Lifts and lowers the banner with motions relative to the cursor, and without margins.
///
/// A terminal may change its size before it handles these bytes. It moves its text and its cursor together, so relative motions still reach
/// the right rows; absolute ones would overwrite lines that came back from the scrollback. Without margins all terminals mark soft wraps.
///
/// Only output that addresses no row passes then (``Placement/flowing(rows:)``); before any other the banner is lowered.
extension TerminalSurface {
  /// Whether the program's margins are the whole primary screen. The terminal then has no margins below a shown banner either.
  var isUnrestricted: Bool {
    !screen.isAlternate && screen.margins.top == 0 && screen.margins.bottom == screen.rows - 1 && !screen.modes.isOrigin
      && !screen.modes.hasLeftRightMargins
  }

  /// The number of times in a batch that the banner is lifted with relative motions. Each time repaints the screen twice, and a full-screen
  /// program often moves to a row.
  private static var maximumFlows: Int { 4 }

  /// The terminal's row of the cursor, from 1, while output flows and its first line feed has used the row of the banner; nil at any other time.
  package var flowRow: Int? { placement == .flowing(rows: 1) ? screen.cursor.row + 2 : nil }

  /// Lifts the banner before output that scrolls.
  mutating func liftToScroll() {
    guard placement.isShown, isUnrestricted, endedFlows < Self.maximumFlows else { return lift() }
    guard isPrintable else { return liftUnknownRows() }
    let height = placement.offset
    beginPainting()
    // In a narrower terminal that has broken the banner, the output begins in the row below the second part: see ``moveToBannerRow()``.
    if height == 1 {
      moveToBannerRow()
      setAutowrap(screen.modes.isAutowrap)
    } else {
      moveUp(by: screen.cursor.row + height)
    }
    placement = .flowing(rows: height)
    eraseScreen()
    takeOverBannerRow()
    printFlowingRows()
  }

  /// Lifts the banner from rows that are not all known. The unknown ones go to the scrollback. The output then meets no margins: with them VTE
  /// would mark no soft wraps.
  private mutating func liftUnknownRows() {
    lift()
    // Without line feeds, output begins to flow in the row above the last one. A terminal that does not rewrap has no soft wraps to mark.
    guard isPrintable, screen.tables.traits.reflows, case .lifted(let height) = placement else { return }
    placement = .flowing(rows: height)
    beginPainting()
    output.append("\u{1b}[r")
    endPainting()
  }

  mutating func lowerFlow() {
    guard case .flowing(let height) = placement else { return }
    beginPainting()
    let below = screen.rows - 1 - screen.cursor.row
    if below > 0 { output.appendCSI(below, final: UInt8(ascii: "B")) }
    // Rows above the program's go to the scrollback.
    output.append(contentsOf: repeatElement(0x0a, count: height))
    output.append("\r")
    output.appendCSI(screen.rows - 1 + height, final: UInt8(ascii: "A"))
    placement = .shown(rows: height)
    overhang = 0
    eraseScreen(isRowOfProgram: true)
    setAutowrap(false)
    noteBannerCells()
    for row in banner?.rows ?? [] {
      output += row
      output.append("\u{1b}[m\r\n")
    }
    setAutowrap(screen.modes.isAutowrap)
    printFlowingRows()
  }

  /// Puts the banner back that output has lifted or printed over while it scrolled.
  mutating func endScrolling() { if placement.isFlowing { lowerFlow() } else { endScroll() } }

  /// Erases the screen; the cursor is in the first row and column. ED begins in column 2, since tmux saves a screen that is erased from
  /// column 1. ED, unlike EL, also ends kitty's wraps in the rows below. ECH erases column 1: in tmux, EL there would end a line that
  /// continues from the scrollback.
  ///
  /// - Parameter isRowOfProgram: whether the terminal shows the program's first row there. ED leaves its mark. From the row below, ED 1
  ///   takes it away, and the wrap from the scrollback with it. In tmux that row's cells count in the banner's row from now on.
  mutating func eraseScreen(isRowOfProgram: Bool = false) {
    if isRowOfProgram {
      active.bannerCells = screen.grid[0].used
      if screen.grid[0].mark != 0, !screen.grid.isContinuedAtTop { output.append("\u{1b}[B\u{1b}[1J\u{1b}[A") }
    }
    eraseFirstRowWhole()
    output.append("\u{1b}[2G\u{1b}[0J\r\u{1b}[X")
  }

  /// Erases the cursor's row, the terminal's first one, with the length that the banner gave it. Not if it continues a line from the scrollback:
  /// EL 2 would end that.
  mutating func eraseFirstRowWhole() {
    guard screen.tables.traits.countsErasedCells, !screen.grid.isContinuedAtTop else { return }
    output.append("\u{1b}[2K")
    active.bannerCells = 0
  }

  /// Call this when the program's first row is printed where the banner was. If the row continues a line from the scrollback, tmux counts the
  /// banner's erased cells in that line: ``eraseFirstRowWhole()`` has not erased them.
  mutating func takeOverBannerRow() {
    guard screen.tables.traits.countsErasedCells, screen.grid.isContinuedAtTop else { return }
    screen.grid.materialize(0, upTo: min(active.bannerCells, screen.columns))
  }

  /// Prints the program's rows from the cursor on, and ends painting.
  private mutating func printFlowingRows() { endPainting(inRow: appendFlowingRows()) }

  /// Prints the program's rows from the cursor on, over erased ones. Rows that do not fit scroll.
  ///
  /// - Returns: the last printed row, where the cursor is.
  mutating func appendFlowingRows() -> Int {
    let last = max(screen.cursor.row, (0..<screen.rows).last { !screen.isBlank(row: $0) } ?? 0)
    let isAutowrap = screen.modes.isAutowrap
    if !isAutowrap { output.append("\u{1b}[?7h") }
    screen.encodeRows(through: last, into: &output)
    if !isAutowrap { output.append("\u{1b}[?7l") }
    return last
  }
}
