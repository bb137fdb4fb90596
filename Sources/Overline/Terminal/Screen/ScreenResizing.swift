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

  /// Puts the last rows that have scrolled out above the screen again, as a terminal does that grows.
  ///
  /// - Returns: false if these rows are not known.
  mutating func takeBack(_ count: Int) -> Bool {
    guard let taken = grid.known(last: count) else { return false }
    rebuild(taken + (0..<rows), moved: count)
    return true
  }

  /// `count` rows, or as many as fit into the largest screen.
  private func room(for count: Int) -> Int {
    max(0, min(count, Self.clamped(rows: rows + min(count, Self.maximumSide), columns: columns).rows - rows))
  }

  /// kitty erases the rows from a shell's prompt on when its size changes, while no output has begun. The shell draws them again.
  mutating func erasePrompt() {
    guard !isAlternate, let first = (0...cursor.row).last(where: { grid[$0].mark != 0 }),
      tables.marks.isErasedPrompt(grid[first].mark)
    else { return }
    if first > 0 { grid.endLine(above: first) }
    for row in first..<rows { grid.erase(row, 0..<columns, background: 0) }
  }

  /// What a terminal does with the visible rows when it changes its width.
  package enum Rewrapping {
    /// It splits lines anew. The screen's height changes.
    ///
    /// - Parameter isBelowBanner: a banner is between the scrollback and the first row.
    case reflow(isBelowBanner: Bool)
    /// It cuts them off. The screen keeps their ends: when the terminal becomes wider, the rows are whole again, unless they have changed.
    /// xterm itself keeps only the ends of rows that were in its scrollback meanwhile. The window prints the others whole.
    case cut
  }

  /// Changes the width of both screens.
  ///
  /// - Parameter rewrapping: nil if it is not known. Then the rows are unknown afterwards.
  package mutating func resize(columns newColumns: Int, _ rewrapping: Rewrapping? = nil) {
    let newColumns = Self.clamped(rows: max(rows, other?.rows ?? 0), columns: newColumns).columns
    guard newColumns != columns else { return }
    tabStops.resize(columns: newColumns)
    // A grid has at most 1,048,576 cells.
    let maximumRows = Self.clamped(rows: Self.maximumSide, columns: newColumns).rows
    switch rewrapping {
    case .reflow(let isBelowBanner): adopt(reflowedRows(columns: newColumns, isBelowBanner: isBelowBanner))
    case .cut, nil: break
    }
    if grid.rows > maximumRows || grid.columns != newColumns {
      grid.rebuild((0..<min(maximumRows, grid.rows)).map { $0 }, columns: newColumns)
    }
    if rewrapping == nil { grid.forget() }
    if let rows = other?.rows { other?.rebuild((0..<min(maximumRows, rows)).map { $0 }, columns: newColumns) }
    other?.forget()
    modes.hasLeftRightMargins = false
    resetMargins()
    clampCursors()
  }

  /// The rows at another width, and in them the cursor and the saved one.
  struct ReflowedRows {
    var grid: Grid
    var cursors: [Cursor]
  }

  /// Splits the lines anew, without changing the screen.
  ///
  /// - Parameter kept: the number of the last rows that have scrolled out which count; nil for all.
  func reflowedRows(columns newColumns: Int, isBelowBanner: Bool, kept: Int? = nil) -> ReflowedRows {
    var rows = ReflowedRows(grid: grid, cursors: [cursor])
    if let saved = savedCursor { rows.cursors.append(saved.cursor) }
    if let kept { rows.grid.keepHistory(kept) }
    rows.grid.reflow(
      columns: newColumns, isBelowBanner: isBelowBanner, isAlone: tables.traits.rewrapsScreenAlone,
      dropsBlanks: tables.traits.dropsBlanks, countsColumns: tables.widths.rules.isCertain, following: &rows.cursors)
    return rows
  }

  mutating func adopt(_ rows: ReflowedRows) {
    grid = rows.grid
    cursor = rows.cursors[0]
    if rows.cursors.count > 1 { saved[kind]?.cursor = rows.cursors[1] }
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
