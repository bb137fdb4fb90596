/// Control sequences: what addresses rows is moved down, and clamped to the program's height.
extension OutputRewriter {
  package mutating func controlSequence(_ sequence: ControlSequence, _ range: Range<Int>) {
    begin(range)
    var range = range
    if sequence.hasControls {
      var bytes: [UInt8] = []
      sequence.encode(into: &bytes)
      range = mend(range, bytes)
    }
    switch (sequence.prefix, sequence.intermediate) {
    case (0, 0):
      let concludes = screen.cursor.isWrapPending && "@JKLMPSTX".utf8.contains(sequence.final)
      if concludes { concludeWrap(range) }
      plainSequence(sequence, range)
      if concludes, placement != .hidden, screen.cursor.isWrapPending {
        pass(upTo: range.upperBound)
        appendCursor()
      }
    case (UInt8(ascii: "?"), 0): privateSequence(sequence, range)
    case (0, UInt16(ascii: "!")), (0, UInt16(ascii: "\"")):
      // DECSTR and DECSCL reset margins and modes; the rest of these does no harm to be set again after.
      reset(range) { $0.controlSequence(sequence, range) }
    case (0, UInt16(ascii: "$")), (0, UInt16(ascii: "*")): rectangle(sequence, range)
    default: screen.controlSequence(sequence, range)
    }
  }

  private mutating func plainSequence(_ sequence: ControlSequence, _ range: Range<Int>) {
    let count = sequence.amount()
    let cursor = screen.cursor
    let margins = screen.margins
    switch Unicode.Scalar(sequence.final) {
    case "H", "f": position(sequence, range, row: sequence.amount(0), column: sequence.amount(1))
    case "d": position(sequence, range, row: sequence.amount(0), column: nil)
    case "A", "F": moveUp(sequence, range, count)
    case "B", "E", "e": moveDown(sequence, range, count)
    case "J": erase(sequence, range)
    case "M": if cursor.row == 0, margins.top == 0 { liftBefore(range) }
    case "S": if margins.top == 0 { liftBefore(range) }
    case "b": return repeatCharacter(range, count)
    case "r": return setMargins(sequence, range)
    case "s":
      if screen.modes.hasLeftRightMargins {
        screen.controlSequence(sequence, range)
        return homeAgain(after: range)
      }
      savedOffset = placement.offset
    case "u": return restoreCursor(range) { $0.controlSequence(sequence, range) }
    case "n": if sequence.parameter(0, default: 0) == 6 { queries.append(.cursorPosition(offset: reportedOffset)) }
    // DA1; the others, with a prefix, are answered in other forms.
    case "c": if sequence.parameter(0, default: 0) == 0 { queries.append(.deviceAttributes) }
    case "t": windowOperation(sequence, range)
    default: break
    }
    screen.controlSequence(sequence, range)
  }

  /// Terminals differ about whether a pending wrap outlives what erases or shifts. The screen has xterm's answer, and so has the
  /// terminal once the cursor is placed.
  private mutating func concludeWrap(_ range: Range<Int>) {
    guard placement != .hidden else { return }
    pass(upTo: range.lowerBound)
    appendCursorPosition(row: screen.cursor.row, column: screen.cursor.column)
  }

  // MARK: The cursor

  /// Under origin mode a cursor report counts from the margins, which are the program's already.
  var reportedOffset: Int { screen.modes.isOrigin ? 0 : placement.offset }

  /// CUP, HVP and VPA. Under origin mode rows count from the margins, which the terminal has too.
  private mutating func position(
    _ sequence: ControlSequence, _ range: Range<Int>, row: Int, column: Int?
  ) {
    let offset = placement.offset
    if screen.modes.isOrigin || (offset == 0 && row <= screen.rows) { return }
    drop(range)
    output.appendCSI(min(row, screen.rows) + offset, column, final: sequence.final)
  }

  /// CUU and CPL stop at the program's first row, which is not the terminal's; at the margin only where the terminal does (libvterm
  /// does not), and the cursor was not above it.
  private mutating func moveUp(_ sequence: ControlSequence, _ range: Range<Int>, _ count: Int) {
    let row = screen.cursor.row
    guard placement.offset > 0, count > row else { return }
    replaceMotion(sequence, range, count: row)
  }

  /// CUD, CNL and VPR stop at the program's last row, which while lifted is not the terminal's.
  private mutating func moveDown(_ sequence: ControlSequence, _ range: Range<Int>, _ count: Int) {
    let room = screen.rows - 1 - screen.cursor.row
    guard placement.isLifted, count > room else { return }
    replaceMotion(sequence, range, count: room)
  }

  /// REP. What was printed last may have been the window's: the character is printed instead.
  private mutating func repeatCharacter(_ range: Range<Int>, _ count: Int) {
    omit(range)
    var character: [UInt8] = []
    if screen.lastPrinted != 0 { character.append(scalar: screen.lastPrinted) }
    rewriteApart(Array(repeatElement(character, count: min(count, screen.rows * columns)).joined()))
  }

  /// As far as the program's screen goes; not at all is still the end of a pending wrap, and of CNL and CPL the first column.
  private mutating func replaceMotion(_ sequence: ControlSequence, _ range: Range<Int>, count: Int) {
    drop(range)
    if count > 0 { return output.appendCSI(count, final: sequence.final) }
    let isLine = sequence.final == UInt8(ascii: "E") || sequence.final == UInt8(ascii: "F")
    output.appendCSI(isLine ? 1 : screen.cursor.column + 1, final: UInt8(ascii: "G"))
  }

  // MARK: Erasing

  /// ED. What erases the banner is painted again; what some terminal moves to its scrollback is done with the banner lifted.
  mutating func erase(_ sequence: ControlSequence, _ range: Range<Int>) {
    switch sequence.parameter(0, default: 0) {
    case 0: if screen.cursor.row == 0, screen.cursor.column == 0 { liftBefore(range) }
    case 1, 2, 3:
      liftBefore(range)
      if placement.isShown {
        pass(upTo: range.upperBound)
        repaintBanner()
      }
    default: break
    }
  }

  // MARK: Margins

  /// DECSTBM. Its defaults are the program's first and last row; top and bottom that leave fewer than two rows are ignored, as
  /// terminals do. The cursor goes home.
  private mutating func setMargins(_ sequence: ControlSequence, _ range: Range<Int>) {
    let top = sequence.amount(0)
    let given = sequence.parameter(1, default: 0)
    let bottom = given == 0 ? screen.rows : min(given, screen.rows)
    screen.controlSequence(sequence, range)
    guard placement != .hidden else { return }
    omit(range)
    guard top < bottom else { return }
    output.appendMargins(top: top - 1 + placement.offset, bottom: bottom - 1 + placement.offset)
    homeAgain(after: range)
  }

  /// What homes the cursor homes it to the terminal's first row, except under origin mode; tmux's even then.
  mutating func homeAgain(after range: Range<Int>) {
    guard placement != .hidden, placement.offset > 0 || screen.modes.isOrigin else { return }
    pass(upTo: range.upperBound)
    appendCursor()
  }

  // MARK: Rectangles

  /// Rectangle operations of the VT400 and the checksum of one: their rows are the terminal's unless origin mode is on.
  private mutating func rectangle(_ sequence: ControlSequence, _ range: Range<Int>) {
    // Where the rows stand among the parameters: (top, bottom) pairs.
    let places: [(top: Int, bottom: Int?)]
    switch (sequence.intermediate, sequence.final) {
    case (UInt16(ascii: "$"), UInt8(ascii: "r")), (UInt16(ascii: "$"), UInt8(ascii: "t")),
      (UInt16(ascii: "$"), UInt8(ascii: "z")), (UInt16(ascii: "$"), UInt8(ascii: "{")):
      places = [(0, 2)]
    case (UInt16(ascii: "$"), UInt8(ascii: "x")): places = [(1, 3)]
    case (UInt16(ascii: "$"), UInt8(ascii: "v")): places = [(0, 2), (5, nil)]
    case (UInt16(ascii: "*"), UInt8(ascii: "y")): places = [(2, 4)]
    case (UInt16(ascii: "*"), UInt8(ascii: "|")): return selectLines(sequence, range)
    default: return screen.controlSequence(sequence, range)
    }
    screen.controlSequence(sequence, range)
    guard placement != .hidden, !screen.modes.isOrigin else { return }
    var parameters = (0..<max(sequence.count, 1)).map { sequence[$0] }
    for (top, bottom) in places {
      let last = max(top, bottom ?? top)
      while parameters.count <= last { parameters.append(nil) }
      parameters[top] = min(max(1, parameters[top] ?? 1), screen.rows + 1) + placement.offset
      if let bottom {
        let value = parameters[bottom] ?? 0
        parameters[bottom] = (value == 0 ? screen.rows : min(value, screen.rows)) + placement.offset
      }
    }
    drop(range)
    output.append("\u{1b}[")
    for (index, parameter) in parameters.enumerated() {
      if index > 0 { output.append(0x3b) }
      if let parameter { output.append(decimal: parameter) }
    }
    output.append(UInt8(truncatingIfNeeded: sequence.intermediate))
    output.append(sequence.final)
  }

  // MARK: The window

  /// DECSNLS: so many rows.
  private mutating func selectLines(_ sequence: ControlSequence, _ range: Range<Int>) {
    guard let rows = sequence[0], rows > 0, placement != .hidden else { return }
    drop(range)
    output.append("\u{1b}[")
    output.append(decimal: rows + placement.inset)
    output.append("*|")
  }

  /// xterm's window operations: what counts rows counts the banner's too.
  private mutating func windowOperation(_ sequence: ControlSequence, _ range: Range<Int>) {
    switch sequence.parameter(0, default: 0) {
    case 8:
      guard let rows = sequence[1], rows > 0, placement != .hidden else { return }
      drop(range)
      output.append("\u{1b}[8;")
      output.append(decimal: rows + placement.inset)
      if let columns = sequence[2] {
        output.append(0x3b)
        output.append(decimal: columns)
      }
      output.append(UInt8(ascii: "t"))
    // DECSLPP: so many rows.
    case 24...Int.max where placement != .hidden:
      drop(range)
      output.appendCSI(sequence.parameter(0, default: 24) + placement.inset, final: UInt8(ascii: "t"))
    case 14: queries.append(.textAreaPixels(offset: placement.inset))
    case 18: queries.append(.textAreaSize(offset: placement.inset))
    default: break
    }
  }
}

extension UInt16 {
  init(ascii scalar: Unicode.Scalar) { self = UInt16(UInt8(ascii: scalar)) }
}
