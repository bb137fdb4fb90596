extension Screen {
  @_optimize(speed)
  package mutating func control(_ byte: UInt8, _ range: Range<Int>) {
    if isSkimming && byte != 0x0e && byte != 0x0f {
      isRowKnown = false
      isColumnKnown = false
      return
    }
    switch byte {
    case 0x08: moveLeft(1)
    case 0x09: tabForward(1)
    case 0x0a, 0x0b, 0x0c:
      index()
      if modes.isNewline { carriageReturn() }
    case 0x0d: carriageReturn()
    case 0x0e: charsets.invoked = 1
    case 0x0f: charsets.invoked = 0
    default: break
    }
  }

  package mutating func escape(_ intermediate: UInt8, _ final: UInt8, _ range: Range<Int>) {
    switch (intermediate, final) {
    // SPA, EPA.
    case (0, UInt8(ascii: "V")):
      protection = .guarded
      pen.attributes.insert(.protected)
    case (0, UInt8(ascii: "W")): pen.attributes.remove(.protected)
    case (0, UInt8(ascii: "7")): saveCursor()
    case (0, UInt8(ascii: "8")): restoreCursor()
    case (0, UInt8(ascii: "D")): index()
    case (0, UInt8(ascii: "E")):
      index()
      carriageReturn()
    case (0, UInt8(ascii: "M")): reverseIndex()
    case (0, UInt8(ascii: "H")): setTabStop()
    case (0, UInt8(ascii: "6")): backIndex()
    case (0, UInt8(ascii: "9")): forwardIndex()
    case (0, UInt8(ascii: "N")): charsets.singleShift = 2
    case (0, UInt8(ascii: "O")): charsets.singleShift = 3
    case (0, UInt8(ascii: "n")): charsets.invoked = 2
    case (0, UInt8(ascii: "o")): charsets.invoked = 3
    case (0, UInt8(ascii: "c")): resetToInitialState()
    case (UInt8(ascii: "("), _): designate(0, final)
    case (UInt8(ascii: ")"), _): designate(1, final)
    case (UInt8(ascii: "*"), _): designate(2, final)
    case (UInt8(ascii: "+"), _): designate(3, final)
    // Sets of 96 characters mean nothing in UTF-8; ASCII is what terminals show instead.
    case (UInt8(ascii: "-"), _): charsets[1] = .ascii
    case (UInt8(ascii: "."), _): charsets[2] = .ascii
    case (UInt8(ascii: "/"), _): charsets[3] = .ascii
    case (UInt8(ascii: "#"), UInt8(ascii: "8")): fillWithE()
    // Lines of double width or height: how many columns they have, terminals do not agree on.
    case (UInt8(ascii: "#"), UInt8(ascii: "3")...UInt8(ascii: "6")): grid[cursor.row].isKnown = false
    default: break
    }
  }

  private mutating func designate(_ number: Int, _ final: UInt8) {
    switch final {
    case UInt8(ascii: "0"): charsets[number] = .graphics
    case UInt8(ascii: "A"): charsets[number] = .british
    default: charsets[number] = .ascii
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
