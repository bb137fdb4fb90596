/// The treatment of a configured pair of colours that is hard to read.
package enum ContrastPolicy: String, Equatable, Sendable, CaseIterable {
  /// Show the pair as configured, and report it.
  case warn
  /// Correct the text colour, and report the pair.
  case enforce
}

/// The contrast that text needs, from WCAG 2.2, success criterion 1.4.3 (AA).
package let minimumContrast = 4.5

extension TerminalColor.RGB {
  /// Relative luminance as defined by WCAG, 0 (black) to 1 (white).
  package var relativeLuminance: Double {
    0.2126 * linearChannels[Int(red)] + 0.7152 * linearChannels[Int(green)] + 0.0722 * linearChannels[Int(blue)]
  }

  /// The contrast ratio of WCAG, 1 (equal) to 21 (black and white), in either order.
  package func contrast(with other: TerminalColor.RGB) -> Double {
    let (one, two) = (relativeLuminance, other.relativeLuminance)
    return (max(one, two) + 0.05) / (min(one, two) + 0.05)
  }

  /// Black or white, whichever reads better on this background. One of them always has at least √21 ≈ 4.58:1.
  var readablePole: TerminalColor.RGB {
    let white = TerminalColor.RGB(0xff, 0xff, 0xff)
    let black = TerminalColor.RGB(0, 0, 0)
    return contrast(with: white) >= contrast(with: black) ? white : black
  }
}

/// A pair of colours that is hard to read, and a readable replacement.
package struct ContrastWarning: Equatable, Sendable, CustomStringConvertible {
  /// The pair's contrast ratio, below ``minimumContrast``.
  package let ratio: Double
  package let textColor: TerminalColor
  package let backgroundColor: TerminalColor
  /// The readable colour nearest to the text's, lighter or darker, on this background.
  package let correctedTextColor: TerminalColor

  package var description: String {
    "text \(textColor) on \(backgroundColor) has a contrast of \(rounded(ratio)):1, below 4.5:1; \(correctedTextColor) can be read"
  }

  /// Two digits, cut off: 4.497 must not become 4.50.
  private func rounded(_ ratio: Double) -> String {
    let hundredths = Int(ratio * 100)
    let fraction = String(hundredths % 100)
    return "\(hundredths / 100)." + (fraction.utf8.count < 2 ? "0" : "") + fraction
  }
}

extension BannerAppearance {
  /// The reason why this appearance is hard to read; nil when its contrast is enough.
  package var contrastWarning: ContrastWarning? {
    let ratio = textColor.rgb.contrast(with: backgroundColor.rgb)
    guard ratio < minimumContrast else { return nil }
    return ContrastWarning(
      ratio: ratio, textColor: textColor, backgroundColor: backgroundColor,
      correctedTextColor: .rgb(corrected(textColor.rgb, on: backgroundColor.rgb)))
  }

  /// This appearance under the policy: ``ContrastPolicy/enforce`` makes its text readable.
  package func applying(_ policy: ContrastPolicy) -> BannerAppearance {
    switch policy {
    case .warn: return self
    case .enforce:
      var result = self
      if let warning = contrastWarning { result.textColor = warning.correctedTextColor }
      return result
    }
  }
}

extension BannerAppearance {
  /// The colour for less important text: half way to the background, or as far as the text stays readable. On terminals whose real colours
  /// are unknown it equals the text colour.
  package func dimmedTextColor(on depth: ColorDepth) -> TerminalColor {
    guard depth >= .palette256, case .rgb(let text) = textColor, case .rgb(let background) = backgroundColor
    else { return textColor }
    let start = OKLab(text)
    let steps = 16
    for step in stride(from: steps / 2, to: 0, by: -1) {
      var candidate = self
      candidate.textColor = .rgb(start.mixed(with: OKLab(background), Double(step) / Double(steps)).rgb)
      if depth == .palette256 { candidate = candidate.adapted(to: depth) }
      if candidate.contrastWarning == nil { return candidate.textColor }
    }
    return textColor
  }
}

/// Moves the text towards white and towards black in small steps. The first readable colour keeps the most of its hue.
private func corrected(_ text: TerminalColor.RGB, on background: TerminalColor.RGB) -> TerminalColor.RGB {
  let start = OKLab(text)
  let steps = 32
  for step in 1...steps {
    for pole in [OKLab.white, .black] {
      let candidate = start.mixed(with: pole, Double(step) / Double(steps)).rgb
      if candidate.contrast(with: background) >= minimumContrast { return candidate }
    }
  }
  return background.readablePole
}
