/// The look of a run of text.
package struct TextStyle: Equatable, Sendable {
  /// The colour of the text; nil for the terminal's own.
  package var textColor: TerminalColor?
  /// nil for the terminal's own.
  package var backgroundColor: TerminalColor?
  package var attributes: TextAttributes
  /// True to exchange the colours of text and background: this sets a banner off in a terminal without colours.
  package var isReversed: Bool

  package init(
    textColor: TerminalColor? = nil, backgroundColor: TerminalColor? = nil, attributes: TextAttributes = [],
    isReversed: Bool = false
  ) {
    self.textColor = textColor
    self.backgroundColor = backgroundColor
    self.attributes = attributes
    self.isReversed = isReversed
  }

  /// The control sequence (ECMA-48 SGR) that sets this style, whatever was set before. Colours beyond `colors` become the nearest available
  /// ones; a monochrome terminal gets none. With 16 colours black text is not bold: many terminals show bold black as grey, as xterm does.
  package func controlSequence(colors: ColorDepth) -> String {
    var parameters = ["0"]
    if attributes.contains(.bold), !(colors == .ansi16 && textColor?.nearestTerminalColor == .black) {
      parameters.append("1")
    }
    if attributes.contains(.italic) { parameters.append("3") }
    if attributes.contains(.underline) { parameters.append("4") }
    if isReversed { parameters.append("7") }
    if let textColor { parameters += textColor.parameters(base: 30, colors: colors) }
    if let backgroundColor { parameters += backgroundColor.parameters(base: 40, colors: colors) }
    return "\u{1b}[" + parameters.joined(separator: ";") + "m"
  }
}

extension TerminalColor {
  fileprivate var nearestTerminalColor: TerminalColor.ANSI {
    switch self {
    case .ansi(let color): color
    case .rgb(let value): value.nearestTerminalColor
    }
  }

  /// - Parameter base: 30 for text, 40 for the background.
  fileprivate func parameters(base: Int, colors: ColorDepth) -> [String] {
    switch (self, colors) {
    case (_, .monochrome): []
    case (.ansi(let color), .ansi16), (.ansi(let color), .palette256), (.ansi(let color), .truecolor):
      color.parameters(base: base)
    case (.rgb, .ansi16): nearestTerminalColor.parameters(base: base)
    case (.rgb(let value), .palette256): ["\(base + 8)", "5", "\(value.paletteIndex)"]
    case (.rgb(let value), .truecolor): ["\(base + 8)", "2", "\(value.red)", "\(value.green)", "\(value.blue)"]
    }
  }
}

extension TerminalColor.ANSI {
  /// The bright half uses aixterm's numbers: 60 above the other half.
  fileprivate func parameters(base: Int) -> [String] {
    [String(rawValue < 8 ? base + Int(rawValue) : base + 60 + Int(rawValue) - 8)]
  }
}
