/// A colour as a cell keeps it: 4 bytes.
public struct CellColor: Hashable, Sendable {
  /// 0 for the terminal's own, else what it is in the upper byte.
  public let rawValue: UInt32

  public static let standard = CellColor(rawValue: 0)
  public static func palette(_ index: UInt8) -> CellColor { CellColor(rawValue: 0x0100_0000 | UInt32(index)) }
  public static func rgb(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> CellColor {
    CellColor(rawValue: 0x0200_0000 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue))
  }

  /// The number in the palette of 256.
  public var paletteIndex: UInt8? { rawValue >> 24 == 1 ? UInt8(truncatingIfNeeded: rawValue) : nil }
  public var components: (red: UInt8, green: UInt8, blue: UInt8)? {
    guard rawValue >> 24 == 2 else { return nil }
    return (
      UInt8(truncatingIfNeeded: rawValue >> 16), UInt8(truncatingIfNeeded: rawValue >> 8),
      UInt8(truncatingIfNeeded: rawValue)
    )
  }
}

/// What SGR turns on and off, and DECSCA's protection.
public struct CellAttributes: OptionSet, Hashable, Sendable {
  public let rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  public static let bold = CellAttributes(rawValue: 1)
  public static let faint = CellAttributes(rawValue: 2)
  public static let italic = CellAttributes(rawValue: 4)
  public static let blink = CellAttributes(rawValue: 8)
  public static let rapidBlink = CellAttributes(rawValue: 16)
  public static let reverse = CellAttributes(rawValue: 32)
  public static let hidden = CellAttributes(rawValue: 64)
  public static let strikethrough = CellAttributes(rawValue: 128)
  public static let overline = CellAttributes(rawValue: 256)
  /// Erasing leaves it alone, in one of two ways (DECSCA; SPA).
  public static let protected = CellAttributes(rawValue: 512)

  private static let underlineMask: UInt16 = 0x7000

  /// 0 none, 1 single, 2 double, 3 curly, 4 dotted, 5 dashed: SGR 4:x.
  public var underline: Int {
    get { Int((rawValue & Self.underlineMask) >> 12) }
    set {
      let style = UInt16(truncatingIfNeeded: max(0, min(newValue, 5)))
      self = CellAttributes(rawValue: rawValue & ~Self.underlineMask | style << 12)
    }
  }
}

/// How what is printed next looks: the state that SGR changes.
public struct Style: Hashable, Sendable {
  public var foreground = CellColor.standard
  public var background = CellColor.standard
  public var underlineColor = CellColor.standard
  public var attributes: CellAttributes = []

  public init() {}
}
