extension TerminalText {
  /// Removes everything that a terminal or a reader could mistake for more than text: control characters (including the first byte of every
  /// escape sequence), all controls of writing direction (UAX #9, Bidi_Control), and invisible annotations. Line ends and tabs become
  /// single spaces.
  ///
  /// Direction marks (LRM, RLM, ALM) are removed too, although they override nothing. A terminal that reorders text gives a row the
  /// direction of its first strong character, and gives neutral characters the direction of their neighbours. So an invisible mark could
  /// reverse a banner's row, or the sides of `a > b`. Visible letters of right-to-left scripts still have that effect.
  package static func sanitized(_ text: String) -> String {
    guard firstUnsafe(in: text) != nil else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if isLineBreak(scalar) {
        if let last = result.last, last != " " { result.append(" ") }
      } else if !isControl(scalar) {
        result.append(scalar)
      }
    }
    return String(result)
  }

  /// The text for a screen: ``sanitized(_:)``, with joined emoji separated and without skin tones. Terminals without support for graphemes
  /// show the parts side by side, and a row that is longer than counted overruns its box, or wraps.
  static func printable(_ text: String) -> String {
    let safe = sanitized(text)
    guard safe.unicodeScalars.contains(where: isJoining) else { return safe }
    var result = String.UnicodeScalarView()
    for character in safe {
      let scalars = character.unicodeScalars
      guard let first = scalars.first else { continue }
      result.append(first)
      result.append(contentsOf: scalars.dropFirst().filter { !first.properties.isEmoji || !isJoining($0) })
    }
    return String(result)
  }

  private static func isJoining(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0x200d || scalar.properties.isEmojiModifier
  }

  /// The first character that ``sanitized(_:)`` would change.
  package static func firstUnsafe(in text: String) -> Unicode.Scalar? {
    text.unicodeScalars.first(where: isUnsafe)
  }

  /// Whether ``sanitized(_:)`` would change a character.
  package static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool { isLineBreak(scalar) || isControl(scalar) }

  /// Line ends and tabs.
  private static func isLineBreak(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09...0x0d, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }

  /// Controls, changes of direction and annotations.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1f, 0x7f...0x9f, 0x61c, 0x200e...0x200f, 0x202a...0x202e, 0x2066...0x206f, 0xfeff, 0xfff9...0xfffb:
      true
    default: false
    }
  }

  static func ellipsis(usesASCII: Bool) -> String { usesASCII ? "..." : "…" }

  /// The text if it fits; otherwise as many of its first graphemes as fit with an ellipsis.
  ///
  /// - Parameter columns: the width that the result does not exceed.
  package static func truncated(_ text: String, toColumns columns: Int, ellipsis: String = "…") -> String {
    guard width(of: text) > columns else { return text }
    guard width(of: ellipsis) <= columns else { return prefix(of: ellipsis, columns: columns) }
    return prefix(of: text, columns: columns - width(of: ellipsis)) + ellipsis
  }

  static func prefix(of text: String, columns: Int) -> String {
    var left = columns
    return String(
      text.prefix { character in
        left -= width(of: character)
        return left >= 0
      })
  }
}
