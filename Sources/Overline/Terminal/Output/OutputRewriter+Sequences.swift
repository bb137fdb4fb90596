/// Control sequences. Addressed rows are moved down, and clamped to the program's height.
extension OutputRewriter {
  package mutating func controlSequence(_ sequence: ControlSequence, _ range: Range<Int>) {
    stream.begin(range, into: &surface.output)
    var range = range
    if sequence.hasControls {
      var bytes: [UInt8] = []
      sequence.encode(into: &bytes)
      range = stream.mend(range, bytes, into: &surface.output)
    }
    perform(sequence.command, sequence, range)
  }

  /// Rewrites the sequence for the terminal. Applies it to the screen in between.
  private mutating func perform(_ command: TerminalCommand, _ sequence: ControlSequence, _ range: Range<Int>) {
    var wasPending = false
    let concludesFlow =
      surface.screen.cursor.isWrapPending && !surface.screen.tables.margin.isCertain
      && command != .selectGraphicRendition
    if concludesFlow || !command.traits.addressesNoRow {
      lowerFlow(before: range)
    }
    if surface.screen.wrapsBefore(command), surface.keepsFirstRow, surface.screen.wouldScroll {
      pass(upTo: range.lowerBound)
      surface.liftToScroll()
    }
    switch command {
    case .cursorPosition(let row, let column), .horizontalAndVerticalPosition(let row, let column):
      position(sequence, range, row: row, column: column)
    case .linePositionAbsolute(let row): position(sequence, range, row: row, column: nil)
    case .cursorUp(let count): moveUp(sequence, range, count)
    case .cursorPrecedingLine(let count): moveUp(sequence, range, count, isToFirstColumn: true)
    case .cursorDown(let count), .linePositionForward(let count): moveDown(sequence, range, count)
    case .cursorNextLine(let count): moveDown(sequence, range, count, isToFirstColumn: true)
    case .eraseInDisplay(let part):
      endWrap(before: range)
      erase(part, range)
    case .selectiveEraseInDisplay(let part): erase(part, range)
    case .deleteLine:
      endWrap(before: range)
      if surface.screen.cursor.row == 0, surface.screen.margins.top == 0 { liftBefore(range) }
    case .scrollUp:
      wasPending = placeBeforeScroll(range)
      if surface.screen.margins.top == 0 { liftBefore(range) }
    case .eraseInLine, .eraseCharacter, .insertCharacter, .deleteCharacter, .insertLine, .initiateHighlightTracking:
      endWrap(before: range)
    case .scrollDown:
      _ = placeBeforeScroll(range)
      return passWithinMargins(range) { $0.perform(command, sequence) }
    case .misprintedScrollDown, .scrollLeft, .scrollRight, .insertColumn, .deleteColumn:
      return passWithinMargins(range) { $0.perform(command, sequence) }
    case .repeatCharacter(let count): return repeatCharacter(range, count)
    case .setTopAndBottomMargins(let top, let bottom):
      surface.screen.perform(command, sequence)
      return setMargins(top, bottom, range)
    case .setLeftAndRightMarginsOrSaveCursor:
      if surface.screen.modes.hasLeftRightMargins {
        surface.screen.perform(command, sequence)
        return homeAgain(after: range)
      }
      surface.active.saveCursor()
    case .restoreCursor: return restoreCursor(range) { $0.perform(command, sequence) }
    case .setPrivateMode: return setModes(true, sequence, range)
    case .resetPrivateMode: return setModes(false, sequence, range)
    // DECSTR and DECSCL reset margins and modes, XTRESTORE may reset them. After DECSCA it is harmless to set them again.
    case .softReset, .setConformanceLevel, .otherReset, .selectCharacterProtection, .restorePrivateMode:
      return reset(range) { $0.perform(command, sequence) }
    case .changeAttributesInRectangle, .reverseAttributesInRectangle, .eraseRectangle, .selectiveEraseRectangle:
      moveRectangles([(0, 2)], sequence, range)
    case .fillRectangle: moveRectangles([(1, 3)], sequence, range)
    case .copyRectangle: moveRectangles([(0, 2), (5, nil)], sequence, range)
    case .requestChecksumOfRectangle: moveRectangles([(2, 4)], sequence, range)
    case .selectNumberOfLines(let count): selectLines(count, range)
    case .manipulateWindow: manipulateWindow(sequence, range)
    case .requestCursorPosition: queries.append(.cursorPosition(offset: surface.reportedOffset))
    case .requestExtendedCursorPosition: queries.append(.extendedCursorPosition(offset: surface.reportedOffset))
    // The answers to requests with a prefix (DA2, DA3) have other forms.
    case .requestDeviceAttributes: queries.append(.deviceAttributes)
    // These address no rows.
    case .selectGraphicRendition, .cursorForward, .cursorBackward, .cursorCharacterAbsolute,
      .characterPositionAbsolute, .characterPositionForward, .cursorForwardTabulation, .cursorBackwardTabulation,
      .cursorTabulationControl, .tabulationClear, .setTabStopEveryEightColumns, .selectiveEraseInLine,
      .selectAttributeChangeExtent, .setMode,
      .resetMode, .savePrivateMode, .unknown:
      break
    }
    surface.screen.perform(command, sequence)
    if wasPending, surface.screen.cursor.isWrapPending {
      pass(upTo: range.upperBound)
      surface.appendCursor()
    }
  }

  /// Terminals differ in whether a pending wrap survives erasing or shifting. Where it is unknown what this one does, the wrap is ended
  /// first, by placing the cursor.
  private mutating func endWrap(before range: Range<Int>) {
    guard surface.screen.cursor.isWrapPending, surface.placement != .hidden else { return }
    guard surface.screen.isCursorKnown, !surface.screen.tables.margin.isCertain else { return }
    pass(upTo: range.lowerBound)
    surface.appendCursorPosition(row: surface.screen.cursor.row, column: surface.screen.cursor.column)
    surface.screen.cursor.isWrapPending = false
  }

  /// Places the cursor before all rows scroll.
  ///
  /// - Returns: whether a wrap was pending, which the caller restores.
  private mutating func placeBeforeScroll(_ range: Range<Int>) -> Bool {
    guard surface.screen.cursor.isWrapPending, surface.screen.isCursorKnown, surface.placement != .hidden else {
      return false
    }
    pass(upTo: range.lowerBound)
    surface.appendCursorPosition(row: surface.screen.cursor.row, column: surface.screen.cursor.column)
    return true
  }

  // MARK: The cursor

  /// CUP, HVP and VPA. Under origin mode rows count from the margins, which are the same in the terminal.
  private mutating func position(
    _ sequence: ControlSequence, _ range: Range<Int>, row: Int, column: Int?
  ) {
    let offset = surface.placement.offset
    if surface.screen.modes.isOrigin || (offset == 0 && row <= surface.screen.rows) { return }
    drop(range)
    surface.output.appendCSI(min(row, surface.screen.rows) + offset, column, final: sequence.final)
  }

  /// CUU and CPL stop at the program's first row, which is not the terminal's. At the program's top margin the terminal stops them itself,
  /// except libvterm, and except for a cursor above the margin.
  private mutating func moveUp(
    _ sequence: ControlSequence, _ range: Range<Int>, _ count: Int, isToFirstColumn: Bool = false
  ) {
    let row = surface.screen.cursor.row
    guard surface.placement.offset > 0, count > row else { return }
    replaceMotion(sequence, range, count: row, isToFirstColumn)
  }

  /// CUD, CNL and VPR stop at the program's last row. While lifted, that is not the terminal's last row.
  private mutating func moveDown(
    _ sequence: ControlSequence, _ range: Range<Int>, _ count: Int, isToFirstColumn: Bool = false
  ) {
    let room = surface.screen.rows - 1 - surface.screen.cursor.row
    guard surface.placement.isLifted, count > room else { return }
    replaceMotion(sequence, range, count: room, isToFirstColumn)
  }

  /// REP. The terminal's last character may be the window's, so the program's character is printed instead.
  private mutating func repeatCharacter(_ range: Range<Int>, _ count: Int) {
    omit(range)
    var character: [UInt8] = []
    if surface.screen.lastPrinted != 0 { character.append(scalar: surface.screen.lastPrinted) }
    rewriteApart(Array(repeatElement(character, count: surface.screen.repetitions(count)).joined()))
  }

  /// Replaces a motion with one that stops at the edge of the program's screen. In most terminals even a motion by no row ends a pending
  /// wrap, and CNL and CPL move to the first column.
  private mutating func replaceMotion(
    _ sequence: ControlSequence, _ range: Range<Int>, count: Int, _ isToFirstColumn: Bool
  ) {
    drop(range)
    if count > 0 { return surface.output.appendCSI(count, final: sequence.final) }
    if !isToFirstColumn, surface.screen.tables.margin.vertical == .keepsWrap { return }
    surface.output.appendCSI(isToFirstColumn ? 1 : surface.screen.cursor.column + 1, final: UInt8(ascii: "G"))
  }

  // MARK: Erasing

  /// ED. If it erases the banner, the banner is painted again. If some terminal moves erased lines to its scrollback, the banner is lifted
  /// first.
  private mutating func erase(_ part: ErasedPart, _ range: Range<Int>) {
    switch part {
    case .fromCursor: if surface.screen.cursor.row == 0, surface.screen.cursor.column == 0 { liftBefore(range) }
    case .toCursor, .all, .scrollback:
      liftBefore(range)
      if surface.placement.isShown {
        pass(upTo: range.upperBound)
        surface.repaintBanner()
      }
    case .unknown: break
    }
  }

  // MARK: Margins

  /// DECSTBM. Its defaults are the program's first and last row. Like terminals, it ignores margins of fewer than two rows. Homes the
  /// cursor.
  private mutating func setMargins(_ top: Int, _ given: Int, _ range: Range<Int>) {
    let bottom = given == 0 ? surface.screen.rows : min(given, surface.screen.rows)
    guard surface.placement != .hidden else { return }
    omit(range)
    guard top < bottom else { return }
    surface.appendMargins()
    homeAgain(after: range)
  }

  /// Homes the cursor again, to the program's first row. A sequence that homes the cursor moves it to the terminal's first row, except
  /// under origin mode; in tmux even then.
  mutating func homeAgain(after range: Range<Int>) {
    guard surface.placement != .hidden, surface.placement.offset > 0 || surface.screen.modes.isOrigin else { return }
    pass(upTo: range.upperBound)
    surface.appendCursor()
  }

  // MARK: Rectangles

  /// Rectangle operations of the VT400 and the checksum of a rectangle. Their rows are the terminal's unless origin mode is on.
  ///
  /// - Parameter places: the indices of the parameters that are rows, in pairs of top and bottom.
  private mutating func moveRectangles(
    _ places: [(top: Int, bottom: Int?)], _ sequence: ControlSequence, _ range: Range<Int>
  ) {
    guard surface.placement != .hidden, !surface.screen.modes.isOrigin else { return }
    var parameters = (0..<max(sequence.count, 1)).map { sequence[$0] }
    for (top, bottom) in places {
      let last = max(top, bottom ?? top)
      while parameters.count <= last { parameters.append(nil) }
      parameters[top] = min(max(1, parameters[top] ?? 1), surface.screen.rows + 1) + surface.placement.offset
      if let bottom {
        let value = parameters[bottom] ?? 0
        parameters[bottom] =
          (value == 0 ? surface.screen.rows : min(value, surface.screen.rows)) + surface.placement.offset
      }
    }
    drop(range)
    surface.output.append("\u{1b}[")
    for (index, parameter) in parameters.enumerated() {
      if index > 0 { surface.output.append(0x3b) }
      if let parameter { surface.output.append(decimal: parameter) }
    }
    surface.output.append(UInt8(truncatingIfNeeded: sequence.intermediate))
    surface.output.append(sequence.final)
  }

  // MARK: The window

  /// DECSNLS: sets the number of rows.
  private mutating func selectLines(_ rows: Int?, _ range: Range<Int>) {
    guard let rows, rows > 0, surface.placement != .hidden else { return }
    drop(range)
    surface.output.append("\u{1b}[")
    surface.output.append(decimal: rows + surface.placement.inset)
    surface.output.append("*|")
  }

  /// xterm's window operations: row counts include the banner's rows.
  private mutating func manipulateWindow(_ sequence: ControlSequence, _ range: Range<Int>) {
    switch sequence.parameter(0, default: 0) {
    case 8:
      guard let rows = sequence[1], rows > 0, surface.placement != .hidden else { return }
      drop(range)
      surface.output.append("\u{1b}[8;")
      surface.output.append(decimal: rows + surface.placement.inset)
      if let columns = sequence[2] {
        surface.output.append(0x3b)
        surface.output.append(decimal: columns)
      }
      surface.output.append(UInt8(ascii: "t"))
    // DECSLPP: sets the number of rows.
    case 24...Int.max where surface.placement != .hidden:
      drop(range)
      surface.output.appendCSI(sequence.parameter(0, default: 24) + surface.placement.inset, final: UInt8(ascii: "t"))
    case 14: queries.append(.textAreaPixels(offset: surface.placement.inset))
    case 18: queries.append(.textAreaSize(offset: surface.placement.inset))
    default: break
    }
  }
}
