/// The cursor, and what DECSC saves with it.
struct Cursor: Sendable {
  var row = 0
  var column = 0
  /// A character stands in the last column, and the next one wraps.
  var isWrapPending = false
  var style = CellStyle()
  var charsets = Charsets()
  var isOrigin = false
}

/// G0 and G1: ASCII or DEC graphics.
struct Charsets: Sendable {
  private var areGraphics: [Bool] = [false, false]
  var shifted = 0

  var isGraphics: Bool { areGraphics[shifted] }

  mutating func designate(_ set: Int, final: UInt8) {
    areGraphics[set] = final == 0x30
  }

  /// The character of DEC graphics at `byte`, 0x60…0x7E.
  static func graphic(_ byte: UInt8) -> String { graphics[Int(byte) - 0x60] }

  private static let graphics = "◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·".map(String.init)
}
