/// A colour of a banner or a toast: exact, or one of the terminal's own sixteen.
public enum TerminalColor: Hashable, Sendable {
  /// An exact colour. The terminal shows the nearest colour that it has.
  case rgb(RGB)
  /// One of the terminal's own sixteen, chosen by its user.
  case ansi(ANSI)

  /// The exact value. For a terminal's colour, its value in xterm's default palette: the best guess without asking the terminal.
  package var rgb: RGB {
    switch self {
    case .rgb(let value): value
    case .ansi(let color): color.rgb
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
  public enum ANSI: UInt8, Hashable, Sendable, CaseIterable {
    /// Palette indices 0…7.
    case black, red, green, yellow, blue, magenta, cyan, white
    /// Palette indices 8…15.
    case brightBlack, brightRed, brightGreen, brightYellow, brightBlue, brightMagenta, brightCyan, brightWhite

    /// xterm's default palette (XTerm-col.ad).
    package var rgb: RGB {
      let values: [RGB] = [
        RGB(0, 0, 0), RGB(205, 0, 0), RGB(0, 205, 0), RGB(205, 205, 0), RGB(0, 0, 238), RGB(205, 0, 205),
        RGB(0, 205, 205),
        RGB(229, 229, 229), RGB(127, 127, 127), RGB(255, 0, 0), RGB(0, 255, 0), RGB(255, 255, 0), RGB(92, 92, 255),
        RGB(255, 0, 255), RGB(0, 255, 255), RGB(255, 255, 255),
      ]
      return values[Int(rawValue)]
    }
  }
}
