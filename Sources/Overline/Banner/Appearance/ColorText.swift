/// The text found where a colour was expected; the description lists the allowed values.
package struct ColorError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The text as written.
  package let text: String

  public var description: String {
    let names = TerminalColor.ANSI.allCases.map(\.name).joined(separator: ", ")
    return "\"\(text.prefix(64))\" is not a colour; allowed are \"#rrggbb\" and the terminal's own \(names)"
  }
}

extension TerminalColor {
  /// Parses a colour from a configuration or an option: `#rrggbb`, or the name of a terminal colour in any case, with or without a hyphen
  /// between its words (`bright-red`, `BrightRed`).
  package init(parsing text: String) throws(ColorError) {
    if let exact = TerminalColor.RGB(hexadecimal: text) {
      self = .rgb(exact)
      return
    }
    let name = text.lowercased().filter { $0 != "-" }
    guard let color = TerminalColor.ANSI.allCases.first(where: { $0.name.filter { $0 != "-" } == name }) else {
      throw ColorError(text: text)
    }
    self = .ansi(color)
  }
}

extension TerminalColor: CustomStringConvertible {
  /// The form used in a configuration: `#b3261e` or `bright-red`.
  public var description: String {
    switch self {
    case .rgb(let value): value.description
    case .ansi(let color): color.name
    }
  }
}

extension TerminalColor.RGB: CustomStringConvertible {
  /// `#b3261e`.
  public var description: String {
    func digit(_ value: UInt8) -> UInt8 { value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10) }
    return String(
      decoding: [
        UInt8(ascii: "#"), digit(red >> 4), digit(red & 15), digit(green >> 4), digit(green & 15), digit(blue >> 4),
        digit(blue & 15),
      ], as: UTF8.self)
  }

  /// Accepts `#rrggbb` only.
  init?(hexadecimal text: String) {
    let bytes = Array(text.utf8)
    // UInt32 also accepts a sign: `#-fffff` is one digit short.
    guard bytes.count == 7, bytes[0] == UInt8(ascii: "#"), bytes[1] >= UInt8(ascii: "0"),
      let value = UInt32(text.dropFirst(), radix: 16)
    else { return nil }
    self.init(UInt8(value >> 16), UInt8(value >> 8 & 0xff), UInt8(value & 0xff))
  }
}

extension TerminalColor.ANSI {
  /// The form used in a configuration: `red`, `bright-red`.
  package var name: String {
    switch self {
    case .black: "black"
    case .red: "red"
    case .green: "green"
    case .yellow: "yellow"
    case .blue: "blue"
    case .magenta: "magenta"
    case .cyan: "cyan"
    case .white: "white"
    case .brightBlack: "bright-black"
    case .brightRed: "bright-red"
    case .brightGreen: "bright-green"
    case .brightYellow: "bright-yellow"
    case .brightBlue: "bright-blue"
    case .brightMagenta: "bright-magenta"
    case .brightCyan: "bright-cyan"
    case .brightWhite: "bright-white"
    }
  }
}
