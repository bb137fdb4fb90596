/// Characters that join the one before.
extension SimulatedTerminal {
  mutating func join(_ text: String) {
    guard let (row, column) = lastCell, row < rows, column < screen.rows[row].cells.count,
      !screen.rows[row].cells[column].text.isEmpty
    else { return }
    screen.rows[row].cells[column].text += text
  }

  /// VS15 and VS16, which change the width of the character before in some families.
  mutating func select(_ selector: Unicode.Scalar) {
    if position.isWrapPending && !family.pending.marksJoin { wrapKeepingCell() }
    join(String(selector))
    guard let (row, column) = lastCell, row == position.row, column < screen.rows[row].cells.count else { return }
    let cell = screen.rows[row].cells[column]
    guard let base = cell.text.unicodeScalars.first?.properties else { return }
    if selector.value == 0xFE0F, family.widths.emojiSelectorWidens, cell.width == 1, base.isEmoji {
      widen(cell, row: row, column: column)
    } else if selector.value == 0xFE0E, family.widths.textSelectorNarrows, cell.width == 2 {
      screen.rows[row].cells[column].width = 1
      screen.rows[row].cells[column + 1] = TerminalCell()
      if position.isWrapPending { position.isWrapPending = false } else { position.column -= 1 }
    }
  }

  private mutating func widen(_ cell: TerminalCell, row: Int, column: Int) {
    guard column + 1 < columns else {
      // The character moves to the next row.
      guard columns > 1 else { return }
      screen.rows[row].cells[column] = TerminalCell()
      screen.rows[row].cells[column].isSpacer = true
      position.isWrapPending = true
      wrap()
      let style = position.style
      position.style = cell.style
      put(cell.text, width: 2)
      position.style = style
      return
    }
    screen.rows[row].cells[column].width = 2
    screen.rows[row].extend(to: column + 2)
    screen.rows[row].cells[column + 1] = TerminalCell(text: "", style: cell.style, link: cell.link, width: 0)
    if column + 2 < columns { position.column = column + 2 } else { position.isWrapPending = modes.autowraps }
  }

  func isSecondFlag(_ scalar: Unicode.Scalar) -> Bool {
    guard family.widths.flagsPair, 0x1F1E6...0x1F1FF ~= scalar.value, let text = lastText else { return false }
    return text.unicodeScalars.count == 1 && 0x1F1E6...0x1F1FF ~= text.unicodeScalars.first!.value
  }

  /// A vowel or final that follows no part of a Hangul syllable.
  func isLoneJamo(_ scalar: Unicode.Scalar) -> Bool {
    guard 0x1160...0x11FF ~= scalar.value || 0xD7B0...0xD7FF ~= scalar.value else { return false }
    guard let last = lastText?.unicodeScalars.last?.value else { return true }
    return !(0x1100...0x11FF ~= last || 0xD7B0...0xD7FF ~= last || 0xA960...0xA97C ~= last)
  }

  /// The text of the cell before the cursor, if it is the last one that was written.
  private var lastText: String? {
    guard let (row, column) = lastCell, row == position.row, column < screen.rows[row].cells.count else { return nil }
    let cell = screen.rows[row].cells[column]
    let end = column + Int(cell.width)
    return end == position.column || end == columns && position.isWrapPending ? cell.text : nil
  }
}
