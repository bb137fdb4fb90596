/// The screen that a program has drawn: cells, cursor, pen and modes after all of its output so far, as in xterm.
///
/// Rows and columns count from 0. For any input it neither fails nor grows. Numbers are clamped, rare properties are in tables of bounded
/// size, and an unsupported sequence changes nothing, or makes the rows unknown that it may have changed.
package struct Screen: ~Copyable {
  package struct Cursor: Equatable, Sendable {
    package var row = 0
    package var column = 0
    /// True after printing in the last column: the next character begins a new row (xterm's "do wrap").
    package var isWrapPending = false
    /// The number of characters, since its column was certain, about whose columns terminals disagree. Each takes at most a column more in a
    /// terminal than here, or two fewer.
    var disputes = 0
  }

  /// The rows and columns that scroll, including the last ones.
  package struct Margins: Equatable, Sendable {
    package var top: Int
    package var bottom: Int
    package var left: Int
    package var right: Int
  }

  /// The state that DECSC saves.
  package struct SavedCursor: Equatable, Sendable {
    package var cursor: Cursor
    package var pen: Style
    package var charsets: Charsets
    package var isOrigin: Bool
    /// Whether the cursor's row was known at the time of saving.
    package var isRowKnown: Bool
    package var isColumnKnown: Bool
    /// The gap (``Knowledge/gap``) in which it was saved. A place that becomes known in another gap does not apply to it.
    var gap: Int
  }

  private let addressOnly = AddressOnly()

  package enum Kind: Sendable {
    case primary
    case alternate
  }

  /// The maximum number of rows or columns; no real terminal has more. The cells of the largest grid occupy 16 MB.
  package static let maximumSide = 4096
  private static let maximumCells = 1 << 20
  /// The number of rows that are kept after they have scrolled out of the primary screen, in case the terminal grows.
  private static let historyLimit = 64

  // The visible screen, and the other one. The alternate screen is created when it is first needed.
  var grid: Grid
  var other: Grid?
  public internal(set) var isAlternate = false
  public internal(set) var cursor = Cursor()
  var brush = Brush()
  public internal(set) var modes = Modes()
  public internal(set) var charsets = Charsets()
  public internal(set) var margins: Margins
  var saved = Saved()
  var tabStops: TabStops
  var knowledge: Knowledge
  var isSkimming = false
  /// False while the window makes the terminal do at the right margin what the screen does.
  var doubtsMargins = true
  var tables = CellTables()
  /// The last printed scalar, for REP.
  var lastPrinted: UInt32 = 0
  var unfinished = UnfinishedOutput()

  /// - Parameter isKnown: false when the terminal may already show something and its cursor may be anywhere.
  package init(rows: Int, columns: Int, isKnown: Bool = false) {
    let size = Self.clamped(rows: rows, columns: columns)
    grid = Grid(rows: size.rows, columns: size.columns, historyLimit: Self.historyLimit)
    margins = Margins(top: 0, bottom: size.rows - 1, left: 0, right: size.columns - 1)
    tabStops = TabStops(columns: size.columns)
    knowledge = Knowledge(isKnown: isKnown)
    if !isKnown {
      grid.forget()
      cursor.row = size.rows - 1
    }
  }

  static func clamped(rows: Int, columns: Int) -> (rows: Int, columns: Int) {
    let columns = max(1, min(columns, maximumSide))
    return (max(1, min(rows, maximumSide, maximumCells / columns)), columns)
  }

  package var rows: Int { grid.rows }
  package var columns: Int { grid.columns }
  /// Whether the cursor's row is certain. Otherwise it is assumed to be the last row, and moves with later output.
  package var isRowKnown: Bool { knowledge.isRowKnown }
  package var isColumnKnown: Bool { knowledge.isColumnKnown }
  package var isCursorKnown: Bool { knowledge.isCursorKnown }
  package var kind: Kind { isAlternate ? .alternate : .primary }

  /// The state that DECRC would restore on the visible screen.
  package var savedCursor: SavedCursor? { savedCursor(of: kind) }
  package func savedCursor(of kind: Kind) -> SavedCursor? { saved[kind] }

  /// The link that printed text gets.
  package var link: Hyperlink? { tables.rareStyles.links[brush.linkNumber] }

  /// Whether the next byte is outside any control string or unfinished sequence.
  package var isGround: Bool { unfinished.isGround }

  // MARK: Output

  package mutating func write(_ bytes: [UInt8]) { parse(unfinished.complete(with: bytes)) }

  private mutating func parse(_ bytes: [UInt8]) {
    var parser = unfinished.parser
    let end = parser.parse(bytes.span, &self)
    unfinished.parser = parser
    if end < bytes.count { unfinished.tail = Array(bytes[end...]) }
  }

  /// Follows a flood of output without drawing it: keeps modes, margins, pen and saved cursors, but neither cells nor the cursor.
  package mutating func skim(_ bytes: [UInt8]) {
    isSkimming = true
    forget()
    if unfinished.parser.isGround {
      let skimming = Skimming(unfinished.complete(with: bytes).span)
      parse(skimming.essence)
      if !skimming.isPlain { knowledge.isBlankBelow = false }
    } else {
      write(bytes)
      knowledge.isBlankBelow = false
    }
    // The skimmed bytes may have moved the cursor too.
    forget()
    lastPrinted = 0
    charsets.singleShift = nil
    isSkimming = false
  }

  // MARK: Cells

  package func cell(row: Int, column: Int) -> ScreenCell {
    guard row >= 0 && row < rows && column >= 0 && column < columns else {
      return ScreenCell(text: "", width: 1, style: Style(), link: nil)
    }
    return tables.contents(grid.cell(row, column))
  }

  /// Whether the row's cells are known: they are what the program has drawn.
  package func isKnown(row: Int) -> Bool { row >= 0 && row < rows && grid[row].isKnown }

  /// Whether the row's text continues in the next row.
  package func isWrapped(row: Int) -> Bool { row >= 0 && row < rows && grid[row].isWrapped }

  /// The first row of this row's line, as far as the line is on the screen.
  func lineStart(of row: Int) -> Int {
    var row = row
    while isWrapped(row: row - 1) { row -= 1 }
    return row
  }

  /// The number of columns of a row up to its last used cell.
  func usedColumns(row: Int) -> Int { row >= 0 && row < rows ? grid[row].used : 0 }

  /// About the number of bytes that print all rows in place.
  var repaintBytes: Int { (0..<rows).reduce(0) { $0 + grid[$1].used + 24 } }

  var isBlankBelowCursor: Bool { (cursor.row + 1..<max(rows, cursor.row + 1)).allSatisfy { isBlank(row: $0) } }

  /// Whether the row certainly shows nothing, not even a background colour.
  package func isBlank(row: Int) -> Bool {
    guard row >= 0 && row < rows else { return true }
    let info = grid[row]
    return info.isKnown && info.background == 0 && (0..<info.used).allSatisfy { grid.cells[info.start + $0].isBlank }
  }
}
