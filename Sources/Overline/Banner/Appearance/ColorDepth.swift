/// The number of colours that a terminal can show.
package enum ColorDepth: Int, Sendable, CaseIterable, Comparable {
  /// None: bold, underline and reverse only.
  case monochrome
  /// The sixteen of ``TerminalColor/ANSI``. The terminal's user chose their real values.
  case ansi16
  /// xterm's palette: the sixteen of ``TerminalColor/ANSI``, a cube of 6×6×6 and 24 greys.
  case palette256
  case truecolor

  package static func < (left: ColorDepth, right: ColorDepth) -> Bool { left.rawValue < right.rawValue }
}

extension TerminalColor.RGB {
  /// The most similar entry of xterm's palette, 16…255. The first sixteen are excluded, since their real values are unknown.
  ///
  /// Compared in OKLab, because RGB distance turns a green into a grey: `#2e7d32` is nearer to `#4e4e4e` than to `#008700`. The palette has
  /// few dark colours beside many greys, so a colour never becomes a grey.
  package var paletteIndex: UInt8 {
    let own = OKLab(self)
    let candidates = palette.lazy.filter { own.isGray || !$0.color.isGray }
    return candidates.min { own.squaredDistance(to: $0.color) < own.squaredDistance(to: $1.color) }!.index
  }

  /// The colour of an entry of xterm's palette (256colres.h).
  package init(paletteIndex index: UInt8) {
    if let color = TerminalColor.ANSI(rawValue: index) {
      self = color.rgb
    } else if index < 232 {
      let cube = Int(index) - 16
      self.init(cubeLevels[cube / 36], cubeLevels[cube / 6 % 6], cubeLevels[cube % 6])
    } else {
      let level = 8 + 10 * (index - 232)
      self.init(level, level, level)
    }
  }

  /// The terminal colour that people call by the same name. A colour maps to the nearest hue: people tell *red* from *green* in any
  /// brightness. A grey maps to the nearest lightness.
  package var nearestTerminalColor: TerminalColor.ANSI {
    let own = OKLab(self)
    let candidates = TerminalColor.ANSI.allCases.filter { OKLab($0.rgb).isGray == own.isGray }
    func difference(_ color: TerminalColor.ANSI) -> Double {
      let other = OKLab(color.rgb)
      let lightness = abs(own.lightness - other.lightness)
      // Lightness only decides between a colour and its bright variant.
      return own.isGray ? lightness : 1 - own.likenessOfHue(to: other) + lightness / 20
    }
    return candidates.min { difference($0) < difference($1) }!
  }

}

/// xterm's palette without its first sixteen.
private let palette = (16...255).map { (index: UInt8($0), color: OKLab(TerminalColor.RGB(paletteIndex: UInt8($0)))) }

/// The six values of a channel in xterm's colour cube.
private let cubeLevels: [UInt8] = [0, 95, 135, 175, 215, 255]

extension BannerAppearance {
  /// This appearance in colours that a terminal of that depth can show. A readable pair stays readable: if the nearest colours are too
  /// similar, the text becomes black or white. If colour cannot set the banner off (16 colours or none), the banner always has an icon.
  package func adapted(to depth: ColorDepth) -> BannerAppearance {
    var result = self
    switch depth {
    case .truecolor: return self
    case .palette256:
      result.backgroundColor = backgroundColor.snapped
      result.textColor = textColor.snapped
      if losesContrast(result) { result.textColor = .rgb(result.backgroundColor.rgb.readablePole) }
    case .ansi16:
      result.icon = icon ?? .notice
      result.backgroundColor = backgroundColor.named
      result.textColor = textColor.named
      if losesContrast(result) {
        result.textColor = TerminalColor.rgb(result.backgroundColor.rgb.readablePole).named
      }
    case .monochrome:
      result.icon = icon ?? .notice
    }
    return result
  }

  private func losesContrast(_ other: BannerAppearance) -> Bool {
    contrastWarning == nil && other.contrastWarning != nil
  }
}

extension TerminalColor {
  fileprivate var snapped: TerminalColor {
    switch self {
    case .rgb(let value): .rgb(.init(paletteIndex: value.paletteIndex))
    case .ansi: self
    }
  }

  fileprivate var named: TerminalColor {
    switch self {
    case .rgb(let value): .ansi(value.nearestTerminalColor)
    case .ansi: self
    }
  }
}
