extension Resizing {
  /// kitty 0.26.5, `screen_resize` and `rewrap_inner`: nothing comes back from the scrollback; rows are cut at the new
  /// width even inside a wide character; the cursor follows its character by a rule with gaps, kept here.
  static let kitty = Resizing("kitty") { job in
    if job.columns != job.oldColumns {
      var ignored = Track(row: -1, column: 0)
      job.history = rewrap(job.history, count: job.history.count, to: job, limit: nil, track: &ignored).rows
    }
    if job.redrawsPrompt { blankPrompt(&job) }
    let content = (job.rows.lastIndex { $0.cells.contains(where: \.isWritten) } ?? -1) + 1
    var track = Track(row: job.row, column: job.logicalColumn)
    guard content > 0 else {
      job.rows = []
      job.fill()
      job.row = min(job.row, job.newRows - 1)
      job.column = min(job.logicalColumn, job.columns - 1)
      job.isPending = false
      return
    }
    let wasBeyond = job.row >= content
    let result = rewrap(job.rows, count: content, to: job, limit: job.newRows, track: &track)
    job.history += result.pushed
    job.rows = result.rows
    job.fill()
    job.row = min(track.row, job.newRows - 1)
    job.column = min(track.column, job.columns - 1)
    job.isPending = false
    if wasBeyond {
      job.row = result.rows.count
      if job.row >= job.newRows {
        job.row = job.newRows - 1
        job.history.append(job.rows.removeFirst())
        job.rows.removeLast(job.rows.count - job.newRows + 1)
        job.fill()
      }
    }
  }
}

private struct Track {
  var row: Int
  var column: Int
}

/// The shell will draw its prompt again: its rows, from the last A without a C, become blank.
private func blankPrompt(_ job: inout ResizeJob) {
  guard let start = job.rows.prefix(job.row + 1).lastIndex(where: { $0.mark != 0 }),
    job.rows[start].mark == UInt8(ascii: "A")
  else { return }
  if start > 0 { job.rows[start - 1].isWrapped = false }
  for index in start..<job.rows.count {
    job.rows[index].cells = index <= job.row ? [TerminalCell(text: " ", style: CellStyle(), link: 0, width: 1)] : []
    job.rows[index].isWrapped = false
  }
}

/// Copies rows to rows of another width; those beyond `limit` are pushed out at the top.
private func rewrap(
  _ source: [Row], count: Int, to job: ResizeJob, limit: Int?, track: inout Track
) -> (rows: [Row], pushed: [Row]) {
  var rows: [Row] = []
  var pushed: [Row] = []
  var line = 0

  func begin(_ mark: UInt8, isContinued: Bool) {
    if isContinued, !rows.isEmpty { rows[rows.count - 1].isWrapped = true }
    if let limit, rows.count == limit { pushed.append(rows.removeFirst()) }
    rows.append(Row())
    rows[rows.count - 1].mark = mark
    line = rows.count - 1
  }

  guard count > 0 else { return ([], []) }
  begin(source[0].mark, isContinued: false)
  var used = 0
  for index in 0..<count {
    let isTracked = track.row == index
    let row = source[index]
    let isContinued = row.isWrapped && index + 1 < source.count
    let length = isContinued ? job.oldColumns : row.length(where: \.isWritten)
    if isTracked && track.column >= length { track.column = max(1, length) - 1 }
    var from = 0
    while from < length {
      if used >= job.columns {
        begin(0, isContinued: true)
        used = 0
      }
      let number = min(job.oldColumns - from, job.columns - used)
      let cells = row.cells.dropFirst(from).prefix(number)
      if !cells.isEmpty {
        rows[line].extend(to: used)
        rows[line].cells += cells
      }
      if isTracked, from <= track.column, track.column < from + number {
        track.row = line
        track.column = used + track.column - from + (track.column > 0 ? 1 : 0)
      }
      from += number
      used += number
    }
    if !isContinued && index + 1 < count {
      begin(source[index + 1].mark, isContinued: false)
      used = 0
    }
  }
  // The first row of the screen may continue the last one of the scrollback.
  if limit == nil, let last = source.last, last.isWrapped { rows[rows.count - 1].isWrapped = true }
  return (rows, pushed)
}
