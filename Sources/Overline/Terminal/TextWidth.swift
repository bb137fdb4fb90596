/// Text as a terminal shows it: in cells.
package enum TerminalText {
  /// The number of columns that a text occupies, summed over its graphemes. Pass the text through ``sanitized(_:)`` first: a control
  /// character counts as 0 columns here, whatever a terminal does with it.
  package static func width(of text: String) -> Int {
    text.reduce(0) { $0 + width(of: $1) }
  }

  /// The number of columns that a grapheme occupies.
  ///
  /// Emoji sequences (joined, with a skin tone, flags, or with the selector of emoji presentation) count as two, as in terminals that
  /// support graphemes. Any other grapheme is the sum of its scalars, as `wcwidth` counts them. A text that is shorter than counted is a
  /// little off centre; a longer one would wrap.
  package static func width(of character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let first = scalars.first, scalars.count > 1 else { return scalars.first.map(width) ?? 0 }
    if first.isRegionalIndicator { return 2 }
    let isEmojiSequence = scalars.dropFirst().contains {
      $0 == emojiPresentation || $0 == keycap || $0.properties.isEmojiModifier
        || ($0 == joiner && first.properties.isEmoji)
    }
    if isEmojiSequence && first.properties.isEmoji { return 2 }
    return scalars.reduce(0) { $0 + width(of: $1) }
  }

  /// The number of columns that a scalar occupies on its own: 0, 1 or 2.
  package static func width(of scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x7f { return value < 0x20 ? 0 : 1 }
    // The soft hyphen is a format character by category and a hyphen on every terminal.
    if value == 0xad { return 1 }
    // Vowels and final consonants of Hangul share the cell of the consonant before them.
    if (0x1160...0x11ff).contains(value) || (0xd7b0...0xd7ff).contains(value) { return 0 }
    switch scalar.properties.generalCategory {
    case .control, .format, .nonspacingMark, .enclosingMark, .lineSeparator, .paragraphSeparator, .surrogate: return 0
    default: break
    }
    return isWide(scalar) ? 2 : 1
  }

  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < wideRanges[0].lowerBound { return false }
    if scalar.properties.isEmojiPresentation { return !scalar.isRegionalIndicator }
    var low = 0
    var high = wideRanges.count
    while low < high {
      let middle = (low + high) / 2
      if wideRanges[middle].upperBound < scalar.value { low = middle + 1 } else { high = middle }
    }
    return low < wideRanges.count && wideRanges[low].contains(scalar.value)
  }

  private static let joiner: Unicode.Scalar = "\u{200d}"
  private static let emojiPresentation: Unicode.Scalar = "\u{fe0f}"
  private static let keycap: Unicode.Scalar = "\u{20e3}"
}

extension Unicode.Scalar {
  fileprivate var isRegionalIndicator: Bool { (0x1f1e6...0x1f1ff).contains(value) }
}

/// East Asian Wide and Fullwidth (UAX #11), in order, without the characters that the standard library classifies as emoji. Unassigned gaps
/// inside a script are closed, so that characters of a later Unicode already have their width.
private let wideRanges: [ClosedRange<UInt32>] = [
  0x1100...0x115f, 0x2329...0x232a, 0x2e80...0x303e, 0x3041...0x3247, 0x3250...0x4dbf, 0x4e00...0xa4cf,
  0xa960...0xa97c, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe10...0xfe19, 0xfe30...0xfe6b, 0xff01...0xff60,
  0xffe0...0xffe6, 0x16fe0...0x1b2ff, 0x1f200...0x1f265, 0x20000...0x2fffd, 0x30000...0x3fffd,
]
