extension Resizing {
  /// foot 1.13.1, `grid_resize_and_reflow`: all rows are laid out again, also at a new height. Rows that are blank and
  /// do not end a line vanish. The last row that is left is the last one of the screen.
  static let foot = Resizing("foot") { job in
    let source = job.history + job.rows
    let cursor = job.history.count + job.row
    var rows = [Row()]
    var used = 0
    var place = (row: 0, column: 0)
    for (index, row) in source.enumerated() {
      var count = row.length { !$0.text.isEmpty && !$0.isSpacer || $0.width == 0 }
      if !row.isEnded && count > 0 { count = job.oldColumns }
      if index == cursor { count = max(count, job.column + 1) }
      for column in 0..<count {
        let cell = row[column]
        if used >= job.columns || cell.width == 2 && used + 2 > job.columns && job.columns > 1 {
          while used < job.columns {
            rows[rows.count - 1].extend(to: used + 1)
            rows[rows.count - 1].cells[used].isSpacer = true
            used += 1
          }
          rows[rows.count - 1].isWrapped = true
          rows.append(Row())
          used = 0
        }
        if column == 0 && row.mark != 0 { rows[rows.count - 1].mark = row.mark }
        rows[rows.count - 1].extend(to: used)
        rows[rows.count - 1].cells.append(cell)
        used += 1
        if index == cursor && column == job.column { place = (rows.count - 1, used - 1) }
      }
      if row.isEnded {
        rows[rows.count - 1].isEnded = true
        rows[rows.count - 1].isWrapped = false
        if index + 1 < source.count {
          rows.append(Row())
          used = 0
        }
      }
    }
    let history = max(rows.count - job.newRows, 0)
    job.history = Array(rows.prefix(history))
    job.rows = Array(rows.dropFirst(history))
    job.fill()
    // A cursor that is above the screen goes to its last row.
    job.row = place.row < history ? job.newRows - 1 : min(place.row - history, job.newRows - 1)
    job.column = min(place.column, job.columns - 1)
    job.isPending = false
  }

  /// The alternate screen keeps its top rows; a cursor in the last row stays in the last row.
  static let footAlternate = Resizing("footAlternate") { job in
    if job.row == job.rows.count - 1 { job.row = job.newRows - 1 }
    job.rows = Array(job.rows.prefix(job.newRows))
    job.fill()
    job.cutWidth()
    job.clampColumn()
    job.row = min(job.row, job.newRows - 1)
    job.isPending = false
  }
}
