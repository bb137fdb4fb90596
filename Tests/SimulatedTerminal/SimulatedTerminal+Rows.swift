extension SimulatedTerminal {
  /// A row of the scrollback or of the primary screen.
  package struct WholeRow: Hashable, Sendable {
    /// Without blank cells at the end.
    package var cells: [TerminalCell]
    /// The row continues in the next one.
    package var isWrapped: Bool
    /// `A` or `C` where OSC 133 flagged the row; 0 without a flag.
    package var mark: UInt8

    package var text: String { cells.map { $0.text.isEmpty && $0.width == 1 ? " " : $0.text }.joined() }
  }

  /// The rows of the scrollback, then those of the primary screen.
  package var wholeRows: [WholeRow] {
    let primary = isAlternate ? otherScreen : screen
    return (Array(primary.history.rows) + primary.rows).map { row in
      var cells = row.cells
      while let last = cells.last, last.isBlank { cells.removeLast() }
      for index in cells.indices where cells[index].isBlank { cells[index] = TerminalCell() }
      return WholeRow(cells: cells, isWrapped: row.isWrapped, mark: row.mark)
    }
  }
}
