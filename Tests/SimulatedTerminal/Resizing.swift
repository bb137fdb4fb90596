/// What a terminal does with its rows at a new size.
package struct Resizing: Sendable {
  package let name: String
  /// False for a terminal without a scrollback.
  package var hasHistory = true
  /// ECH, EL 2 and ED 1 make cells that a reflow keeps.
  package var keepsErasedCells = false
  let apply: @Sendable (inout ResizeJob) -> Void

  init(_ name: String, hasHistory: Bool = true, apply: @escaping @Sendable (inout ResizeJob) -> Void) {
    self.name = name
    self.hasHistory = hasHistory
    self.apply = apply
  }
}

/// The rows and the cursor of one screen on their way to a new size.
struct ResizeJob {
  var history: [Row]
  var rows: [Row]
  let oldColumns: Int
  let newRows: Int
  let columns: Int
  var row: Int
  var column: Int
  var isPending: Bool
  var savedRow: Int
  var touched: Int
  var restorable: Int
  let redrawsPrompt: Bool

  init(_ terminal: SimulatedTerminal, rows newRows: Int, columns: Int, isOther: Bool = false) {
    let screen = isOther ? terminal.otherScreen : terminal.screen
    let cursor = isOther ? terminal.otherSaved : terminal.position
    history = Array(screen.history.rows)
    rows = screen.rows
    oldColumns = terminal.columns
    self.newRows = newRows
    self.columns = columns
    row = cursor.row
    column = cursor.column
    isPending = cursor.isWrapPending
    savedRow = isOther ? 0 : terminal.saved.row
    touched = screen.touched
    restorable = screen.restorable
    redrawsPrompt =
      terminal.redrawsPrompt && terminal.family.marks.resizeBlanksPrompt && !isOther && !terminal.isAlternate
  }

  func result(of old: Screen) -> Screen {
    var screen = old
    if old.history.limit > 0 { screen.history.replace(with: history) }
    screen.rows = rows
    screen.touched = min(max(touched, 1), newRows)
    screen.restorable = min(restorable, screen.history.count)
    return screen
  }

  var oldRows: Int { rows.count }

  /// The cursor's column, one beyond the last while a wrap is pending.
  var logicalColumn: Int { isPending ? oldColumns : column }

  /// Sets the column; one beyond the last becomes a pending wrap.
  mutating func setLogicalColumn(_ value: Int) {
    isPending = value >= columns
    column = min(value, columns - 1)
  }

  /// Drops rows below the cursor, then pushes rows from the top; or takes rows back.
  mutating func followHeight(takesBack: Int) {
    if newRows < rows.count {
      let pushed = max(0, row + 1 - newRows)
      history += rows.prefix(pushed)
      restorable += pushed
      rows = Array(rows[pushed..<pushed + newRows])
      row -= pushed
      savedRow -= pushed
    } else if newRows > rows.count {
      let taken = min(takesBack, newRows - rows.count, history.count)
      rows = history.suffix(taken) + rows
      history.removeLast(taken)
      restorable -= min(taken, restorable)
      row += taken
      savedRow += taken
      fill()
    }
  }

  /// Adds blank rows below.
  mutating func fill() {
    while rows.count < newRows { rows.append(Row()) }
  }

  /// Cuts the rows of the screen at the new width.
  mutating func cutWidth() {
    guard columns < oldColumns else { return }
    for index in rows.indices { rows[index].cut(to: columns) }
  }

  mutating func clampColumn() {
    if column >= columns { column = columns - 1 }
  }
}

extension Resizing {
  /// xterm: no reflow. The scrollback keeps the width of its rows; what comes back from it is cut. xterm's rows have a
  /// multiple of four cells: up to three stay hidden beyond the last column, and a wider window shows them again.
  static let xterm = Resizing("xterm") { cutRows(&$0, unit: 4) }

  /// No reflow.
  static let cut = Resizing("cut") { cutRows(&$0, unit: 1) }

  /// st: as xterm, without a scrollback. A wrap that is pending is cancelled.
  static let st = Resizing("st", hasHistory: false) { job in
    job.followHeight(takesBack: 0)
    job.history = []
    job.cutWidth()
    job.clampColumn()
    job.isPending = false
  }

  /// Rows leave and come at the bottom; the cursor stays in its row.
  static let cutAtTop = Resizing("cutAtTop") { job in
    job.rows = Array(job.rows.prefix(job.newRows))
    job.fill()
    job.cutWidth()
    job.clampColumn()
    job.row = min(job.row, job.newRows - 1)
  }
}

private func cutRows(_ job: inout ResizeJob, unit: Int) {
  job.followHeight(takesBack: job.history.count)
  let columns = (job.columns + unit - 1) / unit * unit
  for index in job.rows.indices { job.rows[index].cut(to: columns) }
  job.clampColumn()
}

extension Resizing {
  /// A narrower terminal cuts its lines off.
  package var cutsLines: Bool { ["xterm", "cut", "st"].contains(name) }
}
