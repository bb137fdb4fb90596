/// The command of a control character, C0 (see ``TerminalCommand``).
package enum ControlCharacter: Equatable, Sendable {
  case backspace  // BS
  case characterTabulation  // HT
  case lineFeed  // LF
  case lineTabulation  // VT
  case formFeed  // FF
  case carriageReturn  // CR
  case shiftOut  // SO
  case shiftIn  // SI
  /// Any other control character: it does not change the screen, and the rewriter passes it on.
  case unknown

  /// Inlined, so that a switch over the value compiles to a switch over the byte.
  @inline(__always)
  package init(_ byte: UInt8) {
    self =
      switch byte {
      case 0x08: .backspace
      case 0x09: .characterTabulation
      case 0x0a: .lineFeed
      case 0x0b: .lineTabulation
      case 0x0c: .formFeed
      case 0x0d: .carriageReturn
      case 0x0e: .shiftOut
      case 0x0f: .shiftIn
      default: .unknown
      }
  }
}
