internal import Banner

extension Color {
  /// As tmux writes it (tmux(1), STYLES). tmux itself finds the nearest colour where a client has fewer.
  var tmuxName: String {
    switch self {
    case .rgb(let value): "#" + [value.red, value.green, value.blue].map(Self.hexadecimal).joined()
    case .terminal(let color): "\(color)".lowercased()
    }
  }

  /// A colour as people write it in tmux: a name, `colour0` to `colour255` or `#rrggbb`.
  init?(tmuxName name: String) {
    let name = name.lowercased()
    if name.hasPrefix("#"), name.utf8.count == 7, name.dropFirst().allSatisfy(\.isHexDigit),
      let value = UInt32(name.dropFirst(), radix: 16)
    {
      self = .rgb(RGB(UInt8(value >> 16), UInt8(value >> 8 & 255), UInt8(value & 255)))
    } else if let color = TerminalColor.allCases.first(where: { "\($0)".lowercased() == name }) {
      self = .terminal(color)
    } else if let prefix = ["colour", "color"].first(where: name.hasPrefix),
      let index = UInt8(name.dropFirst(prefix.count))
    {
      self = TerminalColor(rawValue: index).map(Color.terminal) ?? .rgb(Self.palette(index))
    } else {
      return nil
    }
  }

  /// xterm's palette of 256: a cube of 6 x 6 x 6 from 16, greys from 232 (256colres.pl).
  private static func palette(_ index: UInt8) -> RGB {
    if index >= 232 {
      let grey = 8 + 10 * (index - 232)
      return RGB(grey, grey, grey)
    }
    let levels: [UInt8] = [0, 95, 135, 175, 215, 255]
    let cube = Int(index) - 16
    return RGB(levels[cube / 36], levels[cube / 6 % 6], levels[cube % 6])
  }

  private static func hexadecimal(_ value: UInt8) -> String {
    (value < 16 ? "0" : "") + String(value, radix: 16)
  }
}
