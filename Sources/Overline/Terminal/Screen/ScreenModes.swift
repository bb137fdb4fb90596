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
      if let mode = PrivateMode(number: sequence[index]) { setPrivateMode(mode, isOn) }
    }
  }

  private mutating func setPrivateMode(_ mode: PrivateMode, _ isOn: Bool) {
    if let flag = mode.facts.flag { return modes[keyPath: flag] = isOn }
    switch mode {
    case .column: if modes.allowsColumnChange { changeColumns() }
    case .origin:
      modes.isOrigin = isOn
      position(row: 1, column: 1)
    case .autowrap:
      modes.isAutowrap = isOn
      if cursor.isWrapPending { noteUncertainWrap() }
      if !tables.margin.survivesAutowrapChange { cursor.isWrapPending = false }
    case .leftRightMargin:
      modes.hasLeftRightMargins = isOn && modes.allowsLeftRightMargins
      if !isOn { resetLeftRightMargins() }
    case .alternateScreen: showScreenAsIs(isOn ? .alternate : .primary)
    case .clearedAlternateScreen:
      if !isOn && isAlternate { clearScreen() }
      showScreenAsIs(isOn ? .alternate : .primary)
    case .savedCursor: if isOn { saveCursor() } else { restoreCursor() }
    case .alternateScreenAndCursor:
      if isOn {
        saveCursor()
        if !tables.margin.isSaved { cursor.isWrapPending = false }
        showScreen(.alternate)
        clearScreen()
      } else {
        let drawn = isAlternate ? knowledge.otherGap : knowledge.currentGap
        showScreen(.primary)
        restoreCursor(drawn: drawn)
      }
    case .x10Mouse, .normalMouse, .buttonEventMouse, .anyEventMouse:
      // As in xterm, resetting any of these modes ends tracking.
      modes.mouseTracking = isOn ? Modes.MouseTracking(rawValue: mode.rawValue) ?? .off : .off
    case .utf8Mouse, .sgrMouse, .urxvtMouse, .sgrPixelMouse:
      if isOn { modes.mouseEncoding = Modes.MouseEncoding(rawValue: mode.rawValue) ?? .x10 }
      if !isOn && modes.mouseEncoding.rawValue == mode.rawValue { modes.mouseEncoding = .x10 }
    default: break
    }
  }

  /// Nil for modes that the screen does not store: the terminal stores DECCOLM, and 1048 saves a cursor.
  private func isSet(_ mode: PrivateMode) -> Bool? {
    if let flag = mode.facts.flag { return modes[keyPath: flag] }
    return switch mode {
    case .origin: modes.isOrigin
    case .autowrap: modes.isAutowrap
    case .leftRightMargin: modes.hasLeftRightMargins
    case .alternateScreen, .clearedAlternateScreen, .alternateScreenAndCursor: isAlternate
    case .x10Mouse, .normalMouse, .buttonEventMouse, .anyEventMouse: modes.mouseTracking.rawValue == mode.rawValue
    case .utf8Mouse, .sgrMouse, .urxvtMouse, .sgrPixelMouse: modes.mouseEncoding.rawValue == mode.rawValue
    default: nil
    }
  }

  /// XTSAVE.
  mutating func savePrivateModes(_ sequence: borrowing ControlSequence) {
    for index in 0..<sequence.count {
      guard let mode = PrivateMode(number: sequence[index]) else { continue }
      if mode == .savedCursor { saveCursor() }
      if let isOn = isSet(mode) { saved.modes[mode] = isOn }
    }
  }

  /// XTRESTORE.
  mutating func restorePrivateModes(_ sequence: borrowing ControlSequence) {
    for index in 0..<sequence.count {
      guard let mode = PrivateMode(number: sequence[index]) else { continue }
      if mode == .savedCursor { restoreCursor() }
      if let isOn = saved.modes[mode], isOn != isSet(mode) { setPrivateMode(mode, isOn) }
    }
  }

  // MARK: Margins

  /// DECSTBM. Rows count from 1; a bottom of 0 or beyond the screen means the last row.
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
    grid.forgetHistory()
    knowledge.isMisplaced = false
  }

  /// The cursor stays where it is.
  private mutating func showScreenAsIs(_ kind: Kind) {
    let drawn = kind == self.kind ? knowledge.currentGap : knowledge.otherGap
    showScreen(kind)
    if drawn != knowledge.currentGap { grid.forget() }
  }

  mutating func showScreen(_ kind: Kind) {
    guard kind != self.kind else { return }
    if isSkimming { grid.forget() }
    // urxvt saves lines of the alternate screen too.
    grid.forgetHistory()
    knowledge.switchScreen()
    let rowsBefore = rows
    var next = other ?? Grid(rows: rows, columns: columns)
    // The terminal got another size, or a banner came or left, since a program last left the alternate screen.
    if kind == .alternate, next.rows != rows {
      next.rebuild((0..<rows).map { $0 < next.rows ? $0 : nil }, columns: columns)
      next.forget()
    }
    other = grid
    grid = next
    isAlternate = kind == .alternate
    guard rows != rowsBefore else { return }
    // The two screens may have different heights.
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
    saved = Saved()
    brush = Brush()
    charsets = Charsets()
    tabStops = TabStops(columns: columns)
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
    modes.changesRectangles = false
    brush.protection = .none
    saved[kind] = nil
  }

  /// DECCOLM. The terminal reports its new width later.
  private mutating func changeColumns() {
    modes.hasLeftRightMargins = false
    resetMargins()
    // xterm ignores DECNCSM below conformance level 5: the text is there or not.
    if modes.keepsScreen { grid.forget() } else { clearScreen() }
    position(row: 1, column: 1)
  }
}
