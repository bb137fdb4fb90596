extension SimulatedTerminal {
  /// From 0. The column is the last one while a wrap is pending.
  package var cursor: (row: Int, column: Int) { (position.row, position.column) }
  package var isWrapPending: Bool { position.isWrapPending }
  package var isCursorVisible: Bool { modes.isCursorVisible }
  package var isSynchronized: Bool { modes.isSynchronized }
  package var scrollbackCount: Int { primary.history.count }

  package func cell(row: Int, column: Int) -> TerminalCell {
    var cell = screen.rows[row][column]
    if cell.isSpacer { cell.text = "" }
    return cell
  }

  /// The row continues in the next one.
  package func isWrapped(row: Int) -> Bool { screen.rows[row].isWrapped }

  /// `A` or `C` where OSC 133 flagged the row.
  package func mark(row: Int) -> UInt8? {
    let mark = screen.rows[row].mark
    return mark == 0 ? nil : mark
  }

  /// The logical lines of the scrollback and the primary screen: wrapped rows joined, blanks at the ends cut, blank rows
  /// below the last text left out.
  package func text() -> [String] {
    let primary = primary
    var lines: [String] = []
    var line = ""
    for (index, row) in [Array(primary.history.rows), primary.rows].joined().enumerated() {
      append(row, to: &line, columns: index < primary.history.count ? .max : columns)
      guard !row.isWrapped else { continue }
      lines.append(line.withoutTrailingBlanks)
      line = ""
    }
    if !line.isEmpty { lines.append(line.withoutTrailingBlanks) }
    while lines.last == "" { lines.removeLast() }
    return lines
  }

  /// The rows of the screen, without blanks at their ends.
  package func screenText() -> [String] { screen.rows.map { text(of: $0, columns: columns) } }

  /// The rows of the scrollback, without blanks at their ends.
  package func scrollbackText() -> [String] { primary.history.rows.map { text(of: $0, columns: .max) } }

  private func text(of row: Row, columns: Int) -> String {
    var text = ""
    append(row, to: &text, columns: columns)
    return text.withoutTrailingBlanks
  }

  private func append(_ row: Row, to text: inout String, columns: Int) {
    row.appendText(to: &text, columns: columns, showsGaps: family.showsMovedGaps)
  }

  private var primary: Screen { isAlternate ? otherScreen : screen }
}

extension String {
  var withoutTrailingBlanks: String {
    guard let end = utf8.lastIndex(where: { $0 != 0x20 }) else { return "" }
    return String(self[...end])
  }
}
