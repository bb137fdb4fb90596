/// The two ways to protect characters from being erased, of which the last used one is obeyed (xterm).
enum Protection: Sendable {
  /// Neither since the last reset: what was protected before it no longer is.
  case none
  /// DECSCA: from DECSED and DECSEL.
  case selective
  /// SPA and EPA (ECMA-48): from ED, EL and ECH.
  case guarded

  /// What makes the characters that follow protected ones, or no longer.
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
