/// The scrollback: rows that are appended and taken at the end, and dropped at the start beyond a limit.
struct RowDeque: Sendable {
  private var storage: [Row] = []
  private var start = 0
  let limit: Int

  init(limit: Int) { self.limit = limit }

  var count: Int { storage.count - start }
  var isEmpty: Bool { count == 0 }
  var rows: ArraySlice<Row> { storage[start...] }
  var lastRow: Row? { isEmpty ? nil : storage[storage.count - 1] }

  mutating func append(_ row: Row) {
    guard limit > 0 else { return }
    storage.append(row)
    guard count > limit else { return }
    storage[start] = Row()
    start += 1
    if start > limit {
      storage.removeFirst(start)
      start = 0
    }
  }

  mutating func removeLast(_ number: Int) -> [Row] {
    let taken = Array(storage.suffix(min(number, count)))
    storage.removeLast(taken.count)
    return taken
  }

  /// Sets `isWrapped` of the newest row.
  mutating func endLastLine() {
    if !isEmpty { storage[storage.count - 1].isWrapped = false }
  }

  mutating func replace(with rows: [Row]) {
    storage = rows.count > limit ? Array(rows.suffix(limit)) : rows
    start = 0
  }
}
