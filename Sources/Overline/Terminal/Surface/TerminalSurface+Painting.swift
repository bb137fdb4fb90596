/// Writes the window's own text between the program's bytes, then restores the state that the program has set.
extension TerminalSurface {
  /// Opens a synchronized update (mode 2026; other terminals ignore it), unless the program's own is open: updates do not nest.
  mutating func beginUpdate() {
    if isUpdating || screen.modes.isSynchronized { return }
    isUpdating = true
    output.append("\u{1b}[?2026h")
  }

  mutating func endUpdate() {
    guard isUpdating else { return }
    isUpdating = false
    // The program may have begun its own update meanwhile, which continues.
    if !screen.modes.isSynchronized { output.append("\u{1b}[?2026l") }
  }

  /// Resets all modes that would affect the window's own text. Nothing is saved with DECSC, since the saved cursor belongs to the program.
  mutating func beginPainting() {
    beginUpdate()
    let modes = screen.modes
    if modes.isOrigin { output.append("\u{1b}[?6l") }
    if modes.isInsert { output.append("\u{1b}[4l") }
    if modes.hasLeftRightMargins { output.append("\u{1b}[?69l") }
    // Protection by SPA would keep the window from erasing (ED, EL): choose the other kind.
    if screen.brush.protection == .guarded || screen.pen.attributes.contains(.protected) {
      output += Protection.select(isOn: false)
    }
    if !screen.charsets.isPlain { output.append("\u{f}\u{1b}(B") }
    if screen.link != nil { output.append("\u{1b}]8;;\u{1b}\\") }
    output.append("\u{1b}[m")
  }

  /// Restores the program's state, the cursor last.
  ///
  /// - Parameter distance: after a change of size, the number of rows by which the terminal shows everything lower than the program
  ///   assumes.
  mutating func endPainting(resetMargins: Bool = false, movedBy distance: Int = 0) {
    if resetMargins { appendMargins() }
    restoreState { $0.appendCursor(movedBy: distance) }
  }

  /// The same, with motions relative to the terminal's cursor, which is in this row of the program.
  mutating func endPainting(inRow row: Int) { restoreState { $0.appendCursor(from: row) } }

  private mutating func restoreState(_ appendCursor: (inout TerminalSurface) -> Void) {
    let modes = screen.modes
    if modes.hasLeftRightMargins {
      output.append("\u{1b}[?69h")
      output.appendCSI(screen.margins.left + 1, screen.margins.right + 1, final: UInt8(ascii: "s"))
    }
    if modes.isInsert { output.append("\u{1b}[4h") }
    if modes.isOrigin { output.append("\u{1b}[?6h") }
    appendCursor(&self)
    if !screen.charsets.isPlain { screen.charsets.encode(into: &output) }
    screen.encodePen(into: &output)
  }

  /// DECSTBM for the program's margins at the current offset. Homes the cursor.
  mutating func appendMargins() {
    let offset = placement.offset
    let isWhole = screen.margins.top == 0 && screen.margins.bottom == screen.rows - 1
    if isWhole, placement == .hidden || placement.isShown && isUnrestricted {
      output.append("\u{1b}[r")
    } else {
      output.appendMargins(top: screen.margins.top + offset, bottom: screen.margins.bottom + offset)
    }
  }

  /// Moves the cursor to the program's place. Any motion loses a pending wrap, so the last grapheme is printed again.
  ///
  /// Where terminals disagree about the columns of the text before the cursor, that text is printed again: it leads to the place.
  mutating func appendCursor(movedBy distance: Int = 0) {
    if followsText {
      appendCursorPosition(row: screen.cursor.row + distance, column: 0)
      return appendTextBeforeCursor()
    }
    appendCursorPosition(row: screen.cursor.row + distance, column: cursorColumn)
    appendPendingWrap()
  }

  private var followsText: Bool {
    let row = screen.cursor.row
    return screen.cursor.disputes > 0 && screen.cursor.column > 0 && !screen.cursor.isWrapPending
      && screen.isKnown(row: row) && screen.charsets.isPlain && screen.link == nil && !screen.modes.hasLeftRightMargins
      && !overlays.covering.contains { $0.rowRange.contains(row) }
  }

  private mutating func appendTextBeforeCursor() {
    let isInsert = screen.modes.isInsert
    if isInsert { output.append("\u{1b}[4l") }
    output.append("\u{1b}[m")
    screen.encode(row: screen.cursor.row, upTo: screen.cursor.column, into: &output)
    if isInsert { output.append("\u{1b}[4h") }
    screen.encodePen(into: &output)
  }

  /// The same from a row below the program's cursor or its own, with relative motions.
  mutating func appendCursor(from row: Int) {
    if row > screen.cursor.row { output.appendCSI(row - screen.cursor.row, final: UInt8(ascii: "A")) }
    if followsText {
      output.append("\r")
      return appendTextBeforeCursor()
    }
    output.appendCSI(cursorColumn + 1, final: UInt8(ascii: "G"))
    appendPendingWrap()
  }

  /// Moves the terminal's cursor to the program's place, after another process has moved it.
  package mutating func returnCursor(into result: inout [UInt8]) {
    swap(&output, &result)
    appendCursor()
    swap(&output, &result)
  }

  /// The column where the last grapheme begins if a wrap is pending.
  private var cursorColumn: Int {
    let cursor = screen.cursor
    let isWide = cursor.isWrapPending && screen.cell(row: cursor.row, column: cursor.column).width == 0
    return isWide ? cursor.column - 1 : cursor.column
  }

  private mutating func appendPendingWrap() {
    let cursor = screen.cursor
    guard cursor.isWrapPending else { return }
    output.append("\u{1b}[m")
    screen.encodeGrapheme(row: cursor.row, column: cursor.column, into: &output)
    screen.encodePen(into: &output)
  }

  /// CUP to a place of the program. Under origin mode program and terminal both count from the margins, and the terminal has the program's
  /// margins.
  mutating func appendCursorPosition(row: Int, column: Int) {
    if screen.modes.isOrigin {
      let left = screen.modes.hasLeftRightMargins ? screen.margins.left : 0
      output.appendCursorPosition(row: max(0, row - screen.margins.top), column: max(0, column - left))
    } else {
      output.appendCursorPosition(row: row + placement.offset, column: column)
    }
  }

  /// Whether the terminal can be asked for its width: the cursor can be put back where it is.
  package var canAskWidth: Bool {
    isUnrestricted && screen.isCursorKnown && !screen.cursor.isWrapPending && screen.cursor.disputes == 0
  }

  /// CPR: asks for the cursor's place; for the last column instead of the cursor's if possible and wanted.
  package func askPlace(withWidth: Bool, into result: inout [UInt8]) {
    guard withWidth, canAskWidth else { return result.append("\u{1b}[6n") }
    result.append("\u{1b}[999C\u{1b}[6n")
    result.appendCSI(screen.cursor.column + 1, final: UInt8(ascii: "G"))
  }

  /// Prints the banner's rows over the terminal's first rows, between ``beginPainting()`` and ``endPainting(resetMargins:)``.
  mutating func appendBanner() {
    guard let banner else { return }
    setAutowrap(false)
    noteBannerCells()
    for (row, bytes) in banner.rows.enumerated() {
      output.appendCursorPosition(row: row, column: 0)
      output += bytes
    }
    output.append("\u{1b}[m")
    setAutowrap(screen.modes.isAutowrap)
  }

  /// Call this when the banner's text is printed.
  mutating func noteBannerCells() {
    active.bannerCells = max(active.bannerCells, banner?.printedColumns ?? 0)
  }

  /// On the alternate screen, a sequence that erases or resets also erases the banner: paint it again.
  mutating func appendBannerIfShown() { if placement.isShown { appendBanner() } }

  /// In a terminal that has become narrower, a row that was laid out for the old width must not wrap onto the next one.
  mutating func setAutowrap(_ isOn: Bool) { output.append(isOn ? "\u{1b}[?7h" : "\u{1b}[?7l") }

  /// Paints only the banner; the rest of the screen and the margins are already correct.
  mutating func repaintBanner() {
    beginPainting()
    appendBanner()
    endPainting()
  }
}
