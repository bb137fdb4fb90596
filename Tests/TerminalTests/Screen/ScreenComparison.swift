import ReferenceTerminal
import Terminal


/// What differs between our grid and libvterm's, as far as libvterm tells.
enum ScreenComparison {
  static func difference(_ screen: borrowing Screen, _ reference: ReferenceTerminal) -> String? {
    let cursor = reference.cursor
    if cursor.row != screen.cursor.row || cursor.column != screen.cursor.column {
      return "cursor \(screen.cursor), reference \(cursor)"
    }
    if cursor.isVisible != screen.modes.isCursorVisible { return "cursor visible: \(screen.modes.isCursorVisible)" }
    if reference.isAlternate != screen.isAlternate { return "alternate: \(screen.isAlternate)" }
    for row in 0..<screen.rows {
      let cells = reference.cells(inRow: row)
      for column in 0..<screen.columns {
        let ours = TerminalCell(screen.cell(row: row, column: column))
        // libvterm leaves what was there in the right half.
        if ours.width == 0 && cells[column].width == 0 { continue }
        if ours != cells[column] { return "cell \(row) \(column): \(ours), reference \(cells[column])" }
      }
    }
    return nil
  }
}

extension TerminalCell {
  init(_ cell: ScreenCell) {
    self.init()
    width = cell.width
    text = cell.text.isEmpty && width > 0 ? " " : cell.text
    background = TerminalColor(cell.style.background)
    if cell.text.isEmpty && width > 0 { return }
    foreground = TerminalColor(cell.style.foreground)
    let attributes = cell.style.attributes
    isBold = attributes.contains(.bold)
    isItalic = attributes.contains(.italic)
    underline = attributes.underline
    isBlinking = attributes.contains(.blink)
    isReverse = attributes.contains(.reverse)
    isStruck = attributes.contains(.strikethrough)
  }
}

extension TerminalColor {
  init(_ color: CellColor) {
    if let index = color.paletteIndex {
      self = .indexed(index)
    } else if let (red, green, blue) = color.components {
      self = .rgb(red, green, blue)
    } else {
      self = .standard
    }
  }
}
