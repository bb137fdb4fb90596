extension SimulatedTerminal {
  /// Whether an operation erases from the cursor, after what it does to a pending wrap.
  private mutating func erases(_ outcome: MarginOutcome) -> Bool {
    guard position.isWrapPending else { return true }
    switch outcome {
    case .kept: return false
    case .hole: return true
    case .last, .column1: position.isWrapPending = false
    case .nextRow: wrap()
    }
    return true
  }

  /// EL.
  mutating func eraseLine(_ kind: Int) {
    let row = position.row
    switch kind {
    case 0:
      if erases(family.erasing.lineEnd) {
        erase(row: position.row, from: position.column, to: columns, ender: .eraseLineEnd)
      } else if family.wrapEnders.contains(.eraseLineEnd) {
        screen.rows[row].isWrapped = false
      }
    case 1:
      if erases(family.erasing.start) { erase(row: row, from: 0, to: position.column + 1, ender: .eraseLineStart) }
    case 2: if erases(family.erasing.all) { erase(row: row, from: 0, to: columns, ender: .eraseLine) }
    default: break
    }
  }

  /// ED.
  mutating func eraseDisplay(_ kind: Int) {
    switch kind {
    case 0:
      if position.row == 0 && position.column == 0 && family.scrolling.eraseBelowFromHomeIsErasure {
        return eraseDisplay(2)
      }
      if erases(family.erasing.displayEnd) {
        erase(row: position.row, from: position.column, to: columns, ender: .eraseLineEnd)
      }
      let isEdge = family.marks.erasureSparesLastRow
      for row in position.row + 1..<max(rows, position.row + 1) { eraseRow(row, keepsFlags: isEdge && row == rows - 1) }
      if !isEdge { screen.rows[position.row].isWrapped = false }
      screen.touched = rows
    case 1:
      guard erases(family.erasing.start) else { return }
      let isEdge = family.marks.erasureSparesLastRow
      for row in 0..<position.row {
        eraseRow(row, keepsFlags: isEdge && row == 0)
        if family.resizing.keepsErasedCells { screen.rows[row].extend(to: columns) }
      }
      screen.endLine(above: 0)
      erase(row: position.row, from: 0, to: position.column + 1, ender: .eraseLineStart)
    case 2:
      guard erases(family.erasing.all) else { return }
      eraseScreen()
    case 3:
      if family.scrolling.erasesHistory && !isAlternate {
        screen.history.replace(with: [])
        screen.restorable = 0
      }
      if family.scrolling.historyErasureErasesScreen { eraseScreen() }
    default: break
    }
  }

  private mutating func eraseScreen() {
    if !isAlternate { saveErased() }
    let isEdge = family.marks.erasureSparesLastRow
    for row in 0..<rows { eraseRow(row, keepsFlags: isEdge && (row == 0 || row == rows - 1)) }
    screen.endLine(above: 0)
    screen.touched = rows
  }

  /// The rows that an erasure of the screen saves into the scrollback.
  private mutating func saveErased() {
    let count: Int
    switch family.scrolling.erasure {
    case .nothing: return
    case .existing: count = screen.touched
    case .used:
      let countsErased = family.erasedCellsCount
      count = (screen.rows.lastIndex { countsErased ? !$0.cells.isEmpty : !$0.cells.allSatisfy(\.isBlank) } ?? -1) + 1
    }
    for row in screen.rows.prefix(count) { screen.history.append(row) }
    if family.erasedCellsCount {
      // tmux does not take back what an erasure saved.
      if count > 0 { screen.restorable = 0 }
    } else {
      screen.restorable = screen.history.count
    }
  }

  /// A whole row, with its flags.
  private mutating func eraseRow(_ row: Int, keepsFlags: Bool) {
    let old = screen.rows[row]
    screen.rows[row] = blankRow
    guard keepsFlags else { return }
    screen.rows[row].isWrapped = old.isWrapped
    screen.rows[row].isEnded = old.isEnded
    screen.rows[row].mark = old.mark
  }

  /// Cells of one row.
  mutating func erase(row: Int, from: Int, to end: Int, ender kind: WrapEnders) {
    // tmux: EL 1 in the last column empties the row.
    let isWhole = from == 0 && end == columns
    let ender = kind == .eraseLineStart && family.erasedCellsCount && isWhole ? .eraseLine : kind
    screen.touch(row)
    var blank = TerminalCell()
    if family.erasesWithBackground { blank.style.background = position.style.background }
    let hasBackground = blank.style.background != .standard && family.erasedColorsCount
    if from < screen.rows[row].cells.count {
      screen.rows[row].divide(at: from)
      screen.rows[row].divide(at: end)
    }
    let isFilled = family.resizing.keepsErasedCells && [.eraseCharacters, .eraseLine].contains(ender)
    if hasBackground || isFilled || ender == .eraseLineStart { screen.rows[row].extend(to: end) }
    let keepsLength = isFilled || family.erasedCellsCount && !isWhole
    if end >= screen.rows[row].cells.count && !hasBackground && !keepsLength && ender != .eraseLineStart {
      screen.rows[row].cells.removeLast(max(screen.rows[row].cells.count - from, 0))
    } else {
      for column in from..<max(from, min(end, screen.rows[row].cells.count)) { screen.rows[row].cells[column] = blank }
    }
    endWrap(row: row, from: from, to: end, ender: ender)
  }

  private mutating func endWrap(row: Int, from: Int, to end: Int, ender: WrapEnders) {
    let enders = family.wrapEnders
    if enders.contains(ender) || enders.contains(.lastCell) && end == columns { screen.rows[row].isWrapped = false }
    if from == 0 && end == columns {
      if enders.contains(.eraseLine) { screen.rows[row].isWrapped = false }
      if enders.contains(.eraseFromFirstColumn) { screen.endLine(above: row) }
    }
  }

  /// ECH.
  mutating func eraseCharacters(_ count: Int) {
    guard erases(family.erasing.characters) else { return }
    let end = min(position.column + count, columns)
    erase(row: position.row, from: position.column, to: end, ender: .eraseCharacters)
  }

  /// DCH.
  mutating func deleteCharacters(_ count: Int) {
    guard erases(family.erasing.characters) else { return }
    let row = position.row
    let column = position.column
    if family.wrapEnders.contains(.shiftCharacters) { screen.rows[row].isWrapped = false }
    guard column < screen.rows[row].cells.count else { return }
    let end = min(column + count, screen.rows[row].cells.count)
    screen.rows[row].divide(at: column)
    screen.rows[row].divide(at: end)
    screen.rows[row].cells.removeSubrange(column..<end)
    if family.wrapEnders.contains(.lastCell) { screen.rows[row].isWrapped = false }
  }

  /// ICH.
  mutating func insertCharacters(_ count: Int) {
    guard erases(family.erasing.characters) else { return }
    shiftRight(by: min(count, columns - position.column))
  }

  mutating func shiftRight(by count: Int) {
    let row = position.row
    let column = position.column
    if family.wrapEnders.contains(.shiftCharacters) || family.wrapEnders.contains(.lastCell) {
      screen.rows[row].isWrapped = false
    }
    guard column < screen.rows[row].cells.count else { return }
    screen.rows[row].divide(at: column)
    var blank = TerminalCell()
    if family.erasesWithBackground { blank.style.background = position.style.background }
    screen.rows[row].cells.insert(contentsOf: Array(repeating: blank, count: count), at: column)
    screen.rows[row].cut(to: columns)
  }
}
