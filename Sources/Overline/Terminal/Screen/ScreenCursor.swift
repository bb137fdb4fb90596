extension Screen {
  /// The column to which a carriage return moves the cursor.
  var lineStart: Int { cursor.column >= margins.left ? margins.left : 0 }

  @inline(__always)
  mutating func carriageReturn() {
    cursor.column = lineStart
    cursor.isWrapPending = false
    cursor.disputes = 0
    knowledge.isColumnKnown = true
  }

  mutating func move(toColumn column: Int) {
    cursor.column = max(0, min(column, columns - 1))
    cursor.isWrapPending = false
  }

  /// Moves the cursor to an absolute place on the screen.
  mutating func move(toRow row: Int, column: Int) {
    rowBecameKnown()
    knowledge.isColumnKnown = true
    cursor.disputes = 0
    cursor.row = max(0, min(row, rows - 1))
    move(toColumn: column)
  }

  /// Moves the cursor to a place in a program's counting, from 1; relative to the margins under origin mode (DECOM).
  @_optimize(speed)
  mutating func position(row: Int, column: Int) {
    let bounds = origin
    move(
      toRow: min(bounds.top + max(1, row) - 1, bounds.bottom),
      column: min(bounds.left + max(1, column) - 1, bounds.right))
  }

  mutating func position(row: Int) {
    let column = cursor.column
    let isWrapPending = cursor.isWrapPending && tables.margin.rowPosition == .keepsWrap
    let isColumnKnown = isColumnKnown
    let disputes = cursor.disputes
    let bounds = origin
    move(toRow: min(bounds.top + max(1, row) - 1, bounds.bottom), column: column)
    knowledge.isColumnKnown = isColumnKnown
    cursor.disputes = disputes
    cursor.isWrapPending = isWrapPending
  }

  mutating func position(column: Int) {
    let bounds = origin
    knowledge.isColumnKnown = true
    cursor.disputes = 0
    move(toColumn: min(bounds.left + max(1, column) - 1, bounds.right))
  }

  /// The area that positions are relative to.
  var origin: Margins {
    modes.isOrigin ? margins : Margins(top: 0, bottom: rows - 1, left: 0, right: columns - 1)
  }

  mutating func moveUp(_ count: Int) {
    // The terminal's cursor may stop at its first row. Then what was drawn before is in other rows.
    if !isRowKnown, !knowledge.moveUp(count) { grid.forget() }
    let limit = cursor.row >= margins.top ? margins.top : 0
    cursor.row = max(limit, cursor.row - min(count, rows))
    resolveWrap(tables.margin.vertical)
  }

  mutating func moveDown(_ count: Int) {
    // The terminal's cursor may be above the last row, and then it moves.
    if !isRowKnown, !knowledge.moveDown(count) { forgetRows() }
    let limit = cursor.row <= margins.bottom ? margins.bottom : rows - 1
    cursor.row = min(limit, cursor.row + min(count, rows))
    resolveWrap(tables.margin.vertical)
  }

  mutating func moveRight(_ count: Int) {
    resolveWrap(tables.margin.right)
    move(toColumn: min(lineEnd - 1, cursor.column + min(count, columns)))
  }

  mutating func moveLeft(_ count: Int, isBackspace: Bool = false) {
    let isBeyond =
      switch tables.margin.left {
      case .fromLast: false
      case .fromBeyond: true
      case .backspaceFromBeyond: isBackspace
      }
    if cursor.isWrapPending { noteUncertainWrap() }
    let column = cursor.isWrapPending && isBeyond ? cursor.column + 1 : cursor.column
    let target = column - min(count, columns)
    // Terminals differ in which rows they enter so, and from where. The terminal reports the place.
    if target < lineStart, modes.reverseWraps || modes.reverseWrapsAlways { return noteForeignDrawing() }
    move(toColumn: max(lineStart, target))
  }

  /// Moves the cursor down a row; at the bottom margin the rows between the margins move up instead (IND, LF).
  @inline(__always)
  mutating func index() {
    if cursor.isWrapPending { resolveWrap(tables.margin.lineFeed, isDisputed: true) }
    if cursor.row != margins.bottom {
      if cursor.row < rows &- 1 { cursor.row &+= 1 }
    } else if margins.top == 0 && margins.bottom == rows &- 1 && !modes.hasLeftRightMargins {
      grid.scrollUp(background: brush.background)
    } else if isInColumnMargins {
      if tables.traits.endsWrapsInMargins {
        grid[margins.bottom].isWrapped = false
        if margins.top > 0 { grid.endLine(above: margins.top) }
      }
      scroll(from: margins.top, by: 1)
    }
    if !isRowKnown { noteLineFeed() }
  }

  mutating func reverseIndex() {
    resolveWrap(tables.margin.lineFeed)
    if !isRowKnown { forgetRows() }
    if cursor.row != margins.top {
      if cursor.row > 0 { cursor.row -= 1 }
    } else if isInColumnMargins {
      scroll(from: margins.top, by: -1)
    }
  }

  /// DECBI: moves the cursor left by a column; at the left margin the columns move right instead.
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

  /// Moves the rows from `row` to the bottom margin up, or down by a negative amount.
  mutating func scroll(from row: Int, by amount: Int) {
    if !isRowKnown { noteUncertainChange() }
    grid.scroll(
      row..<margins.bottom + 1, columns: margins.left..<margins.right + 1, by: amount, background: brush.background)
  }

  /// Moves the columns from `column` to the right margin right, or left by a negative amount, in all rows that scroll.
  mutating func shiftRows(at column: Int, by amount: Int) {
    if !isRowKnown { noteUncertainChange() }
    cursor.isWrapPending = false
    for row in margins.top...margins.bottom {
      grid.shift(row, column..<margins.right + 1, by: amount, background: brush.background)
    }
  }
}
