extension Resizing {
  /// VTE 0.70, `Terminal::screen_set_size` and `Ring::rewrap`.
  static let vte = {
    var resizing = Resizing("vte") { resize(&$0, rewraps: true) }
    resizing.keepsErasedCells = true
    return resizing
  }()

  static let vteAlternate = Resizing("vteAlternate") { job in
    resize(&job, rewraps: false)
    job.history = []
  }
}

/// Rows below the cursor's logical line are dropped, as many as the height lacks and are not needed at the bottom; the
/// last row that exists stays at the bottom once there is a scrollback.
private func resize(_ job: inout ResizeJob, rewraps: Bool) {
  var ring = job.history + job.rows.prefix(job.touched)
  var cursor = job.history.count + job.row
  var saved = job.history.count + job.savedRow
  var column = job.logicalColumn
  var below = cursor + 1
  while below < ring.count && ring[below - 1].isWrapped { below += 1 }
  let oldTopLines = below - job.history.count
  if rewraps && job.columns != job.oldColumns {
    var markers = [saved, below]
    rewrap(&ring, columns: job.columns, cursor: &cursor, column: &column, markers: &markers)
    (saved, below) = (markers[0], markers[1])
  }
  var insert = 0
  if ring.count > job.newRows {
    insert = ring.count - job.newRows
    let newTopLines = below - insert
    let drop = min(ring.count - job.newRows, ring.count - below, oldTopLines - newTopLines)
    if drop > 0 { ring.removeLast(drop) }
    insert = max(ring.count - job.newRows, 0)
  }
  job.history = Array(ring.prefix(insert))
  job.rows = Array(ring.suffix(from: insert))
  job.touched = job.rows.count
  job.fill()
  job.row = max(min(cursor, ring.count - 1) - insert, 0)
  job.savedRow = saved - insert
  if rewraps {
    job.setLogicalColumn(column)
  } else {
    job.cutWidth()
    job.setLogicalColumn(min(column, job.columns))
  }
}

/// Wraps the logical lines again. The cursor stays at its character, or as far behind the line's end as it was; `markers`
/// are starts of rows.
private func rewrap(_ ring: inout [Row], columns: Int, cursor: inout Int, column: inout Int, markers: inout [Int]) {
  var result: [Row] = []
  let old = ring.count
  var newCursor: (row: Int, column: Int)?
  var newMarkers: [Int?] = markers.map { _ in nil }
  for paragraph in paragraphs(of: ring, length: \.cells.count) {
    let rows = paragraph.rows(columns: columns)
    let range = paragraph.start..<paragraph.start + paragraph.count
    if range.contains(cursor) {
      let length = ring[cursor].cells.lazy.filter { !$0.isSpacer }.count
      let beyond = max(column - length, 0)
      var place = place(of: paragraph.offsets[cursor - paragraph.start] + min(column, length), in: rows)
      if place.column == rows[place.row].cells.count { place.column += beyond }
      newCursor = (result.count + place.row, place.column)
    }
    for (index, marker) in markers.enumerated() where range.contains(marker) {
      newMarkers[index] = result.count + rowIndex(of: paragraph.offsets[marker - paragraph.start], in: rows)
    }
    result += rows
  }
  ring = result
  if let newCursor { (cursor, column) = newCursor } else { cursor += result.count - old }
  for index in markers.indices { markers[index] = newMarkers[index] ?? markers[index] - old + result.count }
}

private func rowIndex(of offset: Int, in rows: [Row]) -> Int { place(of: offset, in: rows).row }
