/// Cells of a screen, from 0.
public struct CellArea: Hashable, Sendable {
  public var rows: Range<Int>
  public var columns: Range<Int>

  public init(rows: Range<Int>, columns: Range<Int>) {
    self.rows = rows
    self.columns = columns
  }

  public func contains(row: Int, column: Int) -> Bool { rows.contains(row) && columns.contains(column) }

  /// - Parameter distance: rows; fewer than 0 is up.
  public func moved(down distance: Int) -> CellArea {
    CellArea(rows: rows.lowerBound + distance..<rows.upperBound + distance, columns: columns)
  }
}
