/// The designated and invoked character sets (ISO 2022), as far as UTF-8 terminals still support them.
package struct Charsets: Equatable, Sendable {
  package enum Charset: UInt8, Sendable {
    case ascii
    case british
    /// DEC Special Graphics: lines and corners.
    case graphics
  }

  private var designated = (Charset.ascii, Charset.ascii, Charset.ascii, Charset.ascii)
  /// The set in use, 0…3: SI, SO, LS2, LS3.
  public internal(set) var invoked = 0 { didSet { isPlain = self[invoked] == .ascii && singleShift == nil } }
  /// The set of the next character only: SS2, SS3.
  public internal(set) var singleShift: Int? { didSet { isPlain = self[invoked] == .ascii && singleShift == nil } }
  /// True when characters have their ASCII meaning.
  private(set) var isPlain = true

  package init() {}

  public internal(set) subscript(number: Int) -> Charset {
    get {
      switch number {
      case 0: designated.0
      case 1: designated.1
      case 2: designated.2
      default: designated.3
      }
    }
    set {
      switch number {
      case 0: designated.0 = newValue
      case 1: designated.1 = newValue
      case 2: designated.2 = newValue
      default: designated.3 = newValue
      }
      isPlain = self[invoked] == .ascii && singleShift == nil
    }
  }

  package static func == (left: Charsets, right: Charsets) -> Bool {
    (0..<4).allSatisfy { left[$0] == right[$0] } && left.invoked == right.invoked
      && left.singleShift == right.singleShift
  }

  package func hash(into hasher: inout Hasher) {
    for number in 0..<4 { hasher.combine(self[number]) }
    hasher.combine(invoked)
    hasher.combine(singleShift)
  }

  /// The character that an ASCII byte stands for.
  mutating func translate(_ byte: UInt8) -> UInt32 {
    let charset = self[singleShift ?? invoked]
    if singleShift != nil { singleShift = nil }
    switch charset {
    case .ascii: return UInt32(byte)
    case .british: return byte == 0x23 ? 0xa3 : UInt32(byte)
    case .graphics: return byte >= 0x5f && byte <= 0x7e ? UInt32(Self.graphics[Int(byte) - 0x5f]) : UInt32(byte)
    }
  }

  /// From 0x5f on, as xterm shows them: blank, diamond, checkerboard, HT FF CR LF, degree, plus-minus, NL VT, the corners and
  /// lines, comparisons, pi, not equal, sterling, middle dot.
  private static let graphics: [UInt16] = [
    0x20, 0x25c6, 0x2592, 0x2409, 0x240c, 0x240d, 0x240a, 0xb0, 0xb1, 0x2424, 0x240b, 0x2518, 0x2510, 0x250c, 0x2514,
    0x253c, 0x23ba, 0x23bb, 0x2500, 0x23bc, 0x23bd, 0x251c, 0x2524, 0x2534, 0x252c, 0x2502, 0x2264, 0x2265, 0x3c0,
    0x2260, 0xa3, 0xb7,
  ]
}
