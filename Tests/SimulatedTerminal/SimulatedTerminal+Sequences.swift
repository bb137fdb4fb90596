extension SimulatedTerminal {
  mutating func runEscape(final: UInt8) {
    switch final {
    case UInt8(ascii: "7"): saveCursor()
    case UInt8(ascii: "8"): restoreCursor()
    case UInt8(ascii: "D"): lineFeed()
    case UInt8(ascii: "E"): nextLine()
    case UInt8(ascii: "H"): tabStops[position.column] = true
    case UInt8(ascii: "M"): reverseIndex()
    case UInt8(ascii: "c"): reset()
    case UInt8(ascii: "="): modes.hasApplicationKeypad = true
    case UInt8(ascii: ">"): modes.hasApplicationKeypad = false
    default: break
    }
  }

  mutating func runEscape(intermediate: UInt8, final: UInt8) {
    switch intermediate {
    case UInt8(ascii: "("): position.charsets.designate(0, final: final)
    case UInt8(ascii: ")"): position.charsets.designate(1, final: final)
    default: break
    }
  }

  mutating func runControl(_ final: UInt8) {
    switch (parser.prefix, parser.intermediate) {
    case (0, 0): runPlainControl(final)
    case (0x3F, 0): runPrivateControl(final)
    case (0x3E, 0): if parser.parameter(0, or: 0) == 0 { answerDevice(final) }
    case (0, UInt8(ascii: "!")): if final == UInt8(ascii: "p") { softReset() }
    case (0x3F, UInt8(ascii: "$")): if final == UInt8(ascii: "p") { answerMode(parser.parameter(0, or: 0)) }
    default: break
    }
  }

  private mutating func runPlainControl(_ final: UInt8) {
    let count = parser.count
    switch Character(Unicode.Scalar(final)) {
    case "A": moveUp(count)
    case "B", "e": moveDown(count)
    case "C", "a": moveForward(count)
    case "D": moveBack(count)
    case "E":
      moveDown(count)
      setColumn(0)
    case "F":
      moveUp(count)
      setColumn(0)
    case "G": setColumn(count - 1)
    case "`": setColumn(count - 1, family.pending.columnPosition)
    case "d": setRow(count - 1, family.pending.rowPosition)
    case "H", "f":
      setRow(count - 1)
      setColumn(max(parser.parameter(1, or: 1), 1) - 1)
    case "I": tab(count)
    case "Z": tabBack(count)
    case "J": eraseDisplay(parser.parameter(0, or: 0))
    case "K": eraseLine(parser.parameter(0, or: 0))
    case "L": shiftLines(count, isInsertion: true)
    case "M": shiftLines(count, isInsertion: false)
    case "P": deleteCharacters(count)
    case "X": eraseCharacters(count)
    case "@": insertCharacters(count)
    case "S": scrollUp(count)
    case "T": if parser.parameters.count < 2 { scrollDown(from: top, count) }
    case "b": repeatLast(count)
    case "c": if parser.parameter(0, or: 0) == 0 { answerDevice(final) }
    case "g": clearTabs(parser.parameter(0, or: 0))
    case "h", "l": setPlainModes(final == UInt8(ascii: "h"))
    case "m": setStyle()
    case "n": answerStatus(isPrivate: false)
    case "r": setMargins(max(parser.parameter(0, or: 1), 1) - 1, max(parser.parameter(1, or: rows), 1) - 1)
    case "s": saveCursor()
    case "t": if parser.parameter(0, or: 0) == 18 { answerSize() }
    case "u": restoreCursor()
    default: break
    }
  }

  private mutating func runPrivateControl(_ final: UInt8) {
    switch final {
    case UInt8(ascii: "h"), UInt8(ascii: "l"):
      for mode in parser.parameters { setPrivateMode(mode, to: final == UInt8(ascii: "h")) }
    case UInt8(ascii: "n"): answerStatus(isPrivate: true)
    // DECSED and DECSEL erase as ED and EL: nothing is protected.
    case UInt8(ascii: "J"): eraseDisplay(parser.parameter(0, or: 0))
    case UInt8(ascii: "K"): eraseLine(parser.parameter(0, or: 0))
    default: break
    }
  }

  private mutating func repeatLast(_ count: Int) {
    guard let rule = family.repetition, !lastPrinted.isEmpty else { return }
    var count = min(count, rows * columns)
    let room = position.isWrapPending ? 0 : columns - position.column
    if rule == .staysInRow { count = min(count, room) }
    if rule == .onceBeyondRow { count = min(count, max(room, 1)) }
    let width = lastPrinted.unicodeScalars.first.map { max(family.widths.width(of: $0), 1) } ?? 1
    let text = lastPrinted
    for _ in 0..<count { put(text, width: width) }
  }

  private mutating func clearTabs(_ kind: Int) {
    if kind == 0 { tabStops[position.column] = false }
    if kind == 3 { tabStops = Array(repeating: false, count: columns) }
  }

  private mutating func setPlainModes(_ isSet: Bool) {
    for mode in parser.parameters {
      if mode == 4 { modes.inserts = isSet }
      if mode == 20 { modes.returnsAtLineFeed = isSet }
    }
  }
}
