extension Screen {
  @_optimize(speed)
  package mutating func control(_ byte: UInt8, _ range: Range<Int>) {
    if isSkimming { return skim(ControlCharacter(byte)) }
    switch ControlCharacter(byte) {
    case .backspace: moveLeft(1, isBackspace: true)
    case .characterTabulation:
      if modes.tabWraps, modes.isAutowrap, cursor.isWrapPending {
        carriageReturn()
        index()
      }
      tabForward(1)
    case .lineFeed, .lineTabulation, .formFeed:
      index()
      if modes.isNewline { carriageReturn() }
    case .carriageReturn: carriageReturn()
    case .shiftOut: charsets.invoked = 1
    case .shiftIn: charsets.invoked = 0
    case .unknown: break
    }
  }

  private mutating func skim(_ character: ControlCharacter) {
    switch character {
    case .shiftOut: charsets.invoked = 1
    case .shiftIn: charsets.invoked = 0
    case .backspace, .characterTabulation, .lineFeed, .lineTabulation, .formFeed, .carriageReturn, .unknown:
      knowledge.isRowKnown = false
      knowledge.isColumnKnown = false
    }
  }

  package mutating func escape(_ intermediate: UInt8, _ final: UInt8, _ range: Range<Int>) {
    perform(EscapeCommand(intermediate, final))
  }

  mutating func perform(_ command: EscapeCommand) {
    switch command {
    case .startOfGuardedArea:
      brush.protection = .guarded
      pen.attributes.insert(.protected)
    case .endOfGuardedArea: pen.attributes.remove(.protected)
    case .saveCursor: saveCursor()
    case .restoreCursor: restoreCursor()
    case .index: index()
    case .nextLine:
      index()
      carriageReturn()
    case .reverseIndex: reverseIndex()
    case .characterTabulationSet: setTabStop(true)
    case .backIndex: backIndex()
    case .forwardIndex: forwardIndex()
    case .singleShift(let number): charsets.singleShift = number
    case .lockingShift(let number): charsets.invoked = number
    case .selectCharacterSet(let number, let charset): charsets[number] = charset
    case .resetToInitialState: resetToInitialState()
    case .screenAlignmentPattern: fillWithE()
    // Terminals differ in the number of columns of lines of double width or height.
    case .lineAttributes: grid[cursor.row].isKnown = false
    case .sendControls(let isEightBit): modes.sendsEightBitControls = isEightBit
    case .requestIdentification, .unknown: break
    }
  }

  // MARK: Tabs

  /// Whether a tab moves to the next row.
  var wrapsBeforeTab: Bool {
    cursor.isWrapPending && (modes.tabWraps && modes.isAutowrap || tables.margin.tab == .wrapsFirst)
  }

  private mutating func setTabStop(_ isStop: Bool) {
    tabStops.set(isStop, at: cursor.column, isColumnKnown: isColumnKnown)
  }

  mutating func tabForward(_ count: Int) {
    if cursor.isWrapPending {
      resolveWrap(tables.margin.tab, isDisputed: true)
      return
    }
    if !tabStops.areKnown { knowledge.isColumnKnown = false }
    let column = tabStops.after(cursor.column, count: count, limit: lineEnd - 1)
    guard column != cursor.column else { return }
    if (cursor.column..<column).allSatisfy({ grid.cell(cursor.row, $0).isUntouched }) {
      grid.set(cursor.row, cursor.column, Cell(content: Cell.tab))
    }
    move(toColumn: column)
  }

  mutating func tabBack(_ count: Int) {
    if !tabStops.areKnown { knowledge.isColumnKnown = false }
    let start = modes.isOrigin && cursor.column >= margins.left ? margins.left : 0
    move(toColumn: tabStops.before(cursor.column, count: count, limit: start))
  }

  /// CTC.
  mutating func controlTabStops(_ kind: Int) {
    switch kind {
    case 0: setTabStop(true)
    case 2: clearTabStops(0)
    case 5: clearTabStops(3)
    default: break
    }
  }

  /// TBC.
  mutating func clearTabStops(_ kind: Int) {
    switch kind {
    case 0: setTabStop(false)
    case 3: tabStops.clear()
    default: break
    }
  }

  // MARK: Saved cursor

  /// The state that DECSC would save now. Setting it does not change the certainty of row and column.
  var saveable: SavedCursor {
    get {
      SavedCursor(
        cursor: cursor, pen: pen, charsets: charsets, isOrigin: modes.isOrigin, isRowKnown: isRowKnown,
        isColumnKnown: isColumnKnown, gap: knowledge.gap)
    }
    set {
      cursor = newValue.cursor
      pen = newValue.pen
      charsets = newValue.charsets
      modes.isOrigin = newValue.isOrigin
    }
  }

  mutating func saveCursor() {
    var cursor = saveable
    if !tables.margin.isSaved { cursor.cursor.isWrapPending = false }
    if self.cursor.isWrapPending, !tables.margin.isCertain { cursor.isColumnKnown = false }
    saved[kind] = cursor
  }

  mutating func restoreCursor() { restoreCursor(drawn: knowledge.currentGap) }

  /// Restores the saved cursor; without one, moves home with all state as after a reset.
  ///
  /// - Parameter drawn: the gap in which the rows on the screen were drawn.
  mutating func restoreCursor(drawn: Int?) {
    guard let saved = savedCursor else {
      pen = Style()
      charsets = Charsets()
      modes.isOrigin = false
      return move(toRow: 0, column: 0)
    }
    pen = saved.pen
    charsets = saved.charsets
    modes.isOrigin = saved.isOrigin
    if saved.isRowKnown { rowBecameKnown() } else { returnToGap(saved.gap, drawn: drawn) }
    knowledge.isColumnKnown = saved.isColumnKnown
    cursor = saved.cursor
    cursor.row = min(cursor.row, rows - 1)
    cursor.column = min(cursor.column, columns - 1)
  }
}
