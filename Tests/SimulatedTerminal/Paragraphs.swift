/// A logical line: the rows that wraps join.
struct Paragraph {
  /// The index of its first row.
  let start: Int
  let count: Int
  let cells: [TerminalCell]
  /// The offset of each row's first cell.
  let offsets: [Int]
  /// The last row says that it goes on, too.
  let isOpen: Bool
  let mark: UInt8

  /// The rows at a new width; a wide character is not divided. `isStretched`: a blank line keeps one row.
  func rows(columns: Int) -> [Row] {
    var result = [Row()]
    var width = 0
    for cell in cells {
      if width + Int(cell.width) > columns {
        result[result.count - 1].isWrapped = true
        if width < columns {
          var spacer = TerminalCell()
          spacer.isSpacer = true
          result[result.count - 1].cells += Array(repeating: spacer, count: columns - width)
        }
        result.append(Row())
        width = 0
      }
      result[result.count - 1].cells.append(cell)
      width += Int(cell.width)
    }
    result[result.count - 1].isWrapped = isOpen
    result[0].mark = mark
    return result
  }
}

/// Joins rows to logical lines. `length` is the number of cells that count in a row.
func paragraphs(of rows: [Row], length: (Row) -> Int) -> [Paragraph] {
  var result: [Paragraph] = []
  var index = 0
  while index < rows.count {
    let start = index
    var cells: [TerminalCell] = []
    var offsets: [Int] = []
    repeat {
      offsets.append(cells.count)
      cells += rows[index].cells.prefix(length(rows[index])).lazy.filter { !$0.isSpacer }
      index += 1
    } while rows[index - 1].isWrapped && index < rows.count
    result.append(
      Paragraph(
        start: start, count: index - start, cells: cells, offsets: offsets, isOpen: rows[index - 1].isWrapped,
        mark: rows[start].mark))
  }
  return result
}

/// The row and column of a cell in rows that `Paragraph.rows` made; the end of a full row is the start of the next one,
/// if there is one.
func place(of offset: Int, in rows: [Row]) -> (row: Int, column: Int) {
  var rest = offset
  for (index, row) in rows.enumerated() {
    let count = row.cells.lazy.filter { !$0.isSpacer }.count
    if rest < count || index == rows.count - 1 { return (index, rest) }
    rest -= count
  }
  return (rows.count - 1, rest)
}
