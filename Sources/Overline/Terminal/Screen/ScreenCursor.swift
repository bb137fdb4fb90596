extension Screen {
  /// Where a carriage return goes from here.
  var lineStart: Int { cursor.column >= margins.left ? margins.left : 0 }

  @inline(__always)
  mutating func carriageReturn() {
    cursor.column = lineStart
    cursor.isWrapPending = false
    knowledge.isColumnKnown = true
  }

  mutating func move(toColumn column: Int) {
    cursor.column = max(0, min(column, columns - 1))
    cursor.isWrapPending = false
  }

  /// To an absolute place on the screen.
  mutating func move(toRow row: Int, column: Int) {
    rowBecameKnown()
    knowledge.isColumnKnown = true
    cursor.row = max(0, min(row, rows - 1))
    move(toColumn: column)
  }

  /// To a place as a program names it, from 1 on: within the margins if it has said so (DECOM).
  @_optimize(speed)
  mutating func position(row: Int, column: Int) {
    let bounds = origin
    move(
      toRow: min(bounds.top + max(1, row) - 1, bounds.bottom),
      column: min(bounds.left + max(1, column) - 1, bounds.right))
  }

  mutating func position(row: Int) {
    let column = cursor.column
    let isColumnKnown = isColumnKnown
    let bounds = origin
    move(toRow: min(bounds.top + max(1, row) - 1, bounds.bottom), column: column)
    knowledge.isColumnKnown = isColumnKnown
  }

  mutating func position(column: Int) {
    let bounds = origin
    knowledge.isColumnKnown = true
    move(toColumn: min(bounds.left + max(1, column) - 1, bounds.right))
  }

  /// What positions are relative to.
  var origin: Margins {
    modes.isOrigin ? margins : Margins(top: 0, bottom: rows - 1, left: 0, right: columns - 1)
  }

  mutating func moveUp(_ count: Int) {
    knowledge.lineFeeds = 0
    let limit = cursor.row >= margins.top ? margins.top : 0
    cursor.row = max(limit, cursor.row - min(count, rows))
    cursor.isWrapPending = false
  }

  mutating func moveDown(_ count: Int) {
    // The cursor may not be in the last row; then the terminal moves it.
    if !isRowKnown { forgetRows() }
    let limit = cursor.row <= margins.bottom ? margins.bottom : rows - 1
    cursor.row = min(limit, cursor.row + min(count, rows))
    cursor.isWrapPending = false
  }

  mutating func moveRight(_ count: Int) {
    move(toColumn: min(lineEnd - 1, cursor.column + min(count, columns)))
  }

  mutating func moveLeft(_ count: Int) {
    move(toColumn: max(lineStart, cursor.column - min(count, columns)))
  }

  /// A row down; at the bottom margin the rows between the margins move up (IND, LF).
  @inline(__always)
  mutating func index() {
    cursor.isWrapPending = false
    if cursor.row != margins.bottom {
      if cursor.row < rows &- 1 { cursor.row &+= 1 }
    } else if margins.top == 0 && margins.bottom == rows &- 1 && !modes.hasLeftRightMargins {
      grid.scrollUp(background: brush.background)
    } else if isInColumnMargins {
      scroll(from: margins.top, by: 1)
    }
    if !isRowKnown { noteLineFeed() }
  }

  mutating func reverseIndex() {
    cursor.isWrapPending = false
    if !isRowKnown { forgetRows() }
    if cursor.row != margins.top {
      if cursor.row > 0 { cursor.row -= 1 }
    } else if isInColumnMargins {
      scroll(from: margins.top, by: -1)
    }
  }

  /// DECBI: a column to the left; at the left margin the columns move right.
  mutating func backIndex() {
    if cursor.column != margins.left { return moveLeft(1) }
    guard isInRowMargins else { return }
    shiftRows(at: margins.left, by: 1)
  }

  /// DECFI.
  mutating func forwardIndex() {
    if cursor.column != margins.right { return moveRight(1) }
    guard isInRowMargins else { return }
    shiftRows(at: margins.left, by: -1)
  }

  var isInColumnMargins: Bool { cursor.column >= margins.left && cursor.column <= margins.right }
  var isInRowMargins: Bool { cursor.row >= margins.top && cursor.row <= margins.bottom }

  /// Moves the rows from one to the bottom margin up, or down by a negative amount.
  mutating func scroll(from row: Int, by amount: Int) {
    if !isRowKnown { noteUncertainChange() }
    grid.scroll(
      row..<margins.bottom + 1, columns: margins.left..<margins.right + 1, by: amount, background: brush.background)
  }

  /// Moves the columns from one to the right margin right, or left by a negative amount, in all rows that scroll.
  mutating func shiftRows(at column: Int, by amount: Int) {
    if !isRowKnown { noteUncertainChange() }
    cursor.isWrapPending = false
    for row in margins.top...margins.bottom {
      grid.shift(row, column..<margins.right + 1, by: amount, background: brush.background)
    }
  }
}
