/// Control functions as bytes: they are written often enough for speed to matter.
extension [UInt8] {
  mutating func append(_ text: String) { append(contentsOf: text.utf8) }

  /// A control sequence of up to two parameters: `CSI a ; b final`.
  mutating func appendCSI(_ a: Int, _ b: Int? = nil, final: UInt8) {
    append(0x1b)
    append(0x5b)
    append(decimal: a)
    if let b {
      append(0x3b)
      append(decimal: b)
    }
    append(final)
  }

  /// CUP. Row and column count from 0 here.
  mutating func appendCursorPosition(row: Int, column: Int) {
    appendCSI(row + 1, column + 1, final: UInt8(ascii: "H"))
  }

  /// DECSTBM. Rows count from 0 here; the bottom row is included.
  mutating func appendMargins(top: Int, bottom: Int) {
    appendCSI(top + 1, bottom + 1, final: UInt8(ascii: "r"))
  }
}
