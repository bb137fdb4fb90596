/// A row of the screen or of the scrollback.
struct Row: Hashable, Sendable {
  /// The cells up to the last one that was touched; the rest of the row is blank.
  var cells: [TerminalCell] = []
  /// The row continues in the next one: the terminal wrapped it.
  var isWrapped = false
  /// foot: the row ends a line. Blank rows without an end vanish at a resize.
  var isEnded = false
  /// `A` or `C` of OSC 133; 0 for none.
  var mark: UInt8 = 0

  init() {}

  init(background: CellColor, columns: Int) {
    if background != .standard {
      cells = Array(repeating: TerminalCell(erasedWith: background), count: columns)
    }
  }

  subscript(column: Int) -> TerminalCell { column < cells.count ? cells[column] : TerminalCell() }

  /// Makes cells up to `count` exist.
  mutating func extend(to count: Int) {
    while cells.count < count { cells.append(TerminalCell()) }
  }

  mutating func cut(to count: Int) {
    guard cells.count > count else { return }
    cells.removeLast(cells.count - count)
    guard let last = cells.last, last.width == 2 else { return }
    cells[cells.count - 1] = TerminalCell(erasedWith: last.style.background)
  }

  /// The number of cells up to the last one for which the condition holds.
  func length(where counts: (TerminalCell) -> Bool) -> Int {
    (cells.lastIndex(where: counts) ?? -1) + 1
  }

  /// Blanks the other half of a wide character that an operation on `column` divides.
  mutating func divide(at column: Int) {
    guard column > 0, column < cells.count, cells[column].width == 0, cells[column - 1].width == 2 else { return }
    for index in [column - 1, column] { cells[index] = TerminalCell(erasedWith: cells[index].style.background) }
  }

  /// The text with spaces where cells are blank. The gap before a wide character that wrapped is none, unless a reflow
  /// moved it into the row and the terminal `showsGaps`; that one leaves out all erased cells at a row's end.
  func appendText(to text: inout String, columns: Int, showsGaps: Bool) {
    let end = min(length { showsGaps ? $0.isWritten : !$0.isSpacer }, columns)
    for cell in cells.prefix(end) where cell.width > 0 && (showsGaps || !cell.isSpacer) {
      text += cell.text.isEmpty ? " " : cell.text
    }
  }
}
