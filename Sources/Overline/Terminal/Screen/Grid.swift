/// The cells of one screen (primary or alternate).
///
/// A ring of rows, each with its used length: scrolling changes numbers, and clears no cells.
struct Grid: Sendable {
  struct Row: Sendable {
    /// The index of its first cell.
    var start = 0
    /// Cells from here on are blank.
    var used = 0
    /// The background of those blank cells.
    var background: UInt32 = 0
    /// Whether the cells equal the terminal's.
    var isKnown = true
    /// True if the text continues in the next row: the line was wrapped, not ended.
    var isWrapped = false
  }

  private(set) var rows: Int
  private(set) var columns: Int
  var cells: [Cell]
  private var ring: [Row]
  /// The first row's place in the ring.
  private var first = 0

  init(rows: Int, columns: Int) {
    self.rows = rows
    self.columns = columns
    cells = [Cell](repeating: Cell(), count: rows * columns)
    ring = (0..<rows).map { Row(start: $0 * columns) }
  }

  @inline(__always)
  private func place(_ row: Int) -> Int {
    let place = first &+ row
    return place >= rows ? place &- rows : place
  }

  subscript(row: Int) -> Row {
    @inline(__always) get { ring[place(row)] }
    @inline(__always) _modify { yield &ring[place(row)] }
  }

  func cell(_ row: Int, _ column: Int) -> Cell {
    let info = self[row]
    return column < info.used ? cells[info.start + column] : .blank(info.background)
  }

  /// Fills in the cells before a column.
  @_optimize(speed)
  mutating func materialize(_ row: Int, upTo column: Int) {
    let info = self[row]
    guard info.used < column else { return }
    let blank = Cell.blank(info.background)
    var span = cells.mutableSpan
    for index in info.start + info.used..<info.start + column { span[index] = blank }
    self[row].used = column
  }

  mutating func set(_ row: Int, _ column: Int, _ cell: Cell) {
    materialize(row, upTo: column + 1)
    cells[self[row].start + column] = cell
  }

  mutating func clear(_ row: Int, background: UInt32) {
    let place = place(row)
    ring[place].used = 0
    ring[place].background = background
    ring[place].isKnown = true
    ring[place].isWrapped = false
  }

  /// Erases cells. If the range cuts a wide character at either end, its other half becomes blank too.
  @_optimize(speed)
  mutating func erase(_ row: Int, _ range: Range<Int>, background: UInt32) {
    guard !range.isEmpty else { return }
    splitWide(row, at: range.lowerBound)
    if range.upperBound >= columns {
      if range.lowerBound == 0 { return clear(row, background: background) }
      let place = place(row)
      if ring[place].background == background {
        ring[place].used = min(ring[place].used, range.lowerBound)
      } else {
        materialize(row, upTo: range.lowerBound)
        ring[place].used = range.lowerBound
        ring[place].background = background
      }
      ring[place].isWrapped = false
      return
    }
    splitWide(row, at: range.upperBound)
    if ring[place(row)].background == background && range.lowerBound >= ring[place(row)].used { return }
    materialize(row, upTo: range.upperBound)
    let start = ring[place(row)].start
    let blank = Cell.blank(background)
    for column in range { cells[start + column] = blank }
  }

  /// Turns a wide character across this border into two blanks. Call it before changing either half.
  @inline(__always)
  mutating func splitWide(_ row: Int, at column: Int) {
    let info = self[row]
    guard column > 0, column < info.used, cells[info.start + column].isTrailing else { return }
    cells[info.start + column] = .blank(cells[info.start + column].background)
    cells[info.start + column - 1] = .blank(cells[info.start + column - 1].background)
  }

  /// Moves cells of a row to the right (or left, by a negative amount) within a range; blanks come in.
  mutating func shift(_ row: Int, _ range: Range<Int>, by amount: Int, background: UInt32) {
    let distance = min(abs(amount), range.count)
    guard distance > 0 else { return }
    splitWide(row, at: range.lowerBound)
    splitWide(row, at: range.upperBound)
    if amount > 0 {
      splitWide(row, at: range.upperBound - distance)
    } else {
      splitWide(row, at: range.lowerBound + distance)
    }
    materialize(row, upTo: range.upperBound)
    let start = self[row].start
    let blank = Cell.blank(background)
    if amount > 0 {
      var column = range.upperBound - 1
      while column >= range.lowerBound + distance {
        cells[start + column] = cells[start + column - distance]
        column -= 1
      }
      for column in range.lowerBound..<range.lowerBound + distance { cells[start + column] = blank }
    } else {
      for column in range.lowerBound..<range.upperBound - distance {
        cells[start + column] = cells[start + column + distance]
      }
      for column in range.upperBound - distance..<range.upperBound { cells[start + column] = blank }
    }
    self[row].isWrapped = false
  }

  /// Moves the whole screen up by a row.
  @inline(__always)
  mutating func scrollUp(background: UInt32) {
    let place = first
    first = first &+ 1 == rows ? 0 : first &+ 1
    ring[place].used = 0
    ring[place].background = background
    ring[place].isKnown = true
    ring[place].isWrapped = false
  }

  /// Moves rows up within a range (down by a negative amount); blank rows come in.
  mutating func scroll(_ range: Range<Int>, by amount: Int, background: UInt32) {
    let distance = min(abs(amount), range.count)
    guard distance > 0 else { return }
    if range.count == rows && amount > 0 {
      for _ in 0..<distance { scrollUp(background: background) }
      return
    }
    let moved = range.map { self[$0] }
    for (index, row) in moved.enumerated() {
      let shifted = (index + (amount > 0 ? moved.count - distance : distance)) % moved.count
      self[range.lowerBound + shifted] = row
    }
    let cleared =
      amount > 0
      ? range.upperBound - distance..<range.upperBound
      : range.lowerBound..<range.lowerBound + distance
    for row in cleared { clear(row, background: background) }
  }

  /// Moves rows up within a range, in a part of the columns.
  mutating func scroll(_ range: Range<Int>, columns: Range<Int>, by amount: Int, background: UInt32) {
    if columns.count == self.columns { return scroll(range, by: amount, background: background) }
    let distance = min(abs(amount), range.count)
    guard distance > 0 else { return }
    for row in range {
      splitWide(row, at: columns.lowerBound)
      splitWide(row, at: columns.upperBound)
      materialize(row, upTo: columns.upperBound)
    }
    let targets = Array(range)
    for target in amount > 0 ? targets : targets.reversed() {
      let source = amount > 0 ? target + distance : target - distance
      if range.contains(source) {
        copy(source, to: target, columns)
      } else {
        erase(target, columns, background: background)
      }
    }
  }

  private mutating func copy(_ source: Int, to target: Int, _ columns: Range<Int>) {
    materialize(target, upTo: columns.upperBound)
    let from = self[source].start
    let to = self[target].start
    for column in columns { cells[to + column] = cells[from + column] }
    if !self[source].isKnown { self[target].isKnown = false }
  }

  /// Rebuilds the grid from the rows with these numbers, in this order; nil is a new blank row. New columns are blank.
  mutating func rebuild(_ numbers: [Int?], columns newColumns: Int) {
    var grid = Grid(rows: numbers.count, columns: newColumns)
    for (row, number) in numbers.enumerated() {
      guard let number else { continue }
      let info = self[number]
      if newColumns < columns { splitWide(number, at: newColumns) }
      let used = min(info.used, newColumns)
      for column in 0..<used { grid.cells[row * newColumns + column] = cells[info.start + column] }
      grid[row].used = used
      grid[row].background = info.background
      grid[row].isKnown = info.isKnown
      grid[row].isWrapped = info.isWrapped
    }
    self = grid
  }

  /// Splits all lines anew, as terminals do when they reflow. The number of rows changes.
  ///
  /// - Parameter cursors: moved with their cells.
  mutating func reflow(columns newColumns: Int, following cursors: inout [Screen.Cursor]) {
    var pieces: [(cells: ArraySlice<Cell>, background: UInt32, isWrapped: Bool)] = []
    let old = cursors
    var row = 0
    while row < rows {
      let first = row
      var line: [Cell] = []
      var starts: [Int] = []
      repeat {
        starts.append(line.count)
        // A wide character that begins the next row leaves one column free.
        let width = self[row].isWrapped && self[row].used < columns - 1 ? columns : self[row].used
        line += (0..<width).map { cell(row, $0) }
        row += 1
      } while row < rows && self[row - 1].isWrapped
      let top = pieces.count
      var begins = [0]
      while true {
        let begin = begins.last!
        var end = min(begin + newColumns, line.count)
        if end < line.count, end > begin + 1, line[end].isTrailing { end -= 1 }
        pieces.append((line[begin..<end], self[row - 1].background, end < line.count))
        guard end < line.count else { break }
        begins.append(end)
      }
      for (index, cursor) in old.enumerated() where (first..<row).contains(cursor.row) {
        let offset = starts[cursor.row - first] + cursor.column
        let piece = begins.lastIndex { $0 <= offset } ?? 0
        cursors[index] = Screen.Cursor(row: top + piece, column: min(offset - begins[piece], newColumns - 1))
      }
    }
    var grid = Grid(rows: pieces.count, columns: newColumns)
    for (row, piece) in pieces.enumerated() {
      for (column, cell) in piece.cells.enumerated() { grid.cells[row * newColumns + column] = cell }
      grid[row].used = piece.cells.count
      grid[row].background = piece.background
      grid[row].isWrapped = piece.isWrapped
    }
    self = grid
  }

  mutating func forget() {
    for index in ring.indices { ring[index].isKnown = false }
  }

  func forEachCell(_ body: (Cell) -> Void) {
    for row in ring { for index in row.start..<row.start + row.used { body(cells[index]) } }
  }

  mutating func changeEachCell(_ change: (inout Cell) -> Void) {
    for row in ring { for index in row.start..<row.start + row.used { change(&cells[index]) } }
  }
}
