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

/// Random output as programs write it: what a user would see at a terminal, not the parser's corner cases.
///
/// The streams avoid what libvterm, the terminal on both sides, does differently: it leaves half a wide character when the other half
/// is erased, wraps one even without auto-wrap, moves the cursor across margins, has other signs for y and z of the line drawing set,
/// clears one screen only in a full reset, and has one saved cursor, without character sets and origin mode, for both screens.
struct ProgramStream {
  private var random: Seeded
  private let rows: Int
  private let columns: Int

  init(seed: UInt64, rows: Int, columns: Int) {
    random = Seeded(seed)
    self.rows = rows
    self.columns = columns
  }

  /// The first item saves the cursor: with nothing saved libvterm restores black text.
  mutating func items(_ count: Int) -> [[UInt8]] {
    [Array("\u{1b}7".utf8)] + (1..<count).map { _ in Array(item().utf8) }
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }

  private mutating func text(_ length: Int) -> String {
    String((0..<length).map { _ in "abcdefghijklmnopqrstuvwx    ".randomElement(using: &random)! })
  }

  /// One item: text more often than a line end, which is more frequent than a sequence.
  private mutating func item() -> String {
    switch number(0...39) {
    case 0...9: return text(number(1...columns / 2))
    case 10...16: return "\r\n"
    case 17: return text(number(columns...columns * 2))
    case 18: return "\n"
    case 19: return ["\r", "\u{8}", "\t", "\u{1b}E", "\u{1b}D"].randomElement(using: &random)!
    case 20: return "\u{1b}M"
    case 21: return "\u{1b}[\(number(0...rows + 3));\(number(0...columns + 3))H"
    case 22:
      let motion = ["d", "e", "A", "B", "E", "F"].randomElement(using: &random)!
      return "\u{1b}[r\u{1b}[\(number(1...rows))d\u{1b}[\(number(0...rows + 3))\(motion)"
    case 23: return "\u{1b}[\(number(0...columns))\(["C", "D", "G", "`", "a"].randomElement(using: &random)!)"
    // Terminals differ in how erasing treats a pending wrap: it is ended first.
    case 24: return "\u{1b}[\(number(1...columns))G\u{1b}[\(["", "1", "2"].randomElement(using: &random)!)J"
    case 25: return "\u{1b}[\(number(1...columns))G\u{1b}[\(["", "1", "2"].randomElement(using: &random)!)K"
    case 26:
      // xterm goes to the first column to insert and delete lines, libvterm stays.
      return number(0...1) == 0
        ? "\r\u{1b}[\(number(1...4))\(["L", "M"].randomElement(using: &random)!)"
        : "\u{1b}[\(number(1...columns))G\u{1b}[\(number(1...4))\(["S", "T", "@", "P", "X"].randomElement(using: &random)!)"
    case 27:
      // Terminals differ in their treatment of margins in the wrong order.
      let top = number(0...rows / 2)
      return number(0...2) == 0 ? "\u{1b}[r" : "\u{1b}[\(top);\(number(top + 2...rows + 2))r"
    case 28: return ["\u{1b}[?6h", "\u{1b}[?6l", "\u{1b}[?6l"].randomElement(using: &random)!
    case 29:
      let position = "\u{1b}[?6l\u{1b}[\(number(1...rows));\(number(1...columns))H"
      return position + (number(0...1) == 0 ? "\u{1b}7" : "\u{1b}8\u{1b}(B\u{f}")
    case 30: return ["\u{1b}[4h", "\u{1b}[4l", "\u{1b}[4l"].randomElement(using: &random)!
    case 31...34:
      return "\u{1b}[\(["", "1", "7", "4", "31", "42", "38;5;99", "0", "48;2;9;8;7"].randomElement(using: &random)!)m"
    case 35:
      let home = "\u{1b}[?6l\u{1b}[m\u{1b}(B\u{f}\u{1b}[1;1H"
      return home + (number(0...2) == 0 ? "\u{1b}[?1049h" : "\u{1b}[?1049l" + home + "\u{1b}7")
    case 36: return ["\u{1b}(0lqqk\u{1b}(B", "\u{1b})0\u{e}xjm", "\u{f}"].randomElement(using: &random)!
    case 37...38: return number(0...4) == 0 ? "\u{1b}[?1049l\u{1b}c\u{1b}7" : text(3)
    default: return "\u{1b}]0;\(text(5))\u{7}"
    }
  }
}
