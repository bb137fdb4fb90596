extension Resizing {
  /// Konsole 22.12.3, `Screen::resizeImage`.
  static let konsole = Resizing("konsole") { job in
    let oldRows = job.rows.count
    let oldCursor = job.row == oldRows - 1 || job.row > job.newRows - 1 ? job.newRows - 1 : job.row
    var cursor = job.row
    if job.columns != job.oldColumns {
      if !job.history.isEmpty {
        while !job.rows.isEmpty, job.history[job.history.count - 1].isWrapped {
          job.history.append(job.rows.removeFirst())
          cursor -= 1
        }
        job.history = paragraphs(of: job.history, length: \.cells.count).flatMap { $0.rows(columns: job.columns) }
      }
      var index = 0
      while index < cursor && index < job.rows.count - 1 {
        if job.rows[index].isWrapped {
          job.rows[index].cells += job.rows[index + 1].cells
          job.rows[index].isWrapped = job.rows[index + 1].isWrapped
          job.rows.remove(at: index + 1)
          cursor -= 1
          continue
        }
        if job.rows[index].length(where: { $0.isWritten && $0.text != " " }) > job.columns {
          var rest = job.rows[index]
          rest.cells.removeFirst(job.columns)
          job.rows[index].cells.removeLast(job.rows[index].cells.count - job.columns)
          job.rows[index].isWrapped = true
          job.rows.insert(rest, at: index + 1)
          cursor += 1
        }
        index += 1
      }
    }
    while cursor > job.newRows - 1 && !job.rows.isEmpty {
      job.history.append(job.rows.removeFirst())
      cursor -= 1
    }
    while cursor < oldCursor, let last = job.history.popLast() {
      job.rows.insert(last, at: 0)
      cursor += 1
    }
    job.rows = Array(job.rows.prefix(job.newRows))
    job.fill()
    job.row = min(max(cursor, 0), job.newRows - 1)
    if job.isPending && job.columns > job.oldColumns {
      job.setLogicalColumn(job.oldColumns)
    } else {
      job.clampColumn()
    }
  }

  /// mlterm 3.9.0, `vt_edit_resize`: no reflow; rows below the last filled one and below the cursor are dropped first.
  static let mlterm = Resizing("mlterm") { job in
    let filled = max((job.rows.lastIndex { !$0.cells.isEmpty } ?? 0) + 1, job.row + 1)
    let slide = max(filled - job.newRows, 0)
    if job.newRows < job.rows.count {
      job.history += job.rows.prefix(slide)
      job.rows = Array(job.rows.dropFirst(slide).prefix(job.newRows))
      job.fill()
      job.row = max(job.row - slide, 0)
    } else {
      job.followHeight(takesBack: job.history.count)
    }
    job.cutWidth()
    job.clampColumn()
    job.isPending = false
  }

  /// GNU screen 4.9.0. A guess: as tmux, all of the scrollback comes back.
  static let screen = Resizing("screen") { job in
    job.restorable = job.history.count
    Resizing.tmux.apply(&job)
  }
}
