/// What is certain. A window that has not followed a program from its start does not know where the cursor is; it takes the row
/// to be the last, as it is in a shell, until something shows.
extension Screen {
  /// A cursor report says where the cursor is. Rows that were drawn while that was uncertain move along.
  package mutating func place(cursorRow row: Int, column: Int) {
    let row = max(0, min(row, rows - 1))
    let column = max(0, min(column, columns - 1))
    if !isRowKnown {
      let distance = cursor.row - row
      if distance != 0 {
        grid.rebuild((0..<rows).map { (0..<rows).contains($0 + distance) ? $0 + distance : nil }, columns: columns)
        for row in 0..<max(0, -distance) { grid[row].isKnown = false }
        if !knowledge.isBlankBelow { for row in rows - max(0, distance)..<rows { grid[row].isKnown = false } }
        saved[kind]?.follow(-distance, since: knowledge.gap)
      }
      knowledge.rowBecameKnown()
    }
    if row != cursor.row || column != cursor.column { cursor = Cursor(row: row, column: column) }
    knowledge.isColumnKnown = true
  }

  /// A program starts in a row that is taken to be empty.
  mutating func beginLine() {
    cursor = Cursor(row: rows - 1, column: 0)
    grid.clear(cursor.row, background: 0)
    knowledge.isColumnKnown = true
  }

  /// Output went by that was not followed: the screen may show anything.
  package mutating func forget() {
    rowBecameUncertain()
    grid.forget()
    knowledge.isMisplaced = false
    knowledge.isColumnKnown = false
    cursor = Cursor(row: rows - 1, column: 0)
  }

  /// Cells change where the cursor is thought to be.
  mutating func noteUncertainChange() {
    if !isRowKnown { knowledge.isMisplaced = true }
    if !isColumnKnown { grid[cursor.row].isKnown = false }
  }

  /// Text is about to be printed.
  @inline(__always)
  mutating func notePrinting() {
    if !isCursorKnown { noteUncertainPrinting() }
  }

  private mutating func noteUncertainPrinting() {
    // It may go on in the next row.
    if isRowKnown, modes.isAutowrap { rowBecameUncertain() }
    noteUncertainChange()
  }

  /// The cursor is a row lower, or still in the last one.
  mutating func noteLineFeed() {
    knowledge.isMisplaced = true
    if !knowledge.isBlankBelow { grid[cursor.row].isKnown = false }
    // Unknown: whether the terminal has scrolled too, or its cursor has moved on from the saved one.
    if cursor.row == margins.bottom { knowledge.beginGap() }
    // What moves it up again may be left out; above a bottom margin that is not the last row it stays.
    guard !isSkimming, margins.bottom == rows - 1 else {
      knowledge.lineFeeds = 0
      return
    }
    knowledge.lineFeeds += 1
    guard knowledge.lineFeeds >= rows, cursor.row == rows - 1 else { return }
    knowledge.rowBecameKnown()
  }

  mutating func rowBecameKnown() {
    guard !isRowKnown else { return }
    // The places of the rows that were drawn in the gap cannot be determined.
    if knowledge.isMisplaced { grid.forget() }
    knowledge.rowBecameKnown()
  }

  mutating func rowBecameUncertain() {
    if isRowKnown {
      knowledge.isBlankBelow = (cursor.row + 1..<max(cursor.row + 1, rows)).allSatisfy { isBlank(row: $0) }
    }
    knowledge.rowBecameUncertain()
  }

  /// The cursor is where it was in another gap.
  ///
  /// - Parameter drawn: when the rows on the screen were drawn.
  mutating func returnToGap(_ old: Int, drawn: Int?) {
    guard drawn == old else {
      grid.forget()
      rowBecameUncertain()
      knowledge.isBlankBelow = false
      return
    }
    knowledge.returnToGap(old)
  }

  /// Something happened whose effect depends on the row, which is uncertain.
  mutating func forgetRows() {
    grid.forget()
    knowledge.lineFeeds = 0
  }

  /// Something was drawn that is not made of cells, and may have moved the cursor: an image.
  mutating func noteForeignDrawing() {
    rowBecameUncertain()
    grid.forget()
    knowledge.isColumnKnown = false
  }
}

extension Screen.SavedCursor {
  /// The rows have moved to where they belong. Restoring clamps.
  fileprivate mutating func follow(_ distance: Int, since gap: Int) {
    guard !isRowKnown, self.gap == gap else { return }
    cursor.row = max(0, cursor.row + distance)
    isRowKnown = true
  }
}
