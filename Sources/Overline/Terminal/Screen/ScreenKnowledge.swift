/// The certainty of the screen's content. A window that has not followed a program from its start does not know the cursor's place. It
/// assumes the last row, as in a shell, until output or a report shows the place.
extension Screen {
  /// Applies a cursor report. Rows that were drawn while the cursor's row was uncertain move with it. A report does not tell whether a wrap
  /// is pending: what was printed since the column was known does.
  package mutating func place(cursorRow row: Int, column: Int) {
    let row = max(0, min(row, rows - 1))
    let column = max(0, min(column, columns - 1))
    if !isRowKnown {
      let distance = cursor.row - row
      if distance != 0 {
        let first = -grid.history
        grid.rebuild((0..<rows).map { (first..<rows).contains($0 + distance) ? $0 + distance : nil }, columns: columns)
        for row in 0..<max(0, first - distance) { grid[row].isKnown = false }
        if !knowledge.isBlankBelow { for row in rows - max(0, distance)..<rows { grid[row].isKnown = false } }
        saved[kind]?.follow(-distance, since: knowledge.gap)
      }
      knowledge.rowBecameKnown()
    }
    let isWrapPending = cursor.isWrapPending && isColumnKnown && column == cursor.column
    let disputes = column == cursor.column ? cursor.disputes : 0
    cursor = Cursor(row: row, column: column, isWrapPending: isWrapPending, disputes: disputes)
    knowledge.isColumnKnown = true
  }

  /// Begins in a row that is assumed to be empty.
  mutating func beginLine() {
    cursor = Cursor(row: rows - 1, column: 0)
    grid.clear(cursor.row, background: 0)
    knowledge.isColumnKnown = true
  }

  /// The terminal is blank, and its cursor at home.
  mutating func beginBlank() {
    for row in 0..<rows { grid.clear(row, background: 0) }
    cursor = Cursor()
    knowledge = Knowledge(isKnown: true)
  }

  /// Forgets the screen: output was not followed, and the screen may show anything.
  package mutating func forget() {
    rowBecameUncertain()
    grid.forget()
    knowledge.isMisplaced = false
    knowledge.isColumnKnown = false
    cursor = Cursor(row: rows - 1, column: 0)
  }

  /// Notes that cells change at the assumed place of the cursor.
  mutating func noteUncertainChange() {
    if !isRowKnown { knowledge.isMisplaced = true }
    if !isColumnKnown { grid[cursor.row].isKnown = false }
  }

  /// Call this before text is printed.
  @inline(__always)
  mutating func notePrinting() {
    if !isCursorKnown { noteUncertainPrinting() }
  }

  private mutating func noteUncertainPrinting() {
    // The text may continue in the next row.
    if isRowKnown, modes.isAutowrap { rowBecameUncertain() }
    noteUncertainChange()
  }

  /// Notes that terminals disagree about the columns of a character at the cursor.
  mutating func noteDispute() {
    noteDisputedRow()
    if !isAlternate { cursor.disputes += 1 }
  }

  /// Notes that the row has such a character. A full-screen program places what it draws.
  mutating func noteDisputedRow() { if !isAlternate { grid[cursor.row].isDisputed = true } }

  /// Whether terminals may disagree about the columns of a row's text.
  package func isDisputed(row: Int) -> Bool { row >= 0 && row < rows && grid[row].isDisputed }

  /// Notes that the cursor moved down a row, or stayed in the last one.
  mutating func noteLineFeed() {
    knowledge.isMisplaced = true
    if !knowledge.isBlankBelow { grid[cursor.row].isKnown = false }
    // It is unknown whether the terminal has scrolled, or its cursor has moved away from the saved place.
    if cursor.row == margins.bottom { knowledge.beginGap() }
    // While skimming, motions upwards may be left out. A bottom margin above the last row stops the cursor.
    guard !isSkimming, margins.bottom == rows - 1 else {
      knowledge.forgetNeighbours()
      return
    }
    knowledge.noteLineFeed()
    guard knowledge.rowsAbove >= rows, cursor.row == rows - 1 else { return }
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

  /// Notes that the terminal has changed its size: it may have moved its rows, and its cursor with them.
  package mutating func noteMovedRows() {
    rowBecameUncertain()
    knowledge.isMisplaced = true
  }

  /// Returns the cursor to its place of another gap.
  ///
  /// - Parameter drawn: the gap in which the rows on the screen were drawn.
  mutating func returnToGap(_ old: Int, drawn: Int?) {
    guard drawn == old else {
      grid.forget()
      rowBecameUncertain()
      knowledge.isBlankBelow = false
      return
    }
    knowledge.returnToGap(old)
  }

  /// Forgets all rows after an action whose effect depends on the uncertain row.
  mutating func forgetRows() {
    grid.forget()
    knowledge.forgetNeighbours()
  }

  /// Notes output with an unknown effect, such as an image: it may have changed the cells, and moved the cursor.
  mutating func noteForeignDrawing() {
    rowBecameUncertain()
    grid.forget()
    knowledge.isColumnKnown = false
  }
}

extension Screen.SavedCursor {
  /// Follows the rows, which have moved to their real place. Restoring clamps the place.
  fileprivate mutating func follow(_ distance: Int, since gap: Int) {
    guard !isRowKnown, self.gap == gap else { return }
    cursor.row = max(0, cursor.row + distance)
    isRowKnown = true
  }
}
