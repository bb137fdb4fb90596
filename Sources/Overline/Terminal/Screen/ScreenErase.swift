extension Screen {
  /// ED, DECSED.
  mutating func eraseInDisplay(_ part: ErasedPart, isSelective: Bool) {
    switch part {
    case .fromCursor:
      // tmux saves a screen that is erased from its first cell on, VTE and tmux one that is erased by ED 2.
      if cursor.row == 0 && cursor.column == 0 { grid.forgetHistory() }
      eraseInLine(.fromCursor, isSelective: isSelective, tables.margin.displayEnd)
      for row in cursor.row + 1..<max(cursor.row + 1, rows) { eraseWithMark(row, isSelective) }
      if !isSelective { knowledge.isBlankBelow = brush.background == 0 }
    case .toCursor:
      if cursor.isWrapPending, tables.margin.start == .spares { return }
      for row in 0..<cursor.row { eraseWithMark(row, isSelective) }
      eraseInLine(.toCursor, isSelective: isSelective)
    case .all:
      grid.forgetHistory()
      guard resolveWrap(tables.margin.whole) else { return }
      for row in 0..<rows { eraseWithMark(row, isSelective) }
      // All rows are blank now, wherever the cursor is.
      if !isSelective {
        knowledge.isMisplaced = false
        knowledge.isBlankBelow = brush.background == 0
      }
    case .scrollback: grid.beginLineAtTop()
    case .unknown: break
    }
  }

  /// EL, DECSEL.
  @_optimize(speed)
  mutating func eraseInLine(_ part: ErasedPart, isSelective: Bool) {
    switch part {
    case .fromCursor: eraseInLine(part, isSelective: isSelective, tables.margin.lineEnd)
    case .toCursor: eraseInLine(part, isSelective: isSelective, tables.margin.start)
    case .all: eraseInLine(part, isSelective: isSelective, tables.margin.whole)
    case .scrollback, .unknown: break
    }
  }

  private mutating func eraseInLine(_ part: ErasedPart, isSelective: Bool, _ rule: MarginRules.Erasure) {
    guard resolveWrap(rule) else { return }
    switch part {
    case .fromCursor: erase(cursor.row, cursor.column..<columns, isSelective)
    case .toCursor: erase(cursor.row, 0..<cursor.column + 1, isSelective)
    case .all: erase(cursor.row, 0..<columns, isSelective)
    case .scrollback, .unknown: break
    }
    if !isRowKnown || !isColumnKnown && part != .all { noteUncertainChange() }
  }

  /// ECH.
  mutating func eraseCharacters(_ count: Int) {
    guard resolveWrap(tables.margin.characters) else { return }
    erase(cursor.row, cursor.column..<min(columns, cursor.column + min(count, columns)), false)
    if !isCursorKnown { noteUncertainChange() }
  }

  private mutating func eraseWithMark(_ row: Int, _ isSelective: Bool) {
    erase(row, 0..<columns, isSelective)
    if !isSelective { grid[row].mark = 0 }
  }

  mutating func erase(_ row: Int, _ range: Range<Int>, _ isSelective: Bool) {
    let heedsProtection =
      switch brush.protection {
      case .none: false
      case .selective: isSelective
      case .guarded: true
      }
    if tables.margin.erasedRowBeginsLine, range == 0..<columns { grid.endLine(above: row) }
    guard heedsProtection else { return grid.erase(row, range, background: brush.background) }
    for column in range where !grid.cell(row, column).isProtected {
      grid.erase(row, column..<column + 1, background: brush.background)
    }
  }

  /// ICH, DCH: a negative count deletes.
  mutating func insertCharacters(_ count: Int) {
    guard resolveWrap(tables.margin.characters) else { return }
    if !isCursorKnown { noteUncertainChange() }
    guard isInColumnMargins else { return }
    grid.shift(cursor.row, cursor.column..<margins.right + 1, by: count, background: brush.background)
  }

  /// IL, DL: a negative count deletes.
  mutating func insertLines(_ count: Int) {
    if tables.margin.lines == .wrapsFirst, cursor.isWrapPending { wrap() }
    guard isInRowMargins, isInColumnMargins else { return }
    scroll(from: cursor.row, by: -count)
    switch tables.margin.lines {
    case .keepsWrap, .wrapsFirst: return
    case .endsWrap: cursor.isWrapPending = false
    case .toColumn1:
      cursor.isWrapPending = false
      cursor.column = margins.left
      cursor.disputes = 0
      knowledge.isColumnKnown = tables.margin.isCertain || !doubtsMargins
    }
  }

  /// DECALN.
  mutating func fillWithE() {
    resetMargins()
    modes.isOrigin = false
    let cell = Cell(content: UInt32(UInt8(ascii: "E")))
    for row in 0..<rows {
      grid.clear(row, background: 0)
      for column in 0..<columns { grid.set(row, column, cell) }
    }
    knowledge.isMisplaced = false
    move(toRow: 0, column: 0)
  }

  /// REP.
  mutating func repeatLast(_ count: Int) {
    if isSkimming { return }
    // The character passed while nothing was drawn, so its width is unknown.
    if lastPrinted == 0 { return noteForeignDrawing() }
    notePrinting()
    let charsets = charsets
    self.charsets = Charsets()
    for _ in 0..<repetitions(count) { _ = put(lastPrinted) }
    self.charsets = charsets
  }

  /// How often REP repeats the last character.
  func repetitions(_ count: Int) -> Int {
    let room = cursor.isWrapPending ? 0 : lineEnd - cursor.column
    return switch tables.margin.repetition {
    case .wraps: min(count, rows * columns)
    case .staysInRow: min(count, room)
    case .onceBeyondRow: min(count, max(room, 1))
    case .isIgnored: 0
    }
  }
}
