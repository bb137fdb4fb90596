/// The two ways to protect characters from erasing. Like xterm, we obey the one that was used last.
enum Protection: Sendable {
  /// Neither was used since the last reset, which ended all protection.
  case none
  /// DECSCA: from DECSED and DECSEL.
  case selective
  /// SPA and EPA (ECMA-48): from ED, EL and ECH.
  case guarded

  /// The sequence that turns protection of the following characters on or off.
  func control(isOn: Bool) -> [UInt8] {
    switch (self, isOn) {
    case (.none, _): []
    case (.selective, true): [0x1b, 0x5b, 0x31, 0x22, 0x71]
    case (.selective, false): [0x1b, 0x5b, 0x30, 0x22, 0x71]
    case (.guarded, true): [0x1b, 0x56]
    case (.guarded, false): [0x1b, 0x57]
    }
  }
}
