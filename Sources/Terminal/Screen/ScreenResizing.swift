/// Changes of size. The cursor stays with its text, and so does a saved one.
extension Screen {
  /// The rows of a screen, which may differ while it does not show.
  public func rows(of kind: Kind) -> Int { kind == self.kind ? rows : other?.rows ?? rows }

  public mutating func removeRows(top count: Int, of kind: Kind? = nil) {
    let kind = kind ?? self.kind
    let count = max(0, min(count, rows(of: kind) - 1))
    rebuild(kind, (count..<rows(of: kind)).map { $0 }, moved: -count)
  }

  public mutating func removeRows(bottom count: Int, of kind: Kind? = nil) {
    let kind = kind ?? self.kind
    let count = max(0, min(count, rows(of: kind) - 1))
    rebuild(kind, (0..<rows(of: kind) - count).map { $0 }, moved: 0)
  }

  /// The rows of the screen that shows move down, and the cursor with them.
  public mutating func prependBlankRows(_ count: Int) {
    let count = max(
      0, min(count, Self.clamped(rows: rows + min(count, Self.longestSide), columns: columns).rows - rows))
    rebuild(kind, [Int?](repeating: nil, count: count) + (0..<rows).map { $0 }, moved: count)
  }

  public mutating func appendBlankRows(_ count: Int, to kind: Kind? = nil) {
    let kind = kind ?? self.kind
    let rows = rows(of: kind)
    let count = max(
      0, min(count, Self.clamped(rows: rows + min(count, Self.longestSide), columns: columns).rows - rows))
    rebuild(kind, (0..<rows).map { $0 } + [Int?](repeating: nil, count: count), moved: 0)
  }

  /// Both screens get another width. Terminals reflow in ways of their own: the rows are unknown then.
  public mutating func resize(columns newColumns: Int) {
    let newColumns = Self.clamped(rows: max(rows, other?.rows ?? 0), columns: newColumns).columns
    guard newColumns != columns else { return }
    let oldStops = tabStops
    let stops = Self.defaultTabStops(newColumns)
    tabStops = stops.indices.map { $0 < oldStops.count ? oldStops[$0] : stops[$0] }
    // At most the mebicell of any grid.
    let most = Self.clamped(rows: Self.longestSide, columns: newColumns).rows
    grid.rebuild((0..<min(most, grid.rows)).map { $0 }, columns: newColumns)
    grid.forget()
    if let rows = other?.rows { other?.rebuild((0..<min(most, rows)).map { $0 }, columns: newColumns) }
    other?.forget()
    modes.hasLeftRightMargins = false
    resetMargins()
    clampCursors()
  }

  private mutating func rebuild(_ kind: Kind, _ numbers: [Int?], moved distance: Int) {
    if kind == self.kind {
      guard numbers.count != rows || distance != 0 else { return }
      grid.rebuild(numbers, columns: columns)
      cursor.row += distance
      margins.top = 0
      margins.bottom = rows - 1
    } else {
      if other == nil { other = Grid(rows: rows, columns: columns) }
      let columns = columns
      other?.rebuild(numbers, columns: columns)
    }
    if kind == .primary { savedPrimary?.cursor.row += distance } else { savedAlternate?.cursor.row += distance }
    clampCursors()
  }

  private mutating func clampCursors() {
    let columns = columns
    let primary = rows(of: .primary)
    let alternate = rows(of: .alternate)
    cursor.clamp(rows: rows, columns: columns)
    savedPrimary?.cursor.clamp(rows: primary, columns: columns)
    savedAlternate?.cursor.clamp(rows: alternate, columns: columns)
  }
}

extension Screen.Cursor {
  fileprivate mutating func clamp(rows: Int, columns: Int) {
    if row < 0 || row >= rows || column >= columns { isWrapPending = false }
    row = max(0, min(row, rows - 1))
    column = max(0, min(column, columns - 1))
  }
}
