private let asciiTexts = (0..<128).map { String(Unicode.Scalar(UInt8($0))) }

extension SimulatedTerminal {
  /// Prints the run of plain characters at `start`; returns the index after it.
  mutating func printASCII(_ block: [UInt8], from start: Int) -> Int {
    var index = start
    while index < block.count, 0x20..<0x7F ~= block[index] {
      printASCII(block[index])
      index += 1
    }
    return index
  }

  mutating func printASCII(_ byte: UInt8) {
    let isGraphic = byte >= 0x60 && position.charsets.isGraphics
    put(isGraphic ? Charsets.graphic(byte) : asciiTexts[Int(byte)], width: 1)
  }

  mutating func print(_ scalar: Unicode.Scalar) {
    let text = String(scalar)
    let isJoiner = scalar == "\u{200D}"
    if joinsNext {
      joinsNext = false
      if !isJoiner { return join(text) }
    }
    joinsNext = isJoiner && family.widths.joinsAfterJoiner
    if isSecondFlag(scalar) { return join(text) }
    if 0xFE0E...0xFE0F ~= scalar.value { return select(scalar) }
    var width = family.widths.width(of: scalar)
    if isLoneJamo(scalar) { width = family.widths.loneJamo }
    if width > 0 { return put(text, width: width) }
    let keepsWrap = isJoiner ? family.pending.joinerJoins : family.pending.marksJoin
    if position.isWrapPending && !keepsWrap { wrapKeepingCell() }
    guard scalar.properties.generalCategory != .unassigned else { return }
    join(text)
  }

  /// Writes a cell, after the wrap that is pending.
  mutating func put(_ text: String, width: Int) {
    joinsNext = false
    if position.isWrapPending {
      if modes.autowraps { wrap() } else if !wrapsWithoutAutowrap() { return }
    }
    if width > 1 && position.column + width > columns {
      guard columns >= width else { return }
      if modes.autowraps {
        fillWithSpacers()
        wrap()
      } else if family.pending.withoutAutowrap == .isDropped {
        return
      } else {
        position.column = columns - width
      }
    }
    if modes.inserts { shiftRight(by: width) }
    store(text, width: width)
    lastPrinted = text
  }

  private mutating func store(_ text: String, width: Int) {
    let row = position.row
    let column = position.column
    let end = column + width
    screen.touch(row)
    screen.rows[row].extend(to: column)
    if screen.rows[row].cells.count > column { divideCells(row: row, from: column, to: end) }
    let cell = TerminalCell(text: text, style: position.style, link: link, width: UInt8(width))
    if column < screen.rows[row].cells.count {
      screen.rows[row].cells[column] = cell
    } else {
      screen.rows[row].cells.append(cell)
    }
    if width == 2 {
      screen.rows[row].extend(to: end)
      screen.rows[row].cells[column + 1] = TerminalCell(text: "", style: position.style, link: link, width: 0)
    }
    if family.wrapEnders.contains(.printing) {
      screen.rows[row].isWrapped = false
      screen.rows[row].isEnded = true
    } else if end == columns && family.wrapEnders.contains(.lastCell) {
      screen.rows[row].isWrapped = false
    }
    lastCell = (row, column)
    if end < columns {
      position.column = end
    } else {
      position.column = columns - 1
      position.isWrapPending = modes.autowraps || family.pending.isSetWithoutAutowrap
    }
  }

  /// Blanks the halves of wide characters that the columns `from`..<`end` divide.
  private mutating func divideCells(row: Int, from: Int, to end: Int) {
    if !family.keepsLeftHalf { screen.rows[row].divide(at: from) }
    screen.rows[row].divide(at: end)
  }

  private mutating func fillWithSpacers() {
    let row = position.row
    screen.rows[row].extend(to: position.column)
    for column in position.column..<columns {
      screen.rows[row].extend(to: column + 1)
      screen.rows[row].cells[column] = TerminalCell()
      screen.rows[row].cells[column].isSpacer = true
    }
  }

  /// Goes on in the next row, as the same line.
  mutating func wrap() {
    position.isWrapPending = false
    position.column = 0
    let isAtMargin = position.row == bottom && (top > 0 || bottom < rows - 1)
    screen.rows[position.row].isEnded = false
    // The flag lies in the last cell, so that cell exists.
    if family.wrapEnders.contains(.lastCell) { screen.rows[position.row].extend(to: columns) }
    screen.rows[position.row].isWrapped = !(isAtMargin && family.wrapEnders.contains(.marginScroll))
    screen.touch(position.row)
    moveDown()
  }

  /// Wraps before a mark that joins the cell above.
  mutating func wrapKeepingCell() {
    let cell = lastCell
    let hasScrolled = position.row == bottom
    wrap()
    if let cell, cell.row > 0 || !hasScrolled { lastCell = (cell.row - (hasScrolled ? 1 : 0), cell.column) }
  }

  /// What a character does to a pending wrap in mode ?7l; false if it is not written.
  private mutating func wrapsWithoutAutowrap() -> Bool {
    switch family.pending.withoutAutowrap {
    case .wraps: wrap()
    case .overwrites: position.isWrapPending = false
    case .isDropped: return false
    }
    return true
  }
}
