/// The cells of one screen (primary or alternate), and the last rows that scrolled out of it.
///
/// A ring of rows, each with its used length: scrolling changes numbers, and clears no cells. A row that has left is still in the ring: the
/// last one is row -1. A terminal that grows takes these rows back.
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
    /// True if the row may have text about whose columns terminals disagree.
    var isDisputed = false
    /// The number of its mark in ``RowMarks``; 0 for none.
    var mark: UInt8 = 0
    /// True if a smaller width has cut off its end since it was last blank.
    var isCutOff = false

    @inline(__always)
    mutating func clear(background: UInt32) {
      self = Row(start: start, background: background)
    }
  }

  private(set) var rows: Int
  private(set) var columns: Int
  var cells: [Cell]
  var ring: [Row]
  /// The first row's place in the ring.
  var first = 0
  /// The number of rows that have scrolled out and are kept. The terminal has the same rows at the end of its scrollback.
  var history = 0
  let historyLimit: Int
  /// The whole rows that a smaller width has cut off, by the index of their first cell. They may have changed since, see ``Row/isCutOff``.
  private var cutOff: [Int: [Cell]] = [:]
  /// The number of rows in the ring. One more than are kept: whether it is wrapped tells whether the oldest kept row continues a line.
  private let capacity: Int

  init(rows: Int, columns: Int, historyLimit: Int = 0) {
    self.rows = rows
    self.columns = columns
    self.historyLimit = historyLimit
    let capacity = rows + historyLimit + 1
    self.capacity = capacity
    cells = [Cell](repeating: Cell(), count: capacity * columns)
    ring = (0..<capacity).map { Row(start: $0 * columns) }
  }

  @inline(__always)
  private func place(_ row: Int) -> Int {
    let place = first &+ row
    return place >= capacity ? place &- capacity : place
  }

  /// A row of the screen, or by a negative number one that has scrolled out.
  func kept(_ row: Int) -> Row { row < 0 && first + row < 0 ? ring[first + row + capacity] : self[row] }

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
    ring[place(row)].clear(background: background)
  }

  /// Erases cells. If the range cuts a wide character at either end, its other half becomes blank too.
  @_optimize(speed)
  mutating func erase(_ row: Int, _ range: Range<Int>, background: UInt32) {
    guard !range.isEmpty else { return }
    splitWide(row, at: range.lowerBound)
    if range.upperBound >= columns {
      let place = place(row)
      if range.lowerBound == 0 {
        // Terminals keep the mark.
        let mark = ring[place].mark
        ring[place].clear(background: background)
        ring[place].mark = mark
        return
      }
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

  /// Moves cells of a row to the right (or left, by a negative amount) within a range; blanks come in. A row up to the margin becomes longer or
  /// shorter by this amount, as in terminals: its length decides how many rows the line needs at another width.
  mutating func shift(_ row: Int, _ range: Range<Int>, by amount: Int, background: UInt32) {
    let distance = min(abs(amount), range.count)
    guard distance > 0 else { return }
    let old = self[row]
    splitWide(row, at: range.lowerBound)
    splitWide(row, at: range.upperBound)
    splitWide(row, at: amount > 0 ? range.upperBound - distance : range.lowerBound + distance)
    materialize(row, upTo: range.upperBound)
    let start = old.start
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
    let isText = old.used > range.lowerBound
    guard range.upperBound == columns, background == old.background || isText && amount > 0 else { return }
    self[row].used = isText ? max(range.lowerBound, min(columns, old.used + amount)) : old.used
  }

  /// Moves the whole screen up by a row. The first row is kept, as the terminal keeps it in its scrollback.
  @inline(__always)
  mutating func scrollUp(background: UInt32) {
    first = first &+ 1 == capacity ? 0 : first &+ 1
    if history < historyLimit { history &+= 1 }
    ring[place(rows &- 1)].clear(background: background)
  }

  /// Moves rows up within a range (down by a negative amount); blank rows come in.
  mutating func scroll(_ range: Range<Int>, by amount: Int, background: UInt32) {
    let distance = min(abs(amount), range.count)
    guard distance > 0 else { return }
    // Terminals differ in whether they save the first row, and foot 1.13 blanks a saved one when rows move down.
    defer { if range.lowerBound == 0 { forgetHistory() } }
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

  /// Rebuilds the grid from the rows with these numbers, in this order; nil is a new blank row, and a negative number a kept one. New
  /// columns are blank, or show again what a smaller width has cut off, if the row is still the same. The rows before the first one are kept.
  mutating func rebuild(_ numbers: [Int?], columns newColumns: Int) {
    var grid = Grid(rows: numbers.count, columns: newColumns, historyLimit: historyLimit)
    let end = numbers.lazy.compactMap { $0 }.first ?? rows
    let start = max(-history, end - historyLimit)
    grid.history = end - start
    grid.first = grid.history + 1
    grid.ring[0].isWrapped = kept(start - 1).isWrapped
    for (row, number) in ((start..<end).map { $0 } + numbers).enumerated() {
      guard let number else { continue }
      var info = kept(number)
      let whole = whole(info)
      let visible = Self.cut(whole, at: newColumns)
      let target = grid.ring[row + 1].start
      for (column, cell) in visible.enumerated() { grid.cells[target + column] = cell }
      info.isCutOff = visible.count < whole.count
      if info.isCutOff { grid.cutOff[target] = Array(whole) }
      info.start = target
      info.used = visible.count
      grid.ring[row + 1] = info
    }
    self = grid
  }

  /// A row's cells, with those that a smaller width has cut off.
  private func whole(_ row: Row) -> ArraySlice<Cell> {
    let visible = cells[row.start..<row.start + row.used]
    guard row.isCutOff, let whole = cutOff[row.start], visible.elementsEqual(Self.cut(whole[...], at: columns)) else {
      return visible
    }
    return whole[...]
  }

  /// The cells that fit into a width. A wide character of which only the left half fits is blank.
  private static func cut(_ cells: ArraySlice<Cell>, at columns: Int) -> ArraySlice<Cell> {
    guard cells.count > columns else { return cells }
    var visible = cells.prefix(columns)
    let next = cells[visible.endIndex]
    if next.isTrailing { visible[visible.endIndex - 1] = .blank(next.background) }
    return visible
  }

  /// Ends the line above a row: the row begins one.
  mutating func endLine(above row: Int) {
    if row > 0 {
      self[row - 1].isWrapped = false
    } else {
      ring[first == 0 ? capacity - 1 : first - 1].isWrapped = false
    }
  }

  /// The numbers of the last rows that have scrolled out; nil if not all of them are kept and known.
  func known(last count: Int) -> [Int]? {
    let numbers = (-count..<0)
    return count <= history && numbers.allSatisfy { kept($0).isKnown } ? Array(numbers) : nil
  }

  /// Whether the last row that has scrolled out continues in the first row.
  var isContinuedAtTop: Bool { kept(-1).isWrapped }

  /// Call this when the terminal's scrollback ends with only this many of the rows that scrolled out here.
  mutating func keepHistory(_ count: Int) { history = min(history, count) }

  /// Call this when the terminal's scrollback may end with other rows than those that scrolled out here.
  mutating func forgetHistory() { history = 0 }

  /// The number of cells above the screen of the line that continues in the first row; 0 if the first row begins a line. Nil if the line begins
  /// above the kept rows, or has a row that is not full, before a wide character.
  var cellsAboveTop: Int? {
    var rows = 0
    while kept(-rows - 1).isWrapped {
      guard rows < history, kept(-rows - 1).used == columns else { return nil }
      rows += 1
    }
    return rows * columns
  }

  /// Call this when the first row begins a line for the terminal, whatever the scrollback ended with.
  mutating func beginLineAtTop() {
    history = 0
    endLine(above: 0)
  }

  /// Drops the rows that have scrolled out, and their cells.
  mutating func dropHistory() {
    history = 0
    for row in rows..<capacity { ring[place(row)].used = 0 }
  }

  mutating func forget() {
    history = 0
    cutOff = [:]
    for index in ring.indices { ring[index].isKnown = false }
  }

  func forEachCell(_ body: (Cell) -> Void) {
    for row in ring { for index in row.start..<row.start + row.used { body(cells[index]) } }
    for row in cutOff.values { for cell in row { body(cell) } }
  }

  mutating func changeEachCell(_ change: (inout Cell) -> Void) {
    for row in ring { for index in row.start..<row.start + row.used { change(&cells[index]) } }
    for start in cutOff.keys { for index in cutOff[start]!.indices { change(&cutOff[start]![index]) } }
  }
}
