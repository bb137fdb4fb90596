extension Screen {
  @_optimize(speed)
  package mutating func control(_ byte: UInt8, _ range: Range<Int>) {
    if isSkimming { return skim(ControlCharacter(byte)) }
    switch ControlCharacter(byte) {
    case .backspace: moveLeft(1)
    case .characterTabulation: tabForward(1)
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
      isRowKnown = false
      isColumnKnown = false
    }
  }

  package mutating func escape(_ intermediate: UInt8, _ final: UInt8, _ range: Range<Int>) {
    perform(EscapeCommand(intermediate, final))
  }

  mutating func perform(_ command: EscapeCommand) {
    switch command {
    case .startOfGuardedArea:
      protection = .guarded
      pen.attributes.insert(.protected)
    case .endOfGuardedArea: pen.attributes.remove(.protected)
    case .saveCursor: saveCursor()
    case .restoreCursor: restoreCursor()
    case .index: index()
    case .nextLine:
      index()
      carriageReturn()
    case .reverseIndex: reverseIndex()
    case .characterTabulationSet: setTabStop()
    case .backIndex: backIndex()
    case .forwardIndex: forwardIndex()
    case .singleShift(let number): charsets.singleShift = number
    case .lockingShift(let number): charsets.invoked = number
    case .selectCharacterSet(let number, let charset): charsets[number] = charset
    case .resetToInitialState: resetToInitialState()
    case .screenAlignmentPattern: fillWithE()
    // How many columns lines of double width or height have, terminals do not agree on.
    case .lineAttributes: grid[cursor.row].isKnown = false
    case .requestIdentification, .unknown: break
    }
  }

  // MARK: Tabs

  mutating func setTabStop() {
    tabStops[cursor.column] = true
    noteTabStop()
  }

  /// One was set or cleared, wherever the cursor is.
  private mutating func noteTabStop() {
    if !isColumnKnown { areTabStopsKnown = false }
  }

  mutating func resetTabStops() {
    tabStops = Self.defaultTabStops(columns)
    areTabStopsKnown = true
  }

  mutating func tabForward(_ count: Int) {
    if !areTabStopsKnown { isColumnKnown = false }
    let last = lineEnd - 1
    var column = cursor.column
    for _ in 0..<min(count, columns) where column < last {
      repeat { column += 1 } while column < last && !tabStops[column]
    }
    // In the last column it does not move, and a pending wrap stays.
    if column != cursor.column { move(toColumn: column) }
  }

  mutating func tabBack(_ count: Int) {
    if !areTabStopsKnown { isColumnKnown = false }
    let start = modes.isOrigin && cursor.column >= margins.left ? margins.left : 0
    var column = cursor.column
    for _ in 0..<min(count, columns) where column > start {
      repeat { column -= 1 } while column > start && !tabStops[column]
    }
    move(toColumn: column)
  }

  /// CTC.
  mutating func controlTabStops(_ kind: Int) {
    switch kind {
    case 0: setTabStop()
    case 2: clearTabStops(0)
    case 5: clearTabStops(3)
    default: break
    }
  }

  /// TBC.
  mutating func clearTabStops(_ kind: Int) {
    switch kind {
    case 0:
      tabStops[cursor.column] = false
      noteTabStop()
    case 3:
      tabStops = [Bool](repeating: false, count: columns)
      areTabStopsKnown = true
    default: break
    }
  }

  // MARK: Saved cursor

  /// What DECSC saves now. What is known stays as it is when another is set.
  var saveable: SavedCursor {
    get {
      SavedCursor(
        cursor: cursor, pen: pen, charsets: charsets, isOrigin: modes.isOrigin, isRowKnown: isRowKnown,
        isColumnKnown: isColumnKnown, gap: gap)
    }
    set {
      cursor = newValue.cursor
      pen = newValue.pen
      charsets = newValue.charsets
      modes.isOrigin = newValue.isOrigin
    }
  }

  mutating func saveCursor() {
    if isAlternate { savedAlternate = saveable } else { savedPrimary = saveable }
  }

  mutating func restoreCursor() { restoreCursor(drawn: currentGap) }

  /// Without a saved one: home, with everything as it is after a reset.
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
    isColumnKnown = saved.isColumnKnown
    cursor = saved.cursor
    cursor.row = min(cursor.row, rows - 1)
    cursor.column = min(cursor.column, columns - 1)
  }
}
