extension SimulatedTerminal {
  mutating func handle(_ byte: UInt8) {
    switch parser.state {
    case .ground: handleGround(byte)
    case .escape, .escapeIntermediate: handleEscape(byte)
    case .control, .controlIgnored: handleControl(byte)
    case .command, .string: handleString(byte)
    case .commandEscape, .stringEscape:
      let isCommand = parser.state == .commandEscape
      // ESC ends the string, with or without the backslash of ST.
      if isCommand { runCommand(terminator: [0x1B, 0x5C]) }
      parser.state = .escape
      if byte == 0x5C { parser.state = .ground } else { handle(byte) }
    }
  }

  private mutating func handleGround(_ byte: UInt8) {
    if parser.missing > 0 {
      if byte & 0xC0 == 0x80 {
        parser.partial = parser.partial << 6 | UInt32(byte & 0x3F)
        parser.missing -= 1
        guard parser.missing == 0 else { return }
        let isWhole = parser.partial >= parser.smallest
        return handle(isWhole ? Unicode.Scalar(parser.partial) ?? "\u{FFFD}" : "\u{FFFD}")
      }
      parser.missing = 0
      handle("\u{FFFD}" as Unicode.Scalar)
      return handle(byte)
    }
    switch byte {
    case 0..<0x20: handleC0(byte)
    case 0x7F: if family.widths.deleteIsPrinted { print("\u{7F}" as Unicode.Scalar) }
    case 0x20..<0x7F: printASCII(byte)
    case 0xC2..<0xE0: begin(UInt32(byte & 0x1F), missing: 1, smallest: 0x80)
    case 0xE0..<0xF0: begin(UInt32(byte & 0x0F), missing: 2, smallest: 0x800)
    case 0xF0..<0xF5: begin(UInt32(byte & 0x07), missing: 3, smallest: 0x10000)
    default: print("\u{FFFD}" as Unicode.Scalar)
    }
  }

  private mutating func begin(_ bits: UInt32, missing: Int, smallest: UInt32) {
    parser.partial = bits
    parser.missing = missing
    parser.smallest = smallest
  }

  private mutating func handle(_ scalar: Unicode.Scalar) {
    guard 0x80..<0xA0 ~= scalar.value else { return print(scalar) }
    switch scalar.value {
    case 0x84 where family.controls.contains(.index): lineFeed()
    case 0x85 where family.controls.contains(.nextLine): nextLine()
    case 0x85 where family.controls.contains(.nextLineIsPrinted): put(" ", width: 1)
    case 0x8D where family.controls.contains(.reverseIndex): reverseIndex()
    case 0x9B where family.controls.contains(.controlSequence): parser.beginControl()
    default: break
    }
  }

  private mutating func handleEscape(_ byte: UInt8) {
    switch byte {
    case 0x18, 0x1A: parser.state = .ground
    case 0x1B:
      parser.state = .escape
    case 0..<0x20: handleC0(byte)
    case 0x20..<0x30:
      parser.intermediate = byte
      parser.state = .escapeIntermediate
    case 0x7F: break
    case _ where parser.state == .escapeIntermediate:
      parser.state = .ground
      runEscape(intermediate: parser.intermediate, final: byte)
    case 0x5B: parser.beginControl()
    case 0x5D:
      parser.state = .command
      parser.command.removeAll(keepingCapacity: true)
    case 0x50, 0x58, 0x5E, 0x5F: parser.state = .string
    default:
      parser.state = .ground
      runEscape(final: byte)
    }
  }

  private mutating func handleControl(_ byte: UInt8) {
    switch byte {
    case 0x18, 0x1A: parser.state = .ground
    case 0x1B: parser.state = .escape
    case 0..<0x20: handleC0(byte)
    case 0x20..<0x30: parser.intermediate = byte
    case 0x30...0x3B:
      if parser.intermediate != 0 { parser.state = .controlIgnored } else { parser.addParameterByte(byte) }
    case 0x3C...0x3F:
      if parser.parameters.isEmpty && parser.prefix == 0 {
        parser.prefix = byte
      } else {
        parser.state = .controlIgnored
      }
    case 0x40...0x7E:
      let isKnown = parser.state == .control
      parser.state = .ground
      if isKnown { runControl(byte) }
    default: break
    }
  }

  private mutating func handleString(_ byte: UInt8) {
    let isCommand = parser.state == .command
    switch byte {
    case 0x18, 0x1A: parser.state = .ground
    case 0x1B: parser.state = isCommand ? .commandEscape : .stringEscape
    case 0x07 where isCommand:
      parser.state = .ground
      runCommand(terminator: [7])
    default: if isCommand && parser.command.count < 4096 { parser.command.append(byte) }
    }
  }
}
