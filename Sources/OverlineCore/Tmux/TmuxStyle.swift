package import Overline

/// A style as in tmux's options: `bg=red,fg=white,bold` (tmux(1), STYLES), as far as a banner can show it.
package struct TmuxStyle: Equatable, Sendable {
  package var background: TerminalColor?
  package var foreground: TerminalColor?
  package var added: TextAttributes = []
  package var removed: TextAttributes = []
  /// The parts that a banner cannot show, verbatim, for a message to the user.
  package var unknown: [String] = []

  package init(_ text: String) {
    for part in text.split(whereSeparator: { $0 == "," || $0 == " " }) {
      let lower = part.lowercased()
      if lower.hasPrefix("bg="), let color = TerminalColor(tmuxName: String(lower.dropFirst(3))) {
        background = color
      } else if lower.hasPrefix("fg="), let color = TerminalColor(tmuxName: String(lower.dropFirst(3))) {
        foreground = color
      } else if lower == "none" || lower == "noattr" {
        added = []
        removed = [.bold, .italic, .underline]
      } else if let attribute = Self.attribute(lower) {
        added.insert(attribute)
        removed.remove(attribute)
      } else if lower.hasPrefix("no"), let attribute = Self.attribute(String(lower.dropFirst(2))) {
        removed.insert(attribute)
        added.remove(attribute)
      } else {
        unknown.append(String(part))
      }
    }
  }

  /// `appearance`, with the values of this style instead of its own.
  package func applied(to appearance: BannerAppearance) -> BannerAppearance {
    var result = appearance
    result.backgroundColor = background ?? result.backgroundColor
    result.textColor = foreground ?? result.textColor
    result.attributes = result.attributes.subtracting(removed).union(added)
    return result
  }

  private static func attribute(_ name: String) -> TextAttributes? {
    switch name {
    case "bold", "bright": .bold
    case "italics": .italic
    case "underscore": .underline
    default: nil
    }
  }
}
