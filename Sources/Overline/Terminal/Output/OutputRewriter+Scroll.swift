/// Scrolls a few lines in place: the program's rows stay below the banner's rows.
///
/// The terminal saves the row that leaves at its top. So before a line feed in the last row, the program's first row is printed over the
/// banner's first one, and after the batch the banner is printed again.
///
/// The terminal may have lost rows before it handles these bytes. It has then saved the banner and the program's first rows itself, and a
/// motion up to them ends in the terminal's first row. So all rows are printed again from the top to the cursor, each with a motion relative
/// to the cursor: the row that belongs in the terminal's first row is printed there last. No motion scrolls, so no row is saved twice.
extension OutputRewriter {
  /// Call this before a line feed that makes the program's first row leave.
  mutating func prepareLineFeed() {
    guard case .shown(let height) = placement, scroll.isAllowed, isUnrestricted, isPrintable, !hasEndedFlow,
      !screen.isTopWrapped
    else { return liftToScroll() }
    scroll.begin()
    beginPainting()
    setAutowrap(false)
    let distance = screen.cursor.row + height
    beginBannerRow(up: distance)
    screen.encode(erasedRow: 0, into: &output)
    endRow(down: distance)
    printRowsInPlace()
  }

  /// Prints the banner over its rows again.
  mutating func endScroll() {
    guard scroll.isActive else { return }
    scroll.isActive = false
    guard let banner, placement.isShown else { return }
    beginPainting()
    setAutowrap(false)
    for (row, bytes) in banner.rows.enumerated() {
      let distance = screen.cursor.row + banner.height - row
      beginBannerRow(up: distance)
      output += bytes
      output.append("\u{1b}[m")
      endRow(down: distance)
    }
    printRowsInPlace()
  }

  /// Call this when the terminal has lost rows before output scrolled in place: the banner is in the scrollback, and so may be some of the
  /// program's rows. A banner is due.
  ///
  /// - Parameter lost: the number of rows that the terminal had lost.
  package mutating func loseBanner(rows lost: Int) {
    guard let banner, placement.isShown, !screen.isAlternate, lost >= banner.height, lost < rows else { return }
    let pushed = min(lost - banner.height, screen.rows - 1)
    if pushed > 0 { screen.removeRows(top: pushed) }
    screen.grid.keepHistory(pushed + scroll.savedRows)
    rows -= lost
    fitScreenRows(rows)
    placement = .hidden
  }

  /// Prints the program's rows above the cursor's over themselves, and ends painting.
  private mutating func printRowsInPlace() {
    let last = screen.cursor.row
    for row in 0..<last {
      beginRow(up: last - row)
      if screen.isFull(row: row) {
        setAutowrap(true)
        screen.encode(erasedRow: row, into: &output)
        // The next row's first character makes the terminal wrap here.
        screen.encodeGrapheme(row: row + 1, column: 0, into: &output)
        setAutowrap(false)
        endRow(down: last - row - 1)
      } else {
        screen.encode(erasedRow: row, into: &output)
        endRow(down: last - row)
      }
    }
    setAutowrap(screen.modes.isAutowrap)
    endPainting(inRow: last)
  }

  /// Moves up from the cursor's row and erases that row, except its wrap: tmux ends a line that continues from the row above if EL erases
  /// column 1.
  private mutating func beginRow(up distance: Int) {
    output.append("\r")
    output.appendCSI(distance, final: UInt8(ascii: "A"))
    output.append("\u{1b}[2G\u{1b}[K\r\u{1b}[X")
  }

  /// Does the same for one of the banner's rows.
  ///
  /// A terminal that has become narrower may have broken the banner in two, and saved the first part. A row that is printed over the second
  /// part would continue the first. So two spaces are printed in the last two columns of the row below, and the motion from there goes to the
  /// row above: in a narrower terminal the second space wraps, and the row is printed one row lower, where all is printed again anyway. The
  /// terminal then saves the second part instead of the program's first row, and that row remains where the banner was.
  private mutating func beginBannerRow(up distance: Int) {
    guard screen.tables.breaksErasedCells, banner?.height == 1, screen.cursor.row > 1, columns > 2 else {
      return beginRow(up: distance)
    }
    output.append("\r")
    output.appendCSI(distance - 1, final: UInt8(ascii: "A"))
    output.appendCSI(columns - 1, final: UInt8(ascii: "G"))
    setAutowrap(true)
    output.append("  ")
    setAutowrap(false)
    beginRow(up: 1)
  }

  /// Returns to the cursor's row.
  private mutating func endRow(down distance: Int) {
    output.append("\r")
    if distance > 0 { output.appendCSI(distance, final: UInt8(ascii: "B")) }
  }

  /// While rows are printed over themselves, text must not wrap that does not fit in a terminal that has become narrower.
  private mutating func setAutowrap(_ isOn: Bool) { output.append(isOn ? "\u{1b}[?7h" : "\u{1b}[?7l") }
}

/// The state of a batch of output that scrolls in place.
struct ScrollInPlace {
  /// A batch that would print more cells than this lifts the banner instead, which costs the same for any number of lines.
  private static let maximumCells = 64 << 10
  /// A flood lifts the banner too: its batch ends at a pause, and not after each read.
  private static let maximumSize = 1 << 10

  /// True while one of the program's rows is where the banner was.
  var isActive = false
  /// The number of rows that the terminal has saved during the batch, or during the last one that scrolled in place.
  private(set) var savedRows = 0
  /// Whether the batch is small enough.
  private(set) var isAllowed = true
  private var lines = 0

  /// Notes a row that the terminal is about to save.
  mutating func begin() {
    savedRows = isActive ? savedRows + 1 : 1
    isActive = true
  }

  mutating func endBatch() { (isActive, lines) = (false, 0) }

  /// Notes output that is about to pass.
  ///
  /// - Parameter cells: the number of cells of the screen.
  mutating func expect(_ bytes: [UInt8], cells: Int) {
    let maximum = Self.maximumCells / max(1, cells)
    for byte in bytes where byte == 0x0a && lines <= maximum { lines += 1 }
    isAllowed = bytes.count <= Self.maximumSize && lines <= maximum
  }
}
