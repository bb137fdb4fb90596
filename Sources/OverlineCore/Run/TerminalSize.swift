/// The size of a terminal as its window counts it: a value without the system calls of ``OverlineSystem/WindowSize``.
package struct TerminalSize: Equatable, Sendable {
  /// Each of the four values is 0 when unknown.
  package var rows: Int
  package var columns: Int
  /// In pixels.
  package var width: Int
  package var height: Int

  package init(rows: Int, columns: Int, width: Int = 0, height: Int = 0) {
    self.rows = rows
    self.columns = columns
    self.width = width
    self.height = height
  }

  /// The size with `taken` rows less; a row keeps its height in pixels.
  func removing(rows taken: Int) -> TerminalSize {
    guard taken > 0, rows > taken else { return self }
    var size = self
    size.rows -= taken
    size.height = height * size.rows / rows
    return size
  }

  /// The report of a terminal of this size in mode 2048 (in-band resize notifications).
  var report: [UInt8] { Array("\u{1b}[48;\(rows);\(columns);\(height);\(width)t".utf8) }

  /// The height and width of a cell in pixels; nil when unknown.
  var cellHeight: Int? { height > 0 && rows > 0 ? height / rows : nil }
  var cellWidth: Int? { width > 0 && columns > 0 ? width / columns : nil }
}
