/// The rows of one screen, and its scrollback.
struct Screen: Sendable {
  var rows: [Row]
  var history: RowDeque
  /// VTE: the rows from the top that exist; the terminal creates the others when something reaches them.
  var touched = 1
  /// tmux: the newest rows of the scrollback that a taller terminal takes back (not those that an erasure saved).
  var restorable = 0

  init(rows: Int, historyLimit: Int) {
    self.rows = Array(repeating: Row(), count: rows)
    history = RowDeque(limit: historyLimit)
  }

  /// Moves the rows `top`…`bottom` up; `saves` sends those that leave to the scrollback.
  mutating func scrollUp(top: Int, bottom: Int, count: Int, saves: Bool, blank: Row) {
    let count = min(count, bottom - top + 1)
    guard count > 0 else { return }
    if saves {
      for index in top..<top + count { history.append(rows[index]) }
      restorable = min(restorable + count, history.count)
    }
    // In place: `removeSubrange` and `insert` would move the rows below twice.
    for index in top...bottom { rows[index] = index + count <= bottom ? rows[index + count] : blank }
    touched = rows.count
  }

  mutating func scrollDown(top: Int, bottom: Int, count: Int, blank: Row) {
    let count = min(count, bottom - top + 1)
    guard count > 0 else { return }
    for index in stride(from: bottom, through: top, by: -1) {
      rows[index] = index - count >= top ? rows[index - count] : blank
    }
    rows[bottom].isWrapped = false
    endLine(above: top)
    touched = rows.count
  }

  /// The line that reaches from the row above into `row` ends above.
  mutating func endLine(above row: Int) {
    if row > 0 { rows[row - 1].isWrapped = false } else { history.endLastLine() }
  }

  mutating func touch(_ row: Int) {
    if row >= touched { touched = row + 1 }
  }
}
