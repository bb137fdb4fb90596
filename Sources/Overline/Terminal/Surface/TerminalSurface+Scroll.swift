/// Scrolls a few lines in place: the program's rows stay below a banner of one row.
///
/// The terminal saves the row that scrolls out at its top. Before a line feed in the last row, the surface prints the program's first row
/// over the banner. After the batch it prints the banner again.
///
/// If the terminal has lost rows meanwhile, it has saved the banner and maybe some of the program's rows. A motion to such a row ends in the
/// terminal's first row. So the surface prints all rows above the cursor's in order, each with a motion relative to the cursor: the last one
/// that is printed in the terminal's first row is the one that belongs there. No motion scrolls, so no row is saved twice.
///
/// xterm and urxvt also take a new size between two reads of such bytes, with their cursor above its row: they keep their first rows, which
/// the next bytes overwrite. There a batch scrolls in place only if one read may get all of its bytes, and in xterm none does
/// (``TerminalTraits/maximumInPlace``).
extension TerminalSurface {
  /// Whether the program's rows are below a banner of one row.
  private var isBelowOneRow: Bool { placement.isShown && placement.offset == 1 }

  /// Notes output that is about to pass.
  mutating func expect(_ bytes: [UInt8]) {
    scroll.expect(
      bytes, repaint: screen.repaintBytes, room: screen.margins.bottom - screen.cursor.row,
      limit: screen.tables.traits.maximumInPlace)
  }

  /// Call this before a line feed that scrolls the program's first row out.
  mutating func prepareLineFeed() {
    guard isBelowOneRow, scroll.isAllowed, isUnrestricted, isPrintable, endedFlows == 0,
      !screen.isTopWrapped, !screen.hasMarks
    else { return liftToScroll() }
    scroll.begin()
    placement = .scrolling
    beginPainting()
    setAutowrap(false)
    beginBannerRow()
    screen.encode(erasedRow: 0, into: &output)
    endRow(down: screen.cursor.row + 1)
    printRowsInPlace(above: screen.cursor.row)
  }

  /// Prints the banner over its row again.
  mutating func endScroll() {
    guard placement == .scrolling else { return }
    placement = .shown(rows: 1)
    // The output may have left unknown rows, such as a picture's.
    if isPrintable { printBannerInPlace() } else { repaintBanner() }
  }

  /// Whether the banner and the rows above the cursor's can be printed over themselves. Text below the cursor rules it out: a terminal that becomes
  /// lower drops rows below its cursor first, without saving them.
  var isPrintableInPlace: Bool {
    isBelowOneRow && isUnrestricted && isPrintable && screen.isRowKnown && screen.isBlankBelowCursor
      && overlays.covering.isEmpty
  }

  /// Paints another frame of the banner. The terminal may be changing its size: at an absolute place, the banner would overwrite a line that came
  /// back from the scrollback. A terminal that has just lost rows shows the frame over a row of the program. One step of a drag takes few rows,
  /// so the first few are printed again; printing all would end a selection with the mouse. Where a line has several rows, a wider terminal may
  /// have joined them: then the distance to the banner is not known either.
  mutating func repaintInPlace() {
    if repaintsInPlace { printBannerInPlace(above: min(4, screen.cursor.row)) } else { repaintBanner() }
  }

  /// Whether another frame of the banner is painted where the banner is, also in a terminal that is changing its size.
  package var repaintsInPlace: Bool {
    isPrintableInPlace && !(0..<screen.cursor.row).contains { screen.isWrapped(row: $0) }
  }

  /// Prints the banner over its row again, then the program's rows above the cursor's. In a terminal that has lost rows, the banner is printed
  /// over a row of the program, which needs to be printed again.
  mutating func printBannerInPlace() { printBannerInPlace(above: screen.cursor.row) }

  private mutating func printBannerInPlace(above end: Int) {
    guard let banner else { return }
    beginPainting()
    setAutowrap(false)
    beginBannerRow()
    output += banner.rows.joined()
    noteBannerCells()
    output.append("\u{1b}[m")
    endRow(down: screen.cursor.row + 1)
    printRowsInPlace(above: end)
  }

  /// Erases the terminal from the cursor's row on, and prints a banner of one row there. The program's rows down to its cursor's follow.
  mutating func printAllInPlace() {
    eraseScreen()
    let row = screen.cursor.row
    output.appendCSI(row + 1, final: UInt8(ascii: "B"))
    setAutowrap(false)
    screen.encode(erasedRow: row, into: &output)
    output.append("\r")
    printBannerInPlace()
  }

  /// Call this when the terminal lost rows before output scrolled in place. It has saved the banner and maybe some of the program's rows.
  /// Afterwards no banner is on the screen, and the window must show one again.
  ///
  /// - Parameter lost: the number of rows that the terminal had lost.
  package mutating func loseBanner(rows lost: Int) {
    guard isBelowOneRow, !screen.isAlternate, lost > 0, lost < rows else { return }
    let pushed = min(lost - 1, screen.rows - 1)
    if pushed > 0 { screen.removeRows(top: pushed) }
    screen.grid.keepHistory(pushed + scroll.savedRows)
    rows -= lost
    fitScreenRows(rows)
    placement = .hidden
  }

  /// Prints the program's rows above row `end` over themselves, and ends painting.
  private mutating func printRowsInPlace(above end: Int) {
    let last = screen.cursor.row
    for row in 0..<end { printInPlace(row: row, up: last - row) }
    setAutowrap(screen.modes.isAutowrap)
    endPainting(inRow: last)
  }

  private mutating func printInPlace(row: Int, up distance: Int) {
    beginRow(up: distance)
    screen.encode(erasedRow: row, into: &output)
    let isWrapped = screen.isFull(row: row)
    if isWrapped {
      setAutowrap(true)
      screen.encodeWrap(after: row, into: &output)
      setAutowrap(false)
    }
    endRow(down: isWrapped ? distance - 1 : distance)
  }

  /// Moves up from the cursor's row, and erases the row there. Keeps its wrap from the row above: EL from column 1 would end it in tmux.
  private mutating func beginRow(up distance: Int) {
    moveUp(by: distance)
    output.append("\u{1b}[2G\u{1b}[K\r\u{1b}[X")
  }

  /// Moves the cursor up, into the first column.
  mutating func moveUp(by distance: Int) {
    output.append("\r")
    output.appendCSI(distance, final: UInt8(ascii: "A"))
  }

  /// Moves up from the cursor's row, and erases the banner's row.
  private mutating func beginBannerRow() {
    moveToBannerRow()
    output.append("\u{1b}[2G\u{1b}[K\r\u{1b}[X")
    eraseFirstRowWhole()
  }

  /// Moves up from the cursor's row to that of a banner of one row.
  ///
  /// VTE and Alacritty break the coloured banner in two when they become narrower, and may have saved only the first part. A row that is
  /// printed over the second part would become part of the banner's line. So the surface prints two spaces in the last columns of the row
  /// below the banner, then moves up one row. In a terminal of the old width that is the banner's row. In a narrower one the second space has
  /// wrapped, so it is the row below, which the surface prints again later. The line feed then saves the second part, and the program's row
  /// stays in the terminal's first row until the next line feed or ``resize(rows:columns:cursorRow:narrowest:isCutOff:into:)`` saves it.
  mutating func moveToBannerRow() {
    let distance = screen.cursor.row + 1
    guard screen.tables.traits.findsBrokenRows, distance > 2, columns > 2 else { return moveUp(by: distance) }
    moveUp(by: distance - 1)
    output.appendCSI(columns - 1, final: UInt8(ascii: "G"))
    setAutowrap(true)
    output.append("  ")
    setAutowrap(false)
    moveUp(by: 1)
  }

  /// Returns to the cursor's row.
  private mutating func endRow(down distance: Int) {
    output.append("\r")
    if distance > 0 { output.appendCSI(distance, final: UInt8(ascii: "B")) }
  }
}

/// The state of a batch of output that scrolls in place.
struct ScrollInPlace {
  /// A flood lifts the banner too: its batch ends at a pause, and not after each read.
  private static let maximumSize = 1 << 10
  /// A terminal behind a slow line accepts 5 KB in a second, and the banner is to be away for at most two.
  private static let maximumOfSlowTerminal = 8 << 10
  /// These scroll in place even where they take more bytes.
  private static let fewLines = 8

  /// The rows that the terminal saved in the current batch that scrolls in place, or in the last one.
  private(set) var savedRows = 0
  /// True if the current batch has scrolled in place.
  private(set) var hasBegun = false
  private var isSmall = true
  private var maximum = 0

  /// Whether one more line may scroll in place.
  var isAllowed: Bool { isSmall && (hasBegun ? savedRows : 0) < maximum }

  /// Notes output that is about to pass.
  ///
  /// - Parameters:
  ///   - repaint: the number of bytes that print the screen again. Each line needs them, and the banner at last.
  ///   - room: the number of rows below the cursor's: the first line feeds do not scroll.
  ///   - limit: the most bytes of a batch. For more the surface lifts the banner instead: a lift prints the screen twice, however many lines
  ///     scroll.
  mutating func expect(_ bytes: [UInt8], repaint: Int, room: Int, limit: Int) {
    let quickLines = max(Self.fewLines, Self.maximumOfSlowTerminal / max(1, repaint))
    maximum = min(limit / (repaint + bytes.count) - 1, quickLines)
    isSmall = bytes.count <= Self.maximumSize
    if isSmall, bytes.count(where: { (0x0a...0x0c).contains($0) }) - room > maximum { isSmall = false }
  }

  /// Notes a row that the terminal is about to save.
  mutating func begin() {
    savedRows = hasBegun ? savedRows + 1 : 1
    hasBegun = true
  }

  mutating func endBatch() { hasBegun = false }
}
