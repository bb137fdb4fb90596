internal import Banner

/// Colours as people write them: `#rrggbb`, or one of a terminal's sixteen by name.
enum ColorText {
  static let allowed =
    "allowed are \"#rrggbb\" and the names of the terminal's colours: black, red, green, yellow, blue, magenta, cyan, white, and each as bright-…"

  static func parse(_ text: String) -> Color? {
    let scalars = Array(text.unicodeScalars)
    if scalars.first == "#" {
      guard scalars.count == 7, scalars.dropFirst().allSatisfy(\.properties.isASCIIHexDigit),
        let value = UInt32(text.dropFirst(), radix: 16)
      else { return nil }
      return .rgb(RGB(UInt8(value >> 16), UInt8(value >> 8 & 0xff), UInt8(value & 0xff)))
    }
    let name = text.lowercased()
    return TerminalColor.allCases.first { Self.name($0) == name }.map { .terminal($0) }
  }

  static func text(_ color: Color) -> String {
    switch color {
    case .rgb(let value):
      "#" + [value.red, value.green, value.blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    case .terminal(let color): name(color)
    }
  }

  /// `bright-red`, in the style of the configuration's keys.
  private static func name(_ color: TerminalColor) -> String {
    let name = "\(color)"
    return name.hasPrefix("bright") ? "bright-" + name.dropFirst(6).lowercased() : name
  }
}
