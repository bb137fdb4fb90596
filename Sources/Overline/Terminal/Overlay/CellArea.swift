/// An area of cells on a screen, counted from 0.
package struct CellArea: Equatable, Sendable {
  package var rows: Range<Int>
  package var columns: Range<Int>

  package init(rows: Range<Int>, columns: Range<Int>) {
    self.rows = rows
    self.columns = columns
  }

  package func contains(row: Int, column: Int) -> Bool { rows.contains(row) && columns.contains(column) }

  /// - Parameter distance: in rows; negative is up.
  package func moved(down distance: Int) -> CellArea {
    CellArea(rows: rows.lowerBound + distance..<rows.upperBound + distance, columns: columns)
  }
}
