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
