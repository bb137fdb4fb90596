/// A pending wrap: terminals differ in what ends it, see ``MarginRules``.
extension Screen {
  /// Does to a pending wrap what an erasing sequence does.
  ///
  /// - Returns: whether the sequence acts on the cursor's row.
  mutating func resolveWrap(_ rule: MarginRules.Erasure) -> Bool {
    guard cursor.isWrapPending else { return true }
    defer { noteUncertainWrap() }
    switch rule {
    case .spares: return false
    case .keepsWrap: break
    case .endsWrap: cursor.isWrapPending = false
    case .wrapsFirst: wrap()
    }
    return true
  }

  /// Notes that the terminal may still have the character in the last column or not, and that the next one may come there or into the next
  /// row. If it comes into the next row, all rows above are one row higher. A full-screen program places what it draws.
  mutating func noteUncertainWrap() {
    if isAlternate || tables.margin.isCertain || !doubtsMargins { return }
    noteUncertainRow()
  }

  /// Whether the cursor may reach the right margin, where the terminal counts the columns of the text before it otherwise.
  ///
  /// - Parameter count: the columns of the text that follows.
  func mayReachMargin(with count: Int = 0) -> Bool {
    cursor.disputes > 0 && !tables.widths.rules.isCertain && !isAlternate
      && cursor.column + cursor.disputes + count >= lineEnd
  }

  /// Notes that the terminal may have wrapped the cursor's line elsewhere, or not at all.
  mutating func noteReachedMargin() {
    guard !modes.isAutowrap else { return noteUncertainRow() }
    grid[cursor.row].isKnown = false
    knowledge.isColumnKnown = false
  }

  /// Notes that the terminal's cursor may be in the next row, at an unknown column, with all rows above one row higher.
  private mutating func noteUncertainRow() {
    grid.forgetHistory()
    for row in 0...cursor.row { grid[row].isKnown = false }
    knowledge.isColumnKnown = false
    rowBecameUncertain()
  }

  /// Does to a pending wrap what a motion does.
  ///
  /// - Parameter isDisputed: whether common terminals disagree about the motion.
  mutating func resolveWrap(_ rule: MarginRules.Motion, isDisputed: Bool = false) {
    guard cursor.isWrapPending else { return }
    defer { if isDisputed { noteUncertainWrap() } }
    switch rule {
    case .keepsWrap: break
    case .endsWrap: cursor.isWrapPending = false
    case .wrapsFirst: wrap()
    }
  }

  /// Whether the command moves to the next row before it does anything else.
  func wrapsBefore(_ command: TerminalCommand) -> Bool {
    guard cursor.isWrapPending else { return false }
    return switch command {
    case .eraseCharacter, .insertCharacter, .deleteCharacter: tables.margin.characters == .wrapsFirst
    case .insertLine, .deleteLine: tables.margin.lines == .wrapsFirst
    case .cursorForward, .characterPositionForward: tables.margin.right == .wrapsFirst
    case .cursorForwardTabulation: tables.margin.tab == .wrapsFirst
    default: false
    }
  }
}
