/// A colour of a banner: exact, or one of the terminal's own sixteen.
public enum Color: Hashable, Sendable {
  case rgb(RGB)
  case terminal(TerminalColor)

  /// The exact value, or what the terminal's colour is in xterm's default palette: the best guess there is without asking.
  public var rgb: RGB {
    switch self {
    case .rgb(let value): value
    case .terminal(let color): color.rgb
    }
  }
}

/// An sRGB colour, 8 bits a channel.
public struct RGB: Hashable, Sendable {
  public var red: UInt8
  public var green: UInt8
  public var blue: UInt8

  public init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }
}

/// The sixteen colours of a terminal, by the names that people write in configurations. Raw values are their palette indices.
public enum TerminalColor: UInt8, Hashable, Sendable, CaseIterable {
  case black, red, green, yellow, blue, magenta, cyan, white
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
  public static let black = Color.rgb(RGB(0, 0, 0))
  public static let white = Color.rgb(RGB(0xff, 0xff, 0xff))

  // Backgrounds for white text: each has a contrast of at least 4.5:1 with it.
  public static let systemRed = Color.rgb(RGB(0xb3, 0x26, 0x1e))
  public static let systemOrange = Color.rgb(RGB(0xbf, 0x36, 0x0c))
  public static let systemGreen = Color.rgb(RGB(0x2e, 0x7d, 0x32))
  public static let systemTeal = Color.rgb(RGB(0x00, 0x69, 0x5c))
  public static let systemBlue = Color.rgb(RGB(0x15, 0x65, 0xc0))
  public static let systemYellow = Color.rgb(RGB(0xf9, 0xc7, 0x2c))  // for black text
  public static let systemGray = Color.rgb(RGB(0x45, 0x4f, 0x54))
}
