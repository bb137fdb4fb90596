extension SimulatedTerminal {
  mutating func handleC0(_ byte: UInt8) {
    switch byte {
    case 0x07: bells += 1
    case 0x08: backspace()
    case 0x09: tab()
    case 0x0A, 0x0B, 0x0C:
      lineFeed()
      if modes.returnsAtLineFeed { position.column = 0 }
    case 0x0D:
      position.isWrapPending = false
      position.column = 0
    case 0x0E: position.charsets.shifted = 1
    case 0x0F: position.charsets.shifted = 0
    case 0x1B: parser.state = .escape
    default: break
    }
  }

  /// LF and IND.
  mutating func lineFeed() {
    resolve(family.pending.lineFeed)
    if family.wrapEnders.contains(.lineFeed) {
      screen.rows[position.row].isWrapped = false
      screen.rows[position.row].isEnded = true
    }
    moveDown()
    screen.touch(position.row)
  }

  mutating func nextLine() {
    lineFeed()
    position.isWrapPending = false
    position.column = 0
  }

  /// One row down; in the region's last row, the region scrolls.
  mutating func moveDown() {
    if position.row == bottom {
      scrollUp(1)
    } else if position.row < rows - 1 {
      position.row += 1
    }
    lastCell = nil
  }

  mutating func reverseIndex() {
    resolve(family.pending.lineFeed)
    if position.row == top { scrollDown(from: top, 1) } else if position.row > 0 { position.row -= 1 }
  }

  private mutating func backspace() {
    if position.isWrapPending {
      position.isWrapPending = false
      guard family.pending.backspaceMoves else { return }
    }
    if position.column > 0 { position.column -= 1 }
  }

  mutating func tab(_ count: Int = 1) {
    if position.isWrapPending {
      if family.pending.tab == .nextRow { return wrap() }
      return resolve(family.pending.tab)
    }
    for _ in 0..<min(count, columns) where position.column < columns - 1 {
      repeat { position.column += 1 } while position.column < columns - 1 && !tabStops[position.column]
    }
  }

  mutating func tabBack(_ count: Int) {
    position.isWrapPending = false
    for _ in 0..<min(count, columns) where position.column > 0 {
      repeat { position.column -= 1 } while position.column > 0 && !tabStops[position.column]
    }
  }

  /// Does to a pending wrap what the family does at a movement.
  mutating func resolve(_ outcome: MovementOutcome) {
    guard position.isWrapPending else { return }
    switch outcome {
    case .kept: break
    case .cancelled: position.isWrapPending = false
    case .nextRow: wrap()
    }
  }

  mutating func moveUp(_ count: Int) {
    resolve(family.pending.vertical)
    position.row = max(position.row - count, position.row >= top ? top : 0)
  }

  mutating func moveDown(_ count: Int) {
    resolve(family.pending.vertical)
    position.row = min(position.row + count, position.row <= bottom ? bottom : rows - 1)
  }

  mutating func moveForward(_ count: Int) {
    resolve(family.pending.forward)
    position.column = min(position.column + count, columns - 1)
  }

  mutating func moveBack(_ count: Int) {
    // Where the report names a place beyond the last column, the cursor is there.
    let isBeyond = position.isWrapPending && family.pending.report != .lastColumn
    position.isWrapPending = false
    position.column = max(position.column + (isBeyond ? 1 : 0) - count, 0)
  }

  /// HPA, VPA: from 0.
  mutating func setColumn(_ column: Int, _ outcome: MovementOutcome = .cancelled) {
    resolve(outcome)
    position.column = min(column, columns - 1)
    if position.column != columns - 1 { position.isWrapPending = false }
  }

  mutating func setRow(_ row: Int, _ outcome: MovementOutcome = .cancelled) {
    resolve(outcome)
    position.row = position.isOrigin ? min(top + row, bottom) : min(row, rows - 1)
  }

  mutating func saveCursor() {
    saved = position
    if !family.pending.isSaved { saved.isWrapPending = false }
  }

  mutating func restoreCursor() {
    position = saved
    position.row = min(position.row, rows - 1)
    position.column = min(position.column, columns - 1)
  }
}
