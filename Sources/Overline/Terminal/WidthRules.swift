/// The columns that a terminal gives to text about which terminals disagree, each measured in the terminal with a cursor report.
package struct WidthRules: Equatable, Sendable {
  /// False where the rules are a guess: what most terminals do.
  package var isCertain = true
  /// A skin tone joins the character before.
  package var modifiersJoin = false
  /// A flag's first letter has two columns, its second one joins it.
  package var flagsPair = false
  /// U+FE0F makes a symbol two columns wide.
  package var emojiSelectorWidens = false
  /// U+FE0E makes an emoji one column wide.
  package var textSelectorNarrows = false
  /// The columns of U+200D.
  package var joiner = 0
  /// The character after U+200D joins the one before.
  package var joinsAfterJoiner = false
  package var spacingMark = 1
  /// A vowel or final consonant of Hangul after a part of its syllable.
  package var jamo = 0
  /// The same elsewhere.
  package var loneJamo = 0
  package var softHyphen = 1
  /// U+200B, U+2060 and U+FEFF.
  package var zeroWidthSpace = 0
  /// The emoji of Unicode 15.
  package var recentEmoji = 1
  package var hexagram = 2

  package init() {}

  static let guessed = {
    var rules = WidthRules()
    rules.isCertain = false
    rules.recentEmoji = 2
    return rules
  }()

  /// The columns of a scalar about which terminals disagree; nil for any other.
  func width(of scalar: Unicode.Scalar) -> Int? {
    switch scalar.value {
    case 0..<0xad: nil
    case 0xad: softHyphen
    case 0x200b, 0x2060, 0xfeff: zeroWidthSpace
    case 0x200d: joiner
    case 0xfe0e, 0xfe0f: 0
    case 0x1160...0x11ff, 0xd7b0...0xd7ff: jamo
    case 0x4dc0...0x4dff: hexagram
    case 0x1f1e6...0x1f1ff: flagsPair ? 2 : 1
    case 0x1f3fb...0x1f3ff: modifiersJoin ? 0 : 2
    case 0x1f6dc, 0x1fa75...0x1fa77, 0x1fa87...0x1fa88, 0x1faad...0x1faaf, 0x1fabb...0x1fabd, 0x1fabf,
      0x1face...0x1facf,
      0x1fada...0x1fadb, 0x1fae8, 0x1faf7...0x1faf8:
      recentEmoji
    // Later versions have others there.
    case 0x1f6d5...0x1f6df, 0x1fa70...0x1faff: TerminalText.width(of: scalar)
    default:
      if scalar.properties.generalCategory == .spacingMark {
        spacingMark
      } else if scalar.properties.isEmoji {
        // Another character may follow that changes its columns.
        TerminalText.width(of: scalar)
      } else {
        nil
      }
    }
  }
}

extension TerminalFamily {
  /// How the terminal counts the columns of text.
  var widths: WidthRules {
    var rules = WidthRules()
    switch self {
    case .xterm, .urxvt, .st, .screen: break
    case .vte, .alacritty: (rules.recentEmoji, rules.hexagram) = (2, 1)
    case .foot: rules.recentEmoji = 0
    case .tmux: (rules.joinsAfterJoiner, rules.recentEmoji) = (true, 0)
    case .mlterm: (rules.joiner, rules.spacingMark, rules.zeroWidthSpace, rules.hexagram) = (1, 0, 1, 1)
    case .konsole:
      (rules.modifiersJoin, rules.flagsPair, rules.joinsAfterJoiner) = (true, true, true)
      (rules.loneJamo, rules.recentEmoji, rules.hexagram) = (2, 2, 1)
    case .kitty:
      (rules.modifiersJoin, rules.flagsPair) = (true, true)
      (rules.emojiSelectorWidens, rules.textSelectorNarrows) = (true, true)
      (rules.spacingMark, rules.jamo, rules.loneJamo, rules.softHyphen) = (0, 1, 1, 0)
      (rules.recentEmoji, rules.hexagram) = (2, 1)
    }
    return rules
  }
}
