extension Screen {
  // MARK: Modes

  /// SM, RM.
  mutating func setModes(_ sequence: borrowing ControlSequence, _ isOn: Bool) {
    for index in 0..<sequence.count {
      switch sequence[index] {
      case 4: modes.isInsert = isOn
      case 20: modes.isNewline = isOn
      default: break
      }
    }
  }

  /// DECSET, DECRST.
  mutating func setPrivateModes(_ sequence: borrowing ControlSequence, _ isOn: Bool) {
    for index in 0..<sequence.count {
      if let mode = sequence[index] { setPrivateMode(UInt16(truncatingIfNeeded: mode), isOn) }
    }
  }

  private mutating func setPrivateMode(_ mode: UInt16, _ isOn: Bool) {
    switch mode {
    case 3: if modes.allowsColumnChange { changeColumns() }
    case 6:
      modes.isOrigin = isOn
      position(row: 1, column: 1)
    case 7: modes.isAutowrap = isOn
    case 25: modes.isCursorVisible = isOn
    case 40: modes.allowsColumnChange = isOn
    case 69:
      modes.hasLeftRightMargins = isOn
      if !isOn { resetLeftRightMargins() }
    case 47: showScreenAsIs(isOn ? .alternate : .primary)
    case 1047:
      if !isOn && isAlternate { clearScreen() }
      showScreenAsIs(isOn ? .alternate : .primary)
    case 1048: if isOn { saveCursor() } else { restoreCursor() }
    case 1049:
      if isOn {
        saveCursor()
        showScreen(.alternate)
        clearScreen()
      } else {
        let drawn = isAlternate ? otherGap : currentGap
        showScreen(.primary)
        restoreCursor(drawn: drawn)
      }
    case 9, 1000, 1002, 1003:
      // Switching any of them off ends tracking, as in xterm.
      modes.mouseTracking = isOn ? Modes.MouseTracking(rawValue: mode) ?? .off : .off
    case 1005, 1006, 1015, 1016:
      if isOn { modes.mouseEncoding = Modes.MouseEncoding(rawValue: mode) ?? .x10 }
      if !isOn && modes.mouseEncoding.rawValue == mode { modes.mouseEncoding = .x10 }
    case 2004: modes.isBracketedPaste = isOn
    case 2026: modes.isSynchronized = isOn
    case 2048: modes.reportsResize = isOn
    default: break
    }
  }

  private func isSet(_ mode: UInt16) -> Bool? {
    switch mode {
    case 6: modes.isOrigin
    case 7: modes.isAutowrap
    case 25: modes.isCursorVisible
    case 40: modes.allowsColumnChange
    case 69: modes.hasLeftRightMargins
    case 47, 1047, 1049: isAlternate
    case 9, 1000, 1002, 1003: modes.mouseTracking.rawValue == mode
    case 1005, 1006, 1015, 1016: modes.mouseEncoding.rawValue == mode
    case 2004: modes.isBracketedPaste
    case 2026: modes.isSynchronized
    case 2048: modes.reportsResize
    default: nil
    }
  }

  /// XTSAVE.
  mutating func savePrivateModes(_ sequence: borrowing ControlSequence) {
    for index in 0..<sequence.count {
      guard let mode = sequence[index].map({ UInt16(truncatingIfNeeded: $0) }) else { continue }
      // Only modes that are known are kept, so there are few. 1048 has no state: it is a saved cursor.
      if mode == 1048 { saveCursor() }
      if let isOn = isSet(mode) { savedModes[mode] = isOn }
    }
  }

  /// XTRESTORE.
  mutating func restorePrivateModes(_ sequence: borrowing ControlSequence) {
    for index in 0..<sequence.count {
      guard let mode = sequence[index].map({ UInt16(truncatingIfNeeded: $0) }) else { continue }
      if mode == 1048 { restoreCursor() }
      if let isOn = savedModes[mode], isOn != isSet(mode) { setPrivateMode(mode, isOn) }
    }
  }

  // MARK: Margins

  /// DECSTBM, from 1 on; 0 or too large is the last row.
  mutating func setTopBottomMargins(top: Int, bottom: Int) {
    let last = bottom == 0 ? rows : min(bottom, rows)
    guard top < last else { return }
    margins.top = top - 1
    margins.bottom = last - 1
    position(row: 1, column: 1)
  }

  /// DECSLRM.
  mutating func setLeftRightMargins(left: Int, right: Int) {
    let last = right == 0 ? columns : min(right, columns)
    guard left < last else { return }
    margins.left = left - 1
    margins.right = last - 1
    position(row: 1, column: 1)
  }

  mutating func resetLeftRightMargins() {
    margins.left = 0
    margins.right = columns - 1
  }

  mutating func resetMargins() {
    margins = Margins(top: 0, bottom: rows - 1, left: 0, right: columns - 1)
  }

  // MARK: Screens

  private mutating func clearScreen() {
    for row in 0..<rows { grid.clear(row, background: brush.background) }
    isMisplaced = false
  }

  /// The cursor stays where it is.
  private mutating func showScreenAsIs(_ kind: Kind) {
    let drawn = kind == self.kind ? currentGap : otherGap
    showScreen(kind)
    if drawn != currentGap { grid.forget() }
  }

  mutating func showScreen(_ kind: Kind) {
    guard kind != self.kind else { return }
    if isSkimming { grid.forget() }
    otherGap = currentGap
    let rowsBefore = rows
    let next = other ?? Grid(rows: rows, columns: columns)
    other = grid
    grid = next
    isAlternate = kind == .alternate
    guard rows != rowsBefore else { return }
    // The screens may have been given heights of their own.
    let isWhole = margins.top == 0 && margins.bottom == rowsBefore - 1
    if isWhole || margins.bottom >= rows {
      margins.top = 0
      margins.bottom = rows - 1
    }
    cursor.row = min(cursor.row, rows - 1)
  }

  // MARK: Resets

  /// RIS.
  mutating func resetToInitialState() {
    showScreen(.primary)
    other = nil
    modes = Modes()
    savedModes = [:]
    linkNumber = 0
    pen = Style()
    brush.rare = 0
    charsets = Charsets()
    savedPrimary = nil
    savedAlternate = nil
    resetTabStops()
    changesRectangles = false
    protection = .none
    lastPrinted = 0
    resetMargins()
    clearScreen()
    move(toRow: 0, column: 0)
  }

  /// DECSTR.
  mutating func softReset() {
    modes.isInsert = false
    modes.isOrigin = false
    modes.isAutowrap = true
    modes.isCursorVisible = true
    modes.hasLeftRightMargins = false
    resetMargins()
    pen = Style()
    charsets = Charsets()
    changesRectangles = false
    protection = .none
    if isAlternate { savedAlternate = nil } else { savedPrimary = nil }
  }

  /// DECCOLM: how many columns there are from now on, the terminal says.
  private mutating func changeColumns() {
    modes.hasLeftRightMargins = false
    resetMargins()
    clearScreen()
    position(row: 1, column: 1)
  }
}
