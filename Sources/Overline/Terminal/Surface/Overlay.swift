/// A box in the form that the surface needs: its place, and the bytes of its rows.
struct Overlay: Equatable, Sendable {
  let row: Int
  let columns: Range<Int>
  let rows: [[UInt8]]

  init(_ box: OverlayBox, colors: ColorDepth) {
    row = box.row
    columns = box.columnRange
    rows = box.encoded(colors: colors)
  }

  var rowRange: Range<Int> { row..<row + rows.count }

  /// Whether the box covers all these columns of a row.
  func covers(_ row: Int, _ range: Range<Int>) -> Bool {
    rowRange.contains(row) && columns.lowerBound <= range.lowerBound && range.upperBound <= columns.upperBound
  }
}
