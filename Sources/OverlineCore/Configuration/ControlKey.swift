/// Names of keys typed with Ctrl: `ctrl-t`. Terminals send a control character for each (ECMA-48).
enum ControlKey {
  /// Keys that have a fixed meaning in every program: backspace, tab, line feed, carriage return; interrupt, flow control and suspend.
  private static let taken: Set<UInt8> = [0x03, 0x08, 0x09, 0x0a, 0x0d, 0x11, 0x13, 0x1a]

  /// The control character; 0 for an empty text (no key); nil for an invalid name or a key with a fixed meaning.
  static func parse(_ text: String) -> UInt8? {
    if text.isEmpty { return 0 }
    let bytes = Array(text.lowercased().utf8)
    guard bytes.count == 6, bytes.starts(with: "ctrl-".utf8), (0x61...0x7a).contains(bytes[5]) else { return nil }
    let character = bytes[5] & 0x1f
    return taken.contains(character) ? nil : character
  }

  static func text(_ character: UInt8?) -> String {
    character.map { "ctrl-\(Character(Unicode.Scalar($0 | 0x60)))" } ?? ""
  }
}
