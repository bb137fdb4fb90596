internal import Overline

extension TerminalColor {
  /// The colour in tmux's notation (tmux(1), STYLES). Below truecolor this is a palette entry. tmux itself would choose the nearest RGB
  /// value, which is grey for many colours.
  func tmuxName(on depth: ColorDepth) -> String {
    switch self {
    case .rgb(let value):
      depth < .truecolor
        ? "colour\(value.paletteIndex)" : "#" + [value.red, value.green, value.blue].map(Self.hexadecimal).joined()
    case .ansi(let color): "\(color)".lowercased()
    }
  }

  /// A colour in tmux's notation: a name, `colour0` to `colour255` or `#rrggbb`.
  init?(tmuxName name: String) {
    let name = name.lowercased()
    if name.hasPrefix("#"), name.utf8.count == 7, name.dropFirst().allSatisfy(\.isHexDigit),
      let value = UInt32(name.dropFirst(), radix: 16)
    {
      self = .rgb(.init(UInt8(value >> 16), UInt8(value >> 8 & 255), UInt8(value & 255)))
    } else if let color = TerminalColor.ANSI.allCases.first(where: { "\($0)".lowercased() == name }) {
      self = .ansi(color)
    } else if let prefix = ["colour", "color"].first(where: name.hasPrefix),
      let index = UInt8(name.dropFirst(prefix.count))
    {
      self = TerminalColor.ANSI(rawValue: index).map(TerminalColor.ansi) ?? .rgb(.init(paletteIndex: index))
    } else {
      return nil
    }
  }

  private static func hexadecimal(_ value: UInt8) -> String {
    (value < 16 ? "0" : "") + String(value, radix: 16)
  }
}
