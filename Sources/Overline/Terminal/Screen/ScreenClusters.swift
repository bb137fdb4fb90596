/// Characters that join the one before, or change its columns.
extension Screen {
  /// The columns of a character that terminals count in different ways; 0 if it joins the character before.
  func clusterWidth(_ value: UInt32, _ width: Int) -> Int {
    switch value {
    case 0x1f1e6...0x1f1ff where rules.flagsPair:
      let before = scalarsBefore
      return before.count == 1 && (0x1f1e6...0x1f1ff).contains(before[0]) ? 0 : width
    case 0x1160...0x11ff, 0xd7b0...0xd7ff:
      let before = scalarsBefore.last ?? 0
      let isPart =
        (0x1100...0x11ff).contains(before) || (0xa960...0xa97c).contains(before) || (0xd7b0...0xd7ff).contains(before)
      return isPart ? width : rules.loneJamo
    default: return width
    }
  }

  /// Whether a character joins the one before, which ends with a joiner.
  var joinsNext: Bool {
    guard rules.joinsAfterJoiner, let place = placeBefore else { return false }
    let cell = grid.cell(place.row, place.column)
    return cell.isCluster && tables.clusters.scalars(cell.value).last == 0x200d
  }

  /// Adds U+FE0E or U+FE0F to the character before the cursor. It may become a column wider or narrower.
  ///
  /// - Returns: false when nothing was printed, because the screen would have scrolled.
  mutating func applySelector(_ selector: UInt32, mayScroll: Bool) -> Bool {
    let isPresented = scalarsBefore.first.flatMap(Unicode.Scalar.init)?.properties.isEmoji == true
    let place = placeBefore
    let isWide = place.map { grid.cell($0.row, $0.column).isWide } ?? false
    let widens = selector == 0xfe0f && rules.emojiSelectorWidens && isPresented && !isWide
    let movesDown = widens && cursor.isWrapPending && modes.isAutowrap && columns > 1
    if movesDown, !mayScroll, wouldScroll { return false }
    guard combine(selector, mayScroll: mayScroll) else { return false }
    guard let place, place.row == cursor.row else { return true }
    if movesDown {
      moveDown(grid.cell(place.row, place.column), from: place)
    } else if widens, place.column + 1 < columns {
      resize(place, isWide: true)
    } else if selector == 0xfe0e, rules.textSelectorNarrows, isWide {
      resize(place, isWide: false)
    }
    return true
  }

  private var rules: WidthRules { tables.widths.rules }

  /// The character in the last column gets two columns in the next row.
  private mutating func moveDown(_ old: Cell, from place: (row: Int, column: Int)) {
    var cell = old
    grid.erase(place.row, place.column..<columns, background: 0)
    wrap()
    noteDisputedRow()
    grid.splitWide(cursor.row, at: cursor.column + 2)
    cell.content |= Cell.wide
    grid.set(cursor.row, cursor.column, cell)
    cell.content = Cell.trailing
    grid.set(cursor.row, cursor.column + 1, cell)
    cursor.column += 2
    if cursor.column >= columns { (cursor.column, cursor.isWrapPending) = (columns - 1, true) }
  }

  private mutating func resize(_ place: (row: Int, column: Int), isWide: Bool) {
    var cell = grid.cell(place.row, place.column)
    cell.content = isWide ? cell.content | Cell.wide : cell.content & ~Cell.wide
    let next = place.column + 1
    if isWide { grid.splitWide(place.row, at: next + 1) }
    grid.set(place.row, place.column, cell)
    cell.content = Cell.trailing
    grid.set(place.row, next, isWide ? cell : .blank(cell.background))
    cursor.column = isWide ? min(next + 1, columns - 1) : next
    cursor.isWrapPending = isWide && next + 1 == columns && modes.isAutowrap
  }

  /// The place of the character before the cursor.
  private var placeBefore: (row: Int, column: Int)? {
    let column = cursor.isWrapPending ? cursor.column : cursor.column - 1
    guard column >= 0 else { return nil }
    return (cursor.row, column > 0 && grid.cell(cursor.row, column).isTrailing ? column - 1 : column)
  }

  private var scalarsBefore: [UInt32] { placeBefore.map { tables.scalars(grid.cell($0.row, $0.column)) } ?? [] }
}
