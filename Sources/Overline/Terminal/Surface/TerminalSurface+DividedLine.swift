/// A line of the program that the banner divides: it begins in the scrollback, and continues below the banner.
///
/// For the terminal the banner's row continues the line. At a new width it joins both: the banner's text follows the line's last cells above it.
/// The window prints over this row what is in it without a banner, so that the line is whole in the scrollback.
extension TerminalSurface {
  /// The rows at a new width, as they are without a banner. In the first one the line's two parts meet.
  ///
  /// - Parameter cells: the line's cells in the scrollback.
  /// - Returns: nil if the two parts do not meet in a row or its text is not known, and with a banner of several rows.
  func wholeDividedLine(cells: Int, at newColumns: Int) -> Screen.ReflowedRows? {
    guard placement == .shown(rows: 1), screen.isRowKnown, isPrintable, cells % newColumns > 0,
      Screen.clamped(rows: screen.rows, columns: newColumns).columns == newColumns
    else { return nil }
    // urxvt puts its cursor into the first row of its line, which may be in the scrollback.
    if screen.tables.traits.keepsCursorColumn, screen.lineStart(of: screen.cursor.row) == 0 { return nil }
    let whole = screen.reflowedRows(columns: newColumns, isBelowBanner: false, kept: cells / screen.columns)
    return whole.grid[0].isKnown ? whole : nil
  }

  /// The number of rows on the screen above the one in which the terminal has joined the line's beginning and the banner.
  ///
  /// - Parameters:
  ///   - cells: the line's cells in the scrollback.
  ///   - printed: the banner's cells.
  ///   - old: the width before.
  ///   - moved: how far the terminal has moved the program's rows.
  ///   - narrowest: the smallest width since the last size.
  /// - Returns: nil if that row is not on the screen, or its place is not certain.
  func rowsAboveJoin(cells: Int, _ printed: Int, from old: Int, movedBy moved: Int, narrowest: Int) -> Int? {
    guard isPrintable, narrowest >= columns || !screen.tables.traits.findsBrokenRows else { return nil }
    let lengths = screen.tables.traits.knowsBannerLength ? [printed] : [banner?.printedColumns ?? 0, old]
    let places = Set(lengths.map { moved - ((cells + $0 - 1) / columns - cells / columns) })
    guard places.count == 1, let above = places.first, above >= 0 else { return nil }
    return above
  }
}
