/// Operations on rectangles (VT420).
extension Screen {
  private typealias Rectangle = (rows: Range<Int>, columns: Range<Int>)

  /// Reads top, left, bottom and right from parameter `first` on; nil when no cell is inside.
  private func rectangle(_ sequence: borrowing ControlSequence, at first: Int) -> Rectangle? {
    let bounds = modes.isOrigin ? margins : Margins(top: 0, bottom: rows - 1, left: 0, right: columns - 1)
    let top = bounds.top + sequence.amount(first) - 1
    let left = bounds.left + sequence.amount(first + 1) - 1
    let height = bounds.bottom - bounds.top + 1
    let width = bounds.right - bounds.left + 1
    func last(_ index: Int, _ size: Int) -> Int {
      let value = sequence.parameter(index, default: 0)
      return value == 0 ? size : min(value, size)
    }
    let bottom = bounds.top + last(first + 2, height)
    let right = bounds.left + last(first + 3, width)
    return top < bottom && left < right ? (top..<bottom, left..<right) : nil
  }

  private mutating func noteChange() {
    if !isRowKnown { noteUncertainChange() }
  }

  /// DECFRA.
  mutating func fillRectangle(_ sequence: borrowing ControlSequence) {
    let character = sequence.parameter(0, default: 0)
    guard (0x20...0x7e).contains(character) || (0xa0...0xff).contains(character),
      let area = rectangle(sequence, at: 1)
    else { return }
    noteChange()
    var cell = brush.cell
    cell.content =
      character < 0x80 ? charsets.translate(UInt8(truncatingIfNeeded: character)) : UInt32(character)
    for row in area.rows {
      split(row, area.columns)
      for column in area.columns { grid.set(row, column, cell) }
    }
  }

  /// DECERA, DECSERA.
  mutating func eraseRectangle(_ sequence: borrowing ControlSequence, isSelective: Bool) {
    guard let area = rectangle(sequence, at: 0) else { return }
    noteChange()
    for row in area.rows { erase(row, area.columns, isSelective) }
  }

  private mutating func split(_ row: Int, _ columns: Range<Int>) {
    grid.splitWide(row, at: columns.lowerBound)
    grid.splitWide(row, at: columns.upperBound)
  }

  /// DECCRA.
  mutating func copyRectangle(_ sequence: borrowing ControlSequence) {
    guard let source = rectangle(sequence, at: 0) else { return }
    noteChange()
    let bounds = modes.isOrigin ? margins : Margins(top: 0, bottom: rows - 1, left: 0, right: columns - 1)
    let top = bounds.top + sequence.amount(5) - 1
    let left = bounds.left + sequence.amount(6) - 1
    let height = min(source.rows.count, bounds.bottom + 1 - top)
    let width = min(source.columns.count, bounds.right + 1 - left)
    guard height > 0, width > 0 else { return }
    let cells = (0..<height).map { row in
      (0..<width).map { grid.cell(source.rows.lowerBound + row, source.columns.lowerBound + $0) }
    }
    for row in 0..<height {
      split(top + row, left..<left + width)
      for column in 0..<width {
        var cell = cells[row][column]
        // Half of a wide character that the rectangle cuts.
        let isCut = cell.isTrailing && column == 0 || cell.isWide && column == width - 1
        if isCut { cell = .blank(cell.background) }
        grid.set(top + row, left + column, cell)
      }
      if !grid[source.rows.lowerBound + row].isKnown { grid[top + row].isKnown = false }
    }
  }

  /// DECCARA, DECRARA. Without DECSACE's rectangle, the change covers all cells from the first to the last one, line by line.
  mutating func changeRectangle(_ sequence: borrowing ControlSequence, reverses: Bool) {
    guard let area = rectangle(sequence, at: 0) else { return }
    noteChange()
    for row in area.rows {
      var columns = area.columns
      if !modes.changesRectangles {
        if row != area.rows.lowerBound { columns = 0..<columns.upperBound }
        if row != area.rows.upperBound - 1 { columns = columns.lowerBound..<self.columns }
      }
      for column in columns {
        var cell = grid.cell(row, column)
        var attributes = CellAttributes(rawValue: cell.attributes)
        for index in 4..<max(4, sequence.count) {
          Self.change(&attributes, sequence.parameter(index, default: 0), reverses: reverses)
        }
        cell.attributes = attributes.rawValue
        grid.set(row, column, cell)
      }
    }
  }

  private static func change(_ attributes: inout CellAttributes, _ parameter: Int, reverses: Bool) {
    let all: CellAttributes = [.bold, .blink, .reverse, .hidden]
    let one: CellAttributes
    switch parameter % 20 {
    case 0 where parameter == 0:
      if reverses {
        attributes.formSymmetricDifference([.bold, .blink, .reverse])
        attributes.underline = attributes.underline == 0 ? 1 : 0
      } else {
        attributes.subtract(all)
        attributes.underline = 0
      }
      return
    case 4:
      if reverses {
        attributes.underline = attributes.underline == 0 ? 1 : 0
      } else {
        attributes.underline = parameter == 4 ? 1 : 0
      }
      return
    case 1, 2: one = .bold
    case 5: one = .blink
    case 7: one = .reverse
    case 8: one = .hidden
    default: return
    }
    if reverses {
      attributes.formSymmetricDifference(one)
    } else if parameter < 20 {
      attributes.insert(one)
    } else {
      attributes.remove(one)
    }
  }
}
