extension SimulatedTerminal {
  mutating func setPrivateMode(_ mode: Int, to isSet: Bool) {
    switch mode {
    case 1: modes.hasApplicationCursorKeys = isSet
    case 6:
      position.isOrigin = isSet
      position.isWrapPending = false
      position.column = 0
      position.row = isSet ? top : 0
    case 7:
      modes.autowraps = isSet
      if !family.pending.survivesAutowrapChange { position.isWrapPending = false }
    case 25: modes.isCursorVisible = isSet
    case 47: setAlternate(isSet, clears: false)
    case 1047: setAlternate(isSet, clears: !isSet)
    case 1048: if isSet { saveCursor() } else { restoreCursor() }
    case 1049: setAlternateWithCursor(isSet)
    case 1000, 1002, 1003: modes.mouse = isSet ? mode : 0
    case 1004: modes.reportsFocus = isSet
    case 1006: modes.isMouseSGR = isSet
    case 2004: modes.bracketsPaste = isSet
    case 2026: modes.isSynchronized = isSet
    default: break
    }
  }

  private mutating func setAlternateWithCursor(_ isSet: Bool) {
    guard isSet != isAlternate else { return }
    let keepsWrap = family.pending.isSavedByAlternateScreen
    if isSet {
      let cursor = position
      saved = cursor
      setAlternate(true, clears: true)
      otherSaved = cursor
      if !keepsWrap {
        otherSaved.isWrapPending = false
        position.isWrapPending = false
      }
    } else {
      let cursor = otherSaved
      setAlternate(false, clears: false)
      position = cursor
      position.row = min(position.row, rows - 1)
      position.column = min(position.column, columns - 1)
    }
  }

  /// `clears` erases the alternate screen: the one that 1049 enters, the one that 1047 leaves.
  private mutating func setAlternate(_ isSet: Bool, clears: Bool) {
    guard isSet != isAlternate else { return }
    if !isSet && clears { screen.rows = Array(repeating: Row(), count: rows) }
    swap(&screen, &otherScreen)
    swap(&saved, &otherSaved)
    isAlternate = isSet
    if isSet && clears {
      screen.rows = Array(repeating: blankRow, count: rows)
      screen.touched = rows
    }
    lastCell = nil
  }

  /// DECSTR.
  mutating func softReset() {
    modes.isCursorVisible = true
    modes.autowraps = true
    modes.inserts = false
    modes.hasApplicationCursorKeys = false
    modes.hasApplicationKeypad = false
    position.isOrigin = false
    position.style = CellStyle()
    position.charsets = Charsets()
    saved = Cursor()
    top = 0
    bottom = rows - 1
  }

  /// RIS. The scrollback stays.
  mutating func reset() {
    if isAlternate { setAlternate(false, clears: false) }
    softReset()
    modes = TerminalModes()
    position = Cursor()
    screen.rows = Array(repeating: Row(), count: rows)
    screen.touched = 1
    tabStops = Self.tabStops(columns)
    title = ""
    link = 0
    lastPrinted = ""
    lastCell = nil
    redrawsPrompt = true
  }
}
