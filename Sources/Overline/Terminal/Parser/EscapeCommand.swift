/// The command of an escape sequence (see ``TerminalCommand``).
package enum EscapeCommand: Equatable, Sendable {
  case index  // IND
  case nextLine  // NEL
  case reverseIndex  // RI
  case backIndex  // DECBI
  case forwardIndex  // DECFI
  case saveCursor  // DECSC
  case restoreCursor  // DECRC
  case characterTabulationSet  // HTS
  case startOfGuardedArea  // SPA
  case endOfGuardedArea  // EPA
  /// SS2, SS3: selects the set of the next character only.
  case singleShift(Int)
  case lockingShift(Int)  // LS2, LS3
  /// SCS: G0 to G3.
  case selectCharacterSet(Int, Charsets.Charset)
  case lineAttributes  // DECDHL, DECSWL, DECDWL
  case screenAlignmentPattern  // DECALN
  case resetToInitialState  // RIS
  /// S7C1T and S8C1T: the form of the controls in the terminal's replies.
  case sendControls(isEightBit: Bool)
  /// DECID: same as DA1.
  case requestIdentification
  /// Any other escape sequence.
  case unknown

  /// - Parameter intermediate: 0 for none.
  package init(_ intermediate: UInt8, _ final: UInt8) {
    self =
      switch intermediate {
      case 0: Self.plain(final)
      case UInt8(ascii: "("): .selectCharacterSet(0, Charsets.Charset(final: final))
      case UInt8(ascii: ")"): .selectCharacterSet(1, Charsets.Charset(final: final))
      case UInt8(ascii: "*"): .selectCharacterSet(2, Charsets.Charset(final: final))
      case UInt8(ascii: "+"): .selectCharacterSet(3, Charsets.Charset(final: final))
      // Sets of 96 characters have no meaning in UTF-8: terminals show ASCII instead.
      case UInt8(ascii: "-"): .selectCharacterSet(1, .ascii)
      case UInt8(ascii: "."): .selectCharacterSet(2, .ascii)
      case UInt8(ascii: "/"): .selectCharacterSet(3, .ascii)
      case UInt8(ascii: " "):
        switch final {
        case UInt8(ascii: "F"): .sendControls(isEightBit: false)
        case UInt8(ascii: "G"): .sendControls(isEightBit: true)
        default: .unknown
        }
      case UInt8(ascii: "#"):
        switch final {
        case UInt8(ascii: "3")...UInt8(ascii: "6"): .lineAttributes
        case UInt8(ascii: "8"): .screenAlignmentPattern
        default: .unknown
        }
      default: .unknown
      }
  }

  private static func plain(_ final: UInt8) -> EscapeCommand {
    switch final {
    case UInt8(ascii: "D"): .index
    case UInt8(ascii: "E"): .nextLine
    case UInt8(ascii: "M"): .reverseIndex
    case UInt8(ascii: "6"): .backIndex
    case UInt8(ascii: "9"): .forwardIndex
    case UInt8(ascii: "7"): .saveCursor
    case UInt8(ascii: "8"): .restoreCursor
    case UInt8(ascii: "H"): .characterTabulationSet
    case UInt8(ascii: "V"): .startOfGuardedArea
    case UInt8(ascii: "W"): .endOfGuardedArea
    case UInt8(ascii: "N"): .singleShift(2)
    case UInt8(ascii: "O"): .singleShift(3)
    case UInt8(ascii: "n"): .lockingShift(2)
    case UInt8(ascii: "o"): .lockingShift(3)
    case UInt8(ascii: "c"): .resetToInitialState
    case UInt8(ascii: "Z"): .requestIdentification
    default: .unknown
    }
  }
}

extension Charsets.Charset {
  /// - Parameter final: the final byte of the sequence that designates the set.
  fileprivate init(final: UInt8) {
    self =
      switch final {
      case UInt8(ascii: "0"): .graphics
      case UInt8(ascii: "A"): .british
      default: .ascii
      }
  }
}
