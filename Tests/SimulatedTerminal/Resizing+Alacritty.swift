extension Resizing {
  /// Alacritty 0.11, `Grid::resize`: first the height, then the width.
  static let alacritty = Resizing("alacritty") { job in
    job.followHeight(takesBack: job.history.count)
    guard job.columns != job.oldColumns else { return }
    // Outside the grid, so that a pending wrap is a column as others are.
    var grid = AlacrittyGrid(job)
    if job.columns > job.oldColumns { grid.grow() } else { grid.shrink() }
    grid.write(to: &job)
  }
}

/// The rows from the oldest to the newest, and the cursor by its distance from the bottom.
private struct AlacrittyGrid {
  var rows: [Row]
  let lines: Int
  let columns: Int
  var line: Int
  var column: Int
  var isPending = false

  init(_ job: ResizeJob) {
    // Spaces at the end of a row do not count, those of a wrapped row do.
    rows = (job.history + job.rows).map { row in
      var row = row
      if row.isWrapped {
        if row.cells.last?.isSpacer != true { row.extend(to: job.oldColumns) }
        while row.cells.last?.isSpacer == true { row.cells.removeLast() }
      } else {
        row.cut(to: row.length { !$0.isBlank || $0.style.foreground != .standard })
      }
      return row
    }
    lines = job.newRows
    columns = job.columns
    line = job.row
    column = job.logicalColumn
  }

  func write(to job: inout ResizeJob) {
    var rows = rows
    while rows.count < lines { rows.append(Row()) }
    let history = rows.count - lines
    job.history = Array(rows.prefix(history))
    job.rows = Array(rows.dropFirst(history))
    job.row = min(max(line, 0), lines - 1)
    if isPending {
      job.setLogicalColumn(columns)
    } else {
      job.isPending = false
      job.column = min(max(column, 0), columns - 1)
    }
  }

  /// Wider: each wrapped row takes cells from the next one.
  mutating func grow() {
    var result: [Row] = []
    var moved = 0
    let count = rows.count
    for (index, original) in rows.enumerated() {
      var row = original
      let fromBottom = count - index - 1
      guard let last = result.last, last.isWrapped, last.cells.count < columns else {
        result.append(row)
        continue
      }
      let end = result.count - 1
      result[end].isWrapped = false
      var free = columns - last.cells.count
      var hasGap = false
      if row.cells.count > free, row.cells[free - 1].width == 2 {
        free -= 1
        hasGap = true
      }
      result[end].cells += row.cells.prefix(free)
      if hasGap {
        result[end].extend(to: columns)
        result[end].cells[columns - 1].isSpacer = true
      }
      row.cells.removeFirst(min(free, row.cells.count))
      let isClear = row.cells.isEmpty
      // The flag lies in the last cell, which went to the row above.
      if isClear { result[end].isWrapped = row.isWrapped }
      let cursorFromBottom = lines - line - 1
      if fromBottom == cursorFromBottom {
        var targetLine = line
        var target = column - free
        if target < 0 {
          target += columns
          targetLine -= 1
        }
        if target == 0 && isClear {
          isPending = true
          target = columns - 1
          targetLine -= 1
        }
        column = target
        let delta = line - targetLine
        if delta != 0 && isClear { continue }
        moved += delta
      } else if isClear {
        if fromBottom < cursorFromBottom { line += 1 }
        continue
      }
      result[end].isWrapped = true
      result.append(row)
    }
    if result.count < lines {
      line = max(line - (lines - result.count), 0)
      while result.count < lines { result.append(Row()) }
    }
    if moved > 0 {
      let available = min(lines - line - 1, result.count - lines)
      let overflow = max(moved - available, 0)
      result.removeLast(moved - overflow)
      line = max(line - overflow, 0)
    }
    rows = result
  }

  /// Narrower: what is beyond the width goes to a new row, or to the start of the next one of the same line.
  mutating func shrink() {
    var result: [Row] = []
    var buffered: [TerminalCell] = []
    let count = rows.count
    for (index, original) in rows.enumerated() {
      var row = original
      let fromBottom = count - index - 1
      if !buffered.isEmpty {
        if fromBottom == lines - line - 1 { column += buffered.count }
        row.cells = buffered + row.cells
        buffered = []
      }
      while true {
        let cursorFromBottom = lines - line - 1
        let isBeyond = fromBottom == cursorFromBottom && column > columns
        guard row.cells.count > columns || isBeyond else {
          result.append(row)
          break
        }
        var wrapped = Array(row.cells.dropFirst(columns))
        let wasWrapped = row.isWrapped
        row.cells = Array(row.cells.prefix(columns))
        if columns > 1, row.cells.count == columns, row.cells[columns - 1].width == 2 {
          wrapped.insert(row.cells[columns - 1], at: 0)
          row.cells[columns - 1] = TerminalCell()
          row.cells[columns - 1].isSpacer = true
        }
        row.isWrapped = true
        result.append(row)
        if wasWrapped && fromBottom >= 1 && wrapped.count < columns && !wrapped.isEmpty {
          buffered = wrapped
          break
        }
        if fromBottom == cursorFromBottom && column < columns || fromBottom < cursorFromBottom {
          line = max(line - 1, 0)
        }
        if fromBottom == cursorFromBottom && column >= columns { column -= columns }
        row = Row()
        row.cells = wrapped
        row.isWrapped = wasWrapped
      }
    }
    rows = result
    let index = rows.count - lines + line
    if column == columns, rows.indices.contains(index), !rows[index].isWrapped {
      isPending = true
      column -= 1
    } else if column >= columns {
      line = min(line + column / columns, lines - 1)
      column %= columns
    }
  }
}
