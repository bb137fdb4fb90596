/// A terminal's new width.
extension Grid {
  /// Splits all lines anew, as terminals do when they reflow. The number of rows changes.
  ///
  /// - Parameters:
  ///   - isBelowBanner: the first row begins a line, even where the scrollback ends in the middle of one.
  ///   - isAlone: the rows that have scrolled out are split for themselves.
  ///   - dropsBlanks: blank cells at the end of a line are no part of it.
  ///   - countsColumns: the grid certainly counts columns as its terminal does.
  ///   - cursors: moved with their cells. Above the first one, a line that is not known completely makes all lines before it unknown: the
  ///     number of its rows is not certain.
  mutating func reflow(
    columns newColumns: Int, isBelowBanner: Bool, isAlone: Bool, dropsBlanks: Bool, countsColumns: Bool,
    following cursors: inout [Screen.Cursor]
  ) {
    var pieces:
      [(cells: ArraySlice<Cell>, background: UInt32, isKnown: Bool, isWrapped: Bool, isDisputed: Bool, mark: UInt8)] =
        []
    let old = cursors
    var row = -history
    // The first piece of the screen.
    var screenTop = 0
    while row < rows {
      let first = row
      var line: [Cell] = []
      var starts: [Int] = []
      var isDisputed = false
      var isKnown = row > -history || isBelowBanner || !kept(row - 1).isWrapped
      repeat {
        starts.append(line.count)
        let info = kept(row)
        // A wide character that begins the next row leaves one column free.
        let leavesColumn = info.used == columns - 1 && row + 1 < rows && beginsWide(row + 1)
        let width = info.isWrapped && !leavesColumn ? columns : info.used
        line += (0..<width).map { $0 < info.used ? cells[info.start + $0] : .blank(info.background) }
        isKnown = isKnown && info.isKnown
        isDisputed = isDisputed || info.isDisputed
        row += 1
      } while row < rows && kept(row - 1).isWrapped && !(isAlone && row == 0)
      if dropsBlanks {
        let place = old.first.flatMap { $0.row == row - 1 ? starts.last! + $0.column : nil } ?? 0
        while line.count > max(place, starts.last!), let last = line.last, last.isBlank, last.foreground == 0 {
          line.removeLast()
        }
      }
      // The terminal may split the line elsewhere.
      if isDisputed, !countsColumns, line.count + Self.disputedColumns(line[...]) >= newColumns { isKnown = false }
      let top = pieces.count
      var begins = [0]
      while true {
        let begin = begins.last!
        var end = min(begin + newColumns, line.count)
        if end < line.count, end > begin + 1, line[end].isTrailing { end -= 1 }
        pieces.append((line[begin..<end], kept(row - 1).background, isKnown, end < line.count, isDisputed, 0))
        guard end < line.count else { break }
        begins.append(end)
      }
      if isAlone, row == 0 { pieces[pieces.count - 1].isWrapped = kept(-1).isWrapped }
      func piece(_ offset: Int) -> Int { begins.lastIndex { $0 <= offset } ?? 0 }
      for (index, start) in starts.enumerated() where kept(first + index).mark != 0 {
        pieces[top + piece(start)].mark = kept(first + index).mark
      }
      if (first..<row).contains(0) { screenTop = top + piece(starts[-first]) }
      for (index, cursor) in old.enumerated() where (first..<row).contains(cursor.row) {
        let offset = starts[cursor.row - first] + cursor.column
        let piece = piece(offset)
        cursors[index].row = top + piece
        cursors[index].column = min(offset - begins[piece], newColumns - 1)
        cursors[index].isWrapPending = false
      }
    }
    if let cursor = cursors.first, let last = pieces[...cursor.row].lastIndex(where: { !$0.isKnown }) {
      for index in 0..<last { pieces[index].isKnown = false }
    }
    for index in cursors.indices { cursors[index].row -= screenTop }
    let start = max(0, screenTop - historyLimit)
    var grid = Grid(rows: pieces.count - screenTop, columns: newColumns, historyLimit: historyLimit)
    grid.history = screenTop - start
    grid.first = grid.history + 1
    grid.ring[0].isWrapped = start > 0 ? pieces[start - 1].isWrapped : kept(-history - 1).isWrapped
    for (row, piece) in pieces[start...].enumerated() {
      let target = grid.ring[row + 1].start
      for (column, cell) in piece.cells.enumerated() { grid.cells[target + column] = cell }
      grid.ring[row + 1] = Row(
        start: target, used: piece.cells.count, background: piece.background, isKnown: piece.isKnown,
        isWrapped: piece.isWrapped, isDisputed: piece.isDisputed, mark: piece.mark)
    }
    self = grid
  }

  /// The most columns by which terminals disagree about these cells.
  private static func disputedColumns(_ cells: ArraySlice<Cell>) -> Int {
    2 * cells.count { $0.isCluster || $0.value >= 0x80 }
  }

  private func beginsWide(_ row: Int) -> Bool {
    let info = kept(row)
    return info.used > 0 && cells[info.start].isWide
  }
}
