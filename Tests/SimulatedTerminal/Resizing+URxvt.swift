extension Resizing {
  /// urxvt 9.30, `rxvt_term::scr_reset`. With a scrollback, lines are wrapped again, the last row stays the last row,
  /// blank or not, and the cursor keeps its column and stands in the first row of its line. Without one, rows are cut at
  /// the right and at the bottom.
  static let urxvt = Resizing("urxvt") { job in
    guard !job.history.isEmpty else { return cutAtTop.apply(&job) }
    var result: [Row] = []
    let source = job.history + job.rows
    let cursor = job.history.count + job.row
    var place = 0
    for paragraph in paragraphs(of: source, length: \.cells.count) {
      let last = source[paragraph.start + paragraph.count - 1].cells.count
      let length = (paragraph.count - 1) * job.oldColumns + last
      if paragraph.start..<paragraph.start + paragraph.count ~= cursor { place = result.count }
      let count = max(0, length - 1) / job.columns + 1
      for index in 0..<count {
        var row = Row()
        for offset in index * job.columns..<min(length, (index + 1) * job.columns) {
          row.cells.append(source[paragraph.start + offset / job.oldColumns][offset % job.oldColumns])
        }
        row.isWrapped = index + 1 < count
        result.append(row)
      }
    }
    job.row = place - (result.count - job.newRows)
    let missing = job.newRows - result.count
    if missing > 0 { result = Array(repeating: Row(), count: missing) + result }
    let history = result.count - job.newRows
    job.history = Array(result.prefix(history))
    job.rows = Array(result.dropFirst(history))
    job.row = min(max(job.row, 0), job.newRows - 1)
    job.clampColumn()
  }
}
