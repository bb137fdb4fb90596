/// The two ways to protect characters from erasing. Like xterm, we obey the one that was used last.
enum Protection: Sendable {
  /// Neither was used since the last reset, which ended all protection.
  case none
  /// DECSCA: from DECSED and DECSEL.
  case selective
  /// SPA and EPA (ECMA-48): from ED, EL and ECH, and in xterm from DECSED and DECSEL too.
  case guarded

  /// DECSCA: turns the protection of the following characters on or off, and chooses this kind of protection.
  static func select(isOn: Bool) -> [UInt8] { [0x1b, 0x5b, isOn ? 0x31 : 0x30, 0x22, 0x71] }

  /// The bytes that restore this kind of protection, and the program's pen, after ``select(isOn:)`` has turned protection off.
  func restore(isOn: Bool) -> [UInt8] {
    switch self {
    case .none: []
    case .selective: isOn ? Self.select(isOn: true) : []
    case .guarded: isOn ? [0x1b, 0x56] : [0x1b, 0x56, 0x1b, 0x57]
    }
  }
}
