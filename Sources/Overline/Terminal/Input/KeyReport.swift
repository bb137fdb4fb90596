/// A key that came as a control sequence: in the terminal's own form, in xterm's modifyOtherKeys, or in kitty's keyboard protocol.
struct KeyReport: Equatable {
  /// The character's scalar, or nil for a key that is named by its final byte.
  var code: Int?
  let final: UInt8
  /// xterm's bits: 1 for Shift, 2 for Alt, 4 for Control.
  var modifiers = 0
  var isRelease = false

  /// Nil when the sequence is not a key.
  ///
  /// - Parameter bytes: from ESC to the final byte.
  init?(_ bytes: [UInt8]) {
    final = bytes[bytes.count - 1]
    // A sequence with a private prefix is a report.
    guard bytes.count >= 3, bytes[2] < 0x3c || bytes.count == 3 else { return nil }
    let fields = bytes[2..<(bytes.count - 1)].split(separator: 0x3b, omittingEmptySubsequences: false).map { field in
      field.split(separator: 0x3a, omittingEmptySubsequences: false).map { Self.number($0) }
    }
    func field(_ index: Int, _ part: Int = 0) -> Int? {
      index < fields.count && part < fields[index].count ? fields[index][part] : nil
    }
    modifiers = max(0, (field(1) ?? 1) - 1)
    isRelease = field(1, 1) == 3
    switch final {
    case UInt8(ascii: "u"): code = field(0)
    case UInt8(ascii: "~"):
      switch field(0) {
      // Pasted text is not a key.
      case 200, 201: return nil
      // modifyOtherKeys: the code comes last.
      case 27: code = field(2)
      default: break
      }
    // A cursor report to the program differs from F3 only in its numbers.
    case UInt8(ascii: "R") where fields.count == 2 && (field(0) != 1 || !(2...16).contains(field(1) ?? 0)): return nil
    case UInt8(ascii: "A")...UInt8(ascii: "H"), UInt8(ascii: "P")...UInt8(ascii: "S"), UInt8(ascii: "Z"): break
    default: return nil
    }
  }

  private static func number(_ digits: some Collection<UInt8>) -> Int? {
    var value = 0
    for digit in digits {
      guard (0x30...0x39).contains(digit) else { return nil }
      value = min(value * 10 + Int(digit - 0x30), 1 << 24)
    }
    return digits.isEmpty ? nil : value
  }

  /// The control character of a key pressed with Control; nil for other keys.
  var control: UInt8? {
    guard let code, modifiers & 4 != 0, (0x40...0x7f).contains(code) else { return nil }
    return UInt8(code & 0x1f)
  }

  /// The key's meaning to an alert; nil for the release of a key.
  var alertKey: AlertKey? {
    guard !isRelease else { return nil }
    if let control { return AlertKey(character: control) ?? .other }
    guard let code else { return AlertKey(final: final) ?? .other }
    // kitty's number for Enter of the keypad.
    if code == 57414 { return .confirm }
    let key = UInt8(exactly: code).flatMap(AlertKey.init(character:)) ?? .other
    return key == .nextButton && modifiers & 1 != 0 ? .previousButton : key
  }
}

extension AlertKey {
  /// Enter and Space press the focused button, Tab moves to the next one, Escape and Control-C dismiss the alert, a digit presses the
  /// button of that number.
  init?(character: UInt8) {
    switch character {
    case 0x0d, 0x0a, 0x20: self = .confirm
    case 0x09: self = .nextButton
    case 0x1b, 0x03: self = .dismiss
    case 0x31...0x38: self = .button(Int(character - 0x31))
    default: return nil
    }
  }

  /// For a key without a character: arrows, back-tab.
  init?(final: UInt8) {
    switch final {
    case UInt8(ascii: "A"), UInt8(ascii: "D"), UInt8(ascii: "Z"): self = .previousButton
    case UInt8(ascii: "B"), UInt8(ascii: "C"): self = .nextButton
    default: return nil
    }
  }
}
