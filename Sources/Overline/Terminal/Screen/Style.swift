/// A colour in the form that a cell stores: 4 bytes.
package struct CellColor: Hashable, Sendable {
  /// 0 for the terminal's own colour. Otherwise the upper byte is the kind: 1 for the palette, 2 for RGB.
  package let rawValue: UInt32

  package static let standard = CellColor(rawValue: 0)
  package static func palette(_ index: UInt8) -> CellColor { CellColor(rawValue: 0x0100_0000 | UInt32(index)) }
  package static func rgb(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> CellColor {
    CellColor(rawValue: 0x0200_0000 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue))
  }

  /// The number in the palette of 256.
  package var paletteIndex: UInt8? { rawValue >> 24 == 1 ? UInt8(truncatingIfNeeded: rawValue) : nil }
  package var components: (red: UInt8, green: UInt8, blue: UInt8)? {
    guard rawValue >> 24 == 2 else { return nil }
    return (
      UInt8(truncatingIfNeeded: rawValue >> 16), UInt8(truncatingIfNeeded: rawValue >> 8),
      UInt8(truncatingIfNeeded: rawValue)
    )
  }
}

/// The attributes that SGR turns on and off, and the protection of DECSCA.
package struct CellAttributes: OptionSet, Equatable, Sendable {
  package let rawValue: UInt16
  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package static let bold = CellAttributes(rawValue: 1)
  package static let faint = CellAttributes(rawValue: 2)
  package static let italic = CellAttributes(rawValue: 4)
  package static let blink = CellAttributes(rawValue: 8)
  package static let rapidBlink = CellAttributes(rawValue: 16)
  package static let reverse = CellAttributes(rawValue: 32)
  package static let hidden = CellAttributes(rawValue: 64)
  package static let strikethrough = CellAttributes(rawValue: 128)
  package static let overline = CellAttributes(rawValue: 256)
  /// Protected from erasing, in one of two ways (DECSCA; SPA).
  package static let protected = CellAttributes(rawValue: 512)

  private static let underlineMask: UInt16 = 0x7000

  /// 0 none, 1 single, 2 double, 3 curly, 4 dotted, 5 dashed: SGR 4:x.
  package var underline: Int {
    get { Int((rawValue & Self.underlineMask) >> 12) }
    set {
      let style = UInt16(truncatingIfNeeded: max(0, min(newValue, 5)))
      self = CellAttributes(rawValue: rawValue & ~Self.underlineMask | style << 12)
    }
  }
}

/// The look of text printed next: the state that SGR changes.
package struct Style: Equatable, Sendable {
  package var foreground = CellColor.standard
  package var background = CellColor.standard
  package var underlineColor = CellColor.standard
  package var attributes: CellAttributes = []

  package init() {}
}
