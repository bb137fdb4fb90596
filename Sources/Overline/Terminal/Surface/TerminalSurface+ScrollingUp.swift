/// Finds the cursor's place in a terminal that does not report it.
extension TerminalSurface {
  /// Whether ``scrollToCursor(into:)`` can find the place. The alternate screen saves no line that scrolls out, and inside the program's
  /// margins no line leaves the screen.
  package var canScrollToCursor: Bool {
    !screen.isAlternate && screen.margins.top == 0 && screen.margins.bottom == screen.rows - 1
  }

  /// Scrolls until the cursor is in the first row, and notes that place. All rows above it are in the scrollback afterwards, and with them a
  /// banner. Call this instead of ``cursorReported(row:column:)`` when the terminal does not answer, and only before rows are printed.
  package mutating func scrollToCursor(into result: inout [UInt8]) {
    settle()
    swap(&output, &result)
    defer { swap(&output, &result) }
    beginPainting()
    appendScrollToCursor(rows: rows)
    if missed.isMoved {
      missed.distance = -placement.offset - screen.cursor.row
      return screen.place(cursorRow: screen.cursor.row, column: screen.cursor.column)
    }
    scroll.endBatch()
    (endedFlows, overhang) = (0, 0)
    if placement != .hidden {
      placement = .hidden
      fitScreenRows(rows)
    }
    if screen.isRowKnown { screen.rowBecameUncertain() }
    let isWrapPending = screen.cursor.isWrapPending
    screen.place(cursorRow: 0, column: screen.cursor.column)
    screen.cursor.isWrapPending = isWrapPending
  }

  /// Does the same below a banner in a terminal of a new height, whose rows may be anywhere.
  ///
  /// - Returns: the cursor's row, from 1; nil if there is no banner to move, or the place cannot be found so.
  mutating func scrollToCursor(rows new: Int) -> Int? {
    guard placement != .hidden, !missed.isMoved, canScrollToCursor else { return nil }
    beginPainting()
    appendScrollToCursor(rows: new)
    // The rows keep their places relative to the cursor.
    placement = .shown(rows: placement.inset)
    overhang = 0
    if !screen.isRowKnown { screen.place(cursorRow: screen.cursor.row, column: screen.cursor.column) }
    return 1
  }

  /// From row r, the cursor reaches the last row with all line feeds but r, which scroll. So its row becomes the first one, wherever it was.
  /// Text below the cursor moves with it.
  private mutating func appendScrollToCursor(rows: Int) {
    // The column of a new line is known, and a new line covers no text.
    if !screen.isColumnKnown {
      output += [0x0d, 0x0a]
      screen.write([0x0d, 0x0a])
    }
    guard rows > 1 else { return }
    output.append(contentsOf: repeatElement(0x0a, count: rows - 1))
    output.appendCSI(rows - 1, final: UInt8(ascii: "A"))
  }
}
