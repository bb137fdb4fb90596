extension Screen {
  @_optimize(speed)
  package mutating func controlSequence(_ sequence: borrowing ControlSequence, _ range: Range<Int>) {
    perform(sequence.command, sequence)
  }

  /// Performs the command, as far as its effect is visible.
  ///
  /// - Parameter sequence: the sequence of the command; it holds the parameters that the command itself does not.
  @_optimize(speed)
  mutating func perform(_ command: TerminalCommand, _ sequence: borrowing ControlSequence) {
    switch command {
    case .selectGraphicRendition: selectGraphicRendition(sequence)
    case .cursorPosition(let row, let column), .horizontalAndVerticalPosition(let row, let column):
      position(row: row, column: column)
    case .eraseInLine(let part): eraseInLine(part, isSelective: false)
    case .selectiveEraseInLine(let part): eraseInLine(part, isSelective: true)
    case .eraseInDisplay(let part): eraseInDisplay(part, isSelective: false)
    case .selectiveEraseInDisplay(let part): eraseInDisplay(part, isSelective: true)
    case .cursorUp(let count): moveUp(count)
    case .cursorDown(let count): moveDown(count)
    case .cursorForward(let count): moveRight(count)
    case .cursorBackward(let count): moveLeft(count)
    case .cursorNextLine(let count):
      moveDown(count)
      carriageReturn()
    case .cursorPrecedingLine(let count):
      moveUp(count)
      carriageReturn()
    case .cursorCharacterAbsolute(let column), .characterPositionAbsolute(let column): position(column: column)
    case .characterPositionForward(let count): move(toColumn: min(cursor.column + count, origin.right))
    case .linePositionAbsolute(let row): position(row: row)
    case .linePositionForward(let count):
      if !isRowKnown { forgetRows() }
      cursor.row = min(max(cursor.row, origin.bottom), cursor.row + count)
      cursor.isWrapPending = false
    case .restoreCursor: restoreCursor()
    case .cursorForwardTabulation(let count): tabForward(count)
    case .cursorBackwardTabulation(let count): tabBack(count)
    case .cursorTabulationControl(let kind): controlTabStops(kind)
    case .tabulationClear(let kind): clearTabStops(kind)
    case .setTabStopEveryEightColumns: tabStops = TabStops(columns: columns)
    case .eraseCharacter(let count): eraseCharacters(count)
    case .insertCharacter(let count): insertCharacters(count)
    case .deleteCharacter(let count): insertCharacters(-count)
    case .insertLine(let count): insertLines(count)
    case .deleteLine(let count): insertLines(-count)
    case .insertColumn(let count): insertColumns(count)
    case .deleteColumn(let count): insertColumns(-count)
    case .scrollUp(let count): scrollRows(by: count)
    case .scrollDown(let count), .misprintedScrollDown(let count): scrollRows(by: -count)
    case .scrollLeft(let count): scrollColumns(by: -min(count, columns))
    case .scrollRight(let count): scrollColumns(by: min(count, columns))
    case .repeatCharacter(let count): repeatLast(count)
    case .selectCharacterProtection(let isProtected): selectProtection(isProtected)
    case .changeAttributesInRectangle: changeRectangle(sequence, reverses: false)
    case .reverseAttributesInRectangle: changeRectangle(sequence, reverses: true)
    case .selectAttributeChangeExtent(let isRectangle): modes.changesRectangles = isRectangle
    case .copyRectangle: copyRectangle(sequence)
    case .fillRectangle: fillRectangle(sequence)
    case .eraseRectangle: eraseRectangle(sequence, isSelective: false)
    case .selectiveEraseRectangle: eraseRectangle(sequence, isSelective: true)
    case .setMode: setModes(sequence, true)
    case .resetMode: setModes(sequence, false)
    case .setPrivateMode: setPrivateModes(sequence, true)
    case .resetPrivateMode: setPrivateModes(sequence, false)
    case .savePrivateMode: savePrivateModes(sequence)
    case .restorePrivateMode: restorePrivateModes(sequence)
    case .setTopAndBottomMargins(let top, let bottom): setTopBottomMargins(top: top, bottom: bottom)
    case .setLeftAndRightMarginsOrSaveCursor(let left, let right):
      if modes.hasLeftRightMargins { setLeftRightMargins(left: left, right: right) } else { saveCursor() }
    case .softReset: softReset()
    case .setConformanceLevel:
      let level = sequence.parameter(0, default: 0)
      let form = sequence.parameter(1, default: 0)
      softReset()
      modes.sendsEightBitControls = level > 61 && form != 1
      modes.allowsLeftRightMargins = !(61...63).contains(level)
    case .otherReset, .manipulateWindow, .selectNumberOfLines, .initiateHighlightTracking, .requestCursorPosition,
      .requestExtendedCursorPosition, .requestDeviceAttributes, .requestChecksumOfRectangle, .unknown:
      break
    }
  }

  /// DECSCA.
  private mutating func selectProtection(_ isProtected: Bool) {
    brush.protection = .selective
    if isProtected { pen.attributes.insert(.protected) } else { pen.attributes.remove(.protected) }
  }

  /// DECIC, DECDC: a negative count deletes.
  private mutating func insertColumns(_ count: Int) {
    guard isInColumnMargins, isInRowMargins else { return }
    shiftRows(at: cursor.column, by: count)
  }

  private mutating func scrollRows(by amount: Int) {
    scroll(from: margins.top, by: amount)
  }

  private mutating func scrollColumns(by amount: Int) {
    shiftRows(at: margins.left, by: amount)
  }
}
