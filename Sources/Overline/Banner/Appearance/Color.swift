/// A colour of a banner: exact, or one of the terminal's own sixteen.
public enum Color: Hashable, Sendable {
  /// An exact colour. The terminal shows the nearest colour that it has.
  case rgb(RGB)
  /// One of the terminal's own sixteen, chosen by its user.
  case terminal(TerminalColor)

  /// The exact value. For a terminal's colour, its value in xterm's default palette: the best guess without asking the terminal.
  public var rgb: RGB {
    switch self {
    case .rgb(let value): value
    case .terminal(let color): color.rgb
    }
  }
}

/// An sRGB colour, 8 bits per channel.
public struct RGB: Hashable, Sendable {
  /// 0…255.
  public var red: UInt8
  /// 0…255.
  public var green: UInt8
  /// 0…255.
  public var blue: UInt8

  /// A colour from its red, green and blue.
  public init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }
}

/// The sixteen colours of a terminal, under their usual names in configurations. Raw values are their palette indices.
public enum TerminalColor: UInt8, Hashable, Sendable, CaseIterable {
  /// Palette indices 0…7.
  case black, red, green, yellow, blue, magenta, cyan, white
  /// Palette indices 8…15.
  case brightBlack, brightRed, brightGreen, brightYellow, brightBlue, brightMagenta, brightCyan, brightWhite

  /// xterm's default palette (XTerm-col.ad).
  public var rgb: RGB {
    let values: [RGB] = [
      RGB(0, 0, 0), RGB(205, 0, 0), RGB(0, 205, 0), RGB(205, 205, 0), RGB(0, 0, 238), RGB(205, 0, 205),
      RGB(0, 205, 205),
      RGB(229, 229, 229), RGB(127, 127, 127), RGB(255, 0, 0), RGB(0, 255, 0), RGB(255, 255, 0), RGB(92, 92, 255),
      RGB(255, 0, 255), RGB(0, 255, 255), RGB(255, 255, 255),
    ]
    return values[Int(rawValue)]
  }
}

extension Color {
  /// `#000000`
  public static let black = Color.rgb(RGB(0, 0, 0))
  /// `#ffffff`
  public static let white = Color.rgb(RGB(0xff, 0xff, 0xff))

  // Backgrounds for white text, each with a contrast of at least 4.5:1.
  /// `#b3261e`
  public static let systemRed = Color.rgb(RGB(0xb3, 0x26, 0x1e))
  /// `#bf360c`
  public static let systemOrange = Color.rgb(RGB(0xbf, 0x36, 0x0c))
  /// `#2e7d32`
  public static let systemGreen = Color.rgb(RGB(0x2e, 0x7d, 0x32))
  /// `#00695c`
  public static let systemTeal = Color.rgb(RGB(0x00, 0x69, 0x5c))
  /// `#1565c0`
  public static let systemBlue = Color.rgb(RGB(0x15, 0x65, 0xc0))
  /// `#f9c72c`, for black text.
  public static let systemYellow = Color.rgb(RGB(0xf9, 0xc7, 0x2c))
  /// `#454f54`
  public static let systemGray = Color.rgb(RGB(0x45, 0x4f, 0x54))
}
