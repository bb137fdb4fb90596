/// A generator whose streams are the same on every machine (xorshift64*).
struct Seeded: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 | 1 }

  mutating func next() -> UInt64 {
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return state &* 2_685_821_657_736_338_717
  }
}

/// What programs write, at random: what a person would see at a terminal, not what the parser's corners are.
struct ProgramStream {
  private var random: Seeded
  private let rows: Int
  private let columns: Int

  init(seed: UInt64, rows: Int, columns: Int) {
    random = Seeded(seed)
    self.rows = rows
    self.columns = columns
  }

  mutating func items(_ count: Int) -> [[UInt8]] { (0..<count).map { _ in Array(item().utf8) } }

  private mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }

  private mutating func text(_ length: Int) -> String {
    String((0..<length).map { _ in "abcdefghijklmnopqrstuvwxyz    日本é".randomElement(using: &random)! })
  }

  /// One item: text more often than a line's end, that more often than a sequence.
  private mutating func item() -> String {
    switch number(0...39) {
    case 0...9: return text(number(1...columns / 2))
    case 10...16: return "\r\n"
    case 17: return text(number(columns...columns * 2))
    case 18: return "\n"
    case 19: return ["\r", "\u{8}", "\t", "\u{1b}E", "\u{1b}D"].randomElement(using: &random)!
    case 20: return "\u{1b}M"
    case 21: return "\u{1b}[\(number(0...rows + 3));\(number(0...columns + 3))H"
    case 22: return "\u{1b}[\(number(0...rows + 3))\(["d", "e", "A", "B", "E", "F"].randomElement(using: &random)!)"
    case 23: return "\u{1b}[\(number(0...columns))\(["C", "D", "G", "`", "a"].randomElement(using: &random)!)"
    // Terminals differ about a pending wrap and what erases: it is ended first.
    case 24: return "\u{1b}[\(number(1...columns))G\u{1b}[\(["", "1", "2"].randomElement(using: &random)!)J"
    case 25: return "\u{1b}[\(number(1...columns))G\u{1b}[\(["", "1", "2"].randomElement(using: &random)!)K"
    case 26: return "\u{1b}[\(number(1...columns))G\u{1b}[\(number(1...4))\(["L", "M", "S", "T", "@", "P", "X"].randomElement(using: &random)!)"
    case 27:
      // Terminals differ about margins in the wrong order.
      let top = number(0...rows / 2)
      return number(0...2) == 0 ? "\u{1b}[r" : "\u{1b}[\(top);\(number(top + 2...rows + 2))r"
    case 28: return ["\u{1b}[?6h", "\u{1b}[?6l", "\u{1b}[?6l"].randomElement(using: &random)!
    case 29: return ["\u{1b}7", "\u{1b}8"].randomElement(using: &random)!
    case 30: return ["\u{1b}[4h", "\u{1b}[4l", "\u{1b}[4l"].randomElement(using: &random)!
    case 31...34:
      return "\u{1b}[\(["", "1", "7", "4", "31", "42", "38;5;99", "0", "48;2;9;8;7"].randomElement(using: &random)!)m"
    case 35: return ["\u{1b}[?1049h", "\u{1b}[?1049l", "\u{1b}[?1049l"].randomElement(using: &random)!
    case 36: return ["\u{1b}(0", "\u{1b}(B", "\u{1b}(B", "\u{e}", "\u{f}"].randomElement(using: &random)!
    case 37: return ["\u{1b}[?7l", "\u{1b}[?7h", "\u{1b}[?7h"].randomElement(using: &random)!
    case 38: return number(0...4) == 0 ? ["\u{1b}c", "\u{1b}#8"].randomElement(using: &random)! : text(3)
    default: return "\u{1b}]0;\(text(5))\u{7}"
    }
  }
}
