extension Screen {
  @_optimize(speed)
  package mutating func controlSequence(_ sequence: borrowing ControlSequence, _ range: Range<Int>) {
    switch (sequence.prefix, sequence.intermediate) {
    case (0, 0): plain(sequence)
    case (UInt8(ascii: "?"), 0): questioned(sequence)
    case (0, 0x21): if sequence.final == UInt8(ascii: "p") { softReset() }
    case (0, 0x22): protection(sequence)
    case (0, 0x24): rectangle(sequence)
    case (0, 0x27): columns(sequence)
    // SL, SR.
    case (0, 0x20):
      let amount = min(sequence.amount(), columns)
      if sequence.final == UInt8(ascii: "@") { scrollColumns(by: -amount) }
      if sequence.final == UInt8(ascii: "A") { scrollColumns(by: amount) }
    // DECSACE.
    case (0, 0x2a):
      if sequence.final == UInt8(ascii: "x") { changesRectangles = sequence.parameter(0, default: 0) == 2 }
    default: break
    }
  }

  @_optimize(speed)
  private mutating func plain(_ sequence: borrowing ControlSequence) {
    switch sequence.final {
    case UInt8(ascii: "m"): selectGraphicRendition(sequence)
    case UInt8(ascii: "H"), UInt8(ascii: "f"): position(row: sequence.amount(0), column: sequence.amount(1))
    case UInt8(ascii: "K"): eraseInLine(sequence.parameter(0, default: 0), isSelective: false)
    case UInt8(ascii: "J"): eraseInDisplay(sequence.parameter(0, default: 0), isSelective: false)
    case UInt8(ascii: "A"): moveUp(sequence.amount())
    case UInt8(ascii: "B"): moveDown(sequence.amount())
    case UInt8(ascii: "C"): moveRight(sequence.amount())
    case UInt8(ascii: "D"): moveLeft(sequence.amount())
    case UInt8(ascii: "E"):
      moveDown(sequence.amount())
      carriageReturn()
    case UInt8(ascii: "F"):
      moveUp(sequence.amount())
      carriageReturn()
    case UInt8(ascii: "G"), UInt8(ascii: "`"): position(column: sequence.amount())
    case UInt8(ascii: "a"): move(toColumn: min(cursor.column + sequence.amount(), origin.right))
    case UInt8(ascii: "d"): position(row: sequence.amount())
    case UInt8(ascii: "e"):
      if !isRowKnown { forgetRows() }
      cursor.row = min(max(cursor.row, origin.bottom), cursor.row + sequence.amount())
      cursor.isWrapPending = false
    case UInt8(ascii: "I"): tabForward(sequence.amount())
    case UInt8(ascii: "Z"): tabBack(sequence.amount())
    case UInt8(ascii: "g"): clearTabStops(sequence.parameter(0, default: 0))
    case UInt8(ascii: "W"):
      // CTC.
      switch sequence.parameter(0, default: 0) {
      case 0: setTabStop()
      case 2: clearTabStops(0)
      case 5: clearTabStops(3)
      default: break
      }
    case UInt8(ascii: "@"): insertCharacters(sequence.amount())
    case UInt8(ascii: "P"): insertCharacters(-sequence.amount())
    case UInt8(ascii: "X"): eraseCharacters(sequence.amount())
    case UInt8(ascii: "L"): insertLines(sequence.amount())
    case UInt8(ascii: "M"): insertLines(-sequence.amount())
    case UInt8(ascii: "S"): scrollRows(by: sequence.amount())
    // With more parameters it is xterm's mouse highlighting.
    case UInt8(ascii: "T"): if sequence.count <= 1 { scrollRows(by: -sequence.amount()) }
    case UInt8(ascii: "^"): scrollRows(by: -sequence.amount())
    case UInt8(ascii: "b"): repeatLast(sequence.amount())
    case UInt8(ascii: "h"): setModes(sequence, true)
    case UInt8(ascii: "l"): setModes(sequence, false)
    case UInt8(ascii: "r"):
      setTopBottomMargins(top: sequence.amount(0), bottom: sequence.parameter(1, default: 0))
    case UInt8(ascii: "s"):
      if modes.hasLeftRightMargins {
        setLeftRightMargins(left: sequence.amount(0), right: sequence.parameter(1, default: 0))
      } else {
        saveCursor()
      }
    case UInt8(ascii: "u"): restoreCursor()
    default: break
    }
  }

  private mutating func questioned(_ sequence: borrowing ControlSequence) {
    switch sequence.final {
    case UInt8(ascii: "h"): setPrivateModes(sequence, true)
    case UInt8(ascii: "l"): setPrivateModes(sequence, false)
    case UInt8(ascii: "s"): savePrivateModes(sequence)
    case UInt8(ascii: "r"): restorePrivateModes(sequence)
    case UInt8(ascii: "J"): eraseInDisplay(sequence.parameter(0, default: 0), isSelective: true)
    case UInt8(ascii: "K"): eraseInLine(sequence.parameter(0, default: 0), isSelective: true)
    // DECST8C.
    case UInt8(ascii: "W"): if sequence[0] == 5 { resetTabStops() }
    default: break
    }
  }

  private mutating func protection(_ sequence: borrowing ControlSequence) {
    switch sequence.final {
    // DECSCA.
    case UInt8(ascii: "q"):
      protection = .selective
      if sequence.parameter(0, default: 0) == 1 {
        pen.attributes.insert(.protected)
      } else {
        pen.attributes.remove(.protected)
      }
    // DECSCL.
    case UInt8(ascii: "p"): softReset()
    default: break
    }
  }

  /// DECIC, DECDC.
  private mutating func columns(_ sequence: borrowing ControlSequence) {
    guard isInColumnMargins, isInRowMargins else { return }
    if sequence.final == UInt8(ascii: "}") { shiftRows(at: cursor.column, by: sequence.amount()) }
    if sequence.final == UInt8(ascii: "~") { shiftRows(at: cursor.column, by: -sequence.amount()) }
  }

  private mutating func scrollRows(by amount: Int) {
    scroll(from: margins.top, by: amount)
  }

  private mutating func scrollColumns(by amount: Int) {
    shiftRows(at: margins.left, by: amount)
  }
}
