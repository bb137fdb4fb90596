/// Changes of size. The cursor and a saved cursor stay with their text.
extension Screen {
  package mutating func removeRows(top count: Int) {
    let count = max(0, min(count, rows - 1))
    rebuild((count..<rows).map { $0 }, moved: -count)
  }

  package mutating func removeRows(bottom count: Int) {
    let count = max(0, min(count, rows - 1))
    rebuild((0..<rows - count).map { $0 }, moved: 0)
  }

  /// The cursor moves down with the rows.
  package mutating func prependBlankRows(_ count: Int) {
    rebuild([Int?](repeating: nil, count: room(for: count)) + (0..<rows).map { $0 }, moved: room(for: count))
  }

  package mutating func appendBlankRows(_ count: Int) {
    rebuild((0..<rows).map { $0 } + [Int?](repeating: nil, count: room(for: count)), moved: 0)
  }

  /// `count` rows, or as many as fit into the largest screen.
  private func room(for count: Int) -> Int {
    max(0, min(count, Self.clamped(rows: rows + min(count, Self.maximumSide), columns: columns).rows - rows))
  }

  /// Changes the width of both screens. The rows are unknown afterwards, unless the terminal is known to do the same as this screen.
  ///
  /// - Parameter reflow: what the terminal does with the visible rows; nil if that is not known. `true`: it splits lines anew, and the
  ///   screen's height changes. `false`: it cuts them off.
  package mutating func resize(columns newColumns: Int, reflow: Bool? = nil) {
    let newColumns = Self.clamped(rows: max(rows, other?.rows ?? 0), columns: newColumns).columns
    guard newColumns != columns else { return }
    tabStops.resize(columns: newColumns)
    // A grid has at most 1,048,576 cells.
    let maximumRows = Self.clamped(rows: Self.maximumSide, columns: newColumns).rows
    let isPrintable = isRowKnown && (0..<rows).allSatisfy { grid[$0].isKnown }
    if reflow == true, isPrintable { reflowRows(columns: newColumns) }
    if grid.rows > maximumRows || grid.columns != newColumns {
      grid.rebuild((0..<min(maximumRows, grid.rows)).map { $0 }, columns: newColumns)
    }
    if reflow == nil || !isPrintable { grid.forget() }
    if let rows = other?.rows { other?.rebuild((0..<min(maximumRows, rows)).map { $0 }, columns: newColumns) }
    other?.forget()
    modes.hasLeftRightMargins = false
    resetMargins()
    clampCursors()
  }

  private mutating func reflowRows(columns newColumns: Int) {
    var cursors = [cursor]
    if let saved = savedCursor { cursors.append(saved.cursor) }
    grid.reflow(columns: newColumns, following: &cursors)
    cursor = cursors[0]
    if cursors.count > 1 { saved[kind]?.cursor = cursors[1] }
  }

  /// Rebuilds the rows of the visible screen; the other screen's height may differ.
  private mutating func rebuild(_ numbers: [Int?], moved distance: Int) {
    guard numbers.count != rows || distance != 0 else { return }
    grid.rebuild(numbers, columns: columns)
    cursor.row += distance
    margins.top = 0
    margins.bottom = rows - 1
    saved[kind]?.cursor.row += distance
    clampCursors()
  }

  private mutating func clampCursors() {
    let columns = columns
    let (shown, hidden) = (rows, other?.rows ?? rows)
    cursor.clamp(rows: shown, columns: columns)
    saved[.primary]?.cursor.clamp(rows: isAlternate ? hidden : shown, columns: columns)
    saved[.alternate]?.cursor.clamp(rows: isAlternate ? shown : hidden, columns: columns)
  }
}

extension Screen.Cursor {
  fileprivate mutating func clamp(rows: Int, columns: Int) {
    if row < 0 || row >= rows || column >= columns { isWrapPending = false }
    row = max(0, min(row, rows - 1))
    column = max(0, min(column, columns - 1))
  }
}
