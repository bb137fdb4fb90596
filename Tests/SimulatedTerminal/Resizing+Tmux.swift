extension Resizing {
  /// tmux 3.3a, `screen_resize_cursor`, `grid_reflow`: first the height, then the width.
  static let tmux = Resizing("tmux") { job in
    let pending = job.isPending
    job.followHeight(takesBack: job.restorable)
    guard job.columns != job.oldColumns else { return }
    let grid = job.history + job.rows
    var result: [Row] = []
    var cursor = (row: 0, column: 0)
    let absolute = job.history.count + job.row
    for paragraph in paragraphs(of: grid, length: \.cells.count) {
      let rows = paragraph.rows(columns: job.columns)
      if paragraph.start <= job.restorable && rows.count > paragraph.count {
        job.restorable += rows.count - paragraph.count
      } else if rows.count < paragraph.count {
        let lines = paragraph.count - rows.count
        if job.restorable > result.count + lines {
          job.restorable -= lines
        } else if job.restorable > result.count {
          job.restorable = result.count
        }
      }
      if paragraph.start..<paragraph.start + paragraph.count ~= absolute {
        let column = pending ? job.oldColumns : job.column
        // A cursor behind the cells of its row goes to the end of the line.
        if column >= grid[absolute].cells.count {
          cursor = (result.count + rows.count - 1, rows[rows.count - 1].cells.count)
        } else {
          let offset = paragraph.offsets[absolute - paragraph.start] + column
          cursor = place(of: offset, in: rows)
          cursor.row += result.count
        }
      }
      result += rows
    }
    while result.count < job.newRows { result.append(Row()) }
    let history = result.count - job.newRows
    job.history = Array(result.prefix(history))
    job.rows = Array(result.dropFirst(history))
    job.restorable = min(job.restorable, history)
    if cursor.row >= history {
      job.row = cursor.row - history
      job.setLogicalColumn(cursor.column)
    } else {
      job.row = 0
      job.setLogicalColumn(0)
    }
  }
}
