/// Output that a program could write: text, controls and sequences, the same for the same seed.
///
/// It omits whatever libvterm (0.1) does differently from xterm and the VT manuals; comments say where.
struct RandomOutput {
  private var state: UInt64
  private let rows: Int
  private let columns: Int
  /// libvterm leaves the other half of a wide character that is half erased or overwritten. So a stream has either wide characters, or
  /// sequences that could cut them.
  private let hasWide: Bool
  private var isAlternate = false
  private var isOrigin = false
  /// With margins libvterm moves the cursor up and down past them, and neither ICH nor DCH works outside them.
  private var hasMargins = false
  /// libvterm has one saved cursor for both screens, without origin mode, and moves it into the margins under that mode: so it is used
  /// only on the primary screen and without origin mode. With nothing saved libvterm restores zeros.
  private var hasSaved = false

  init(seed: UInt64, rows: Int, columns: Int) {
    // Far apart, otherwise the streams of neighbouring seeds would overlap.
    state = (seed &* 0xd134_2543_de82_ef95) ^ (seed << 47)
    self.rows = rows
    self.columns = columns
    hasWide = seed % 3 == 0
  }

  /// SplitMix64.
  private mutating func random(_ bound: Int) -> Int {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return Int(truncatingIfNeeded: (z ^ (z >> 31)) >> 1) % bound
  }

  private mutating func one(of choices: [String]) -> String { choices[random(choices.count)] }

  /// A number as a parameter: usually in range, sometimes missing, zero or large.
  private mutating func number(_ most: Int) -> String {
    switch random(12) {
    case 0: ""
    case 1: "0"
    case 2: "999"
    default: "\(1 + random(most))"
    }
  }

  mutating func next() -> String {
    switch random(24) {
    case 0..<7: text()
    case 7, 8: control()
    case 9, 10, 11: motion()
    case 12, 13: rendition()
    case 14, 15, 16: hasWide ? lineErasure() : erasure()
    case 17: hasWide ? lines() : insertion()
    case 18: scrolling()
    case 19: mode()
    case 20: tab()
    case 21: hasWide ? screenSwitch() : rectangle()
    case 22: screenSwitch()
    default: save()
    }
  }

  private mutating func text() -> String {
    // Text is placed where it cuts no wide character.
    var text = hasWide ? "\r\u{1b}[J" : ""
    // libvterm drops a mark at the end of a line.
    if random(4) == 0 {
      text += hasWide ? "日\u{302}" : "\u{1b}[\(number(rows));\(1 + random(columns - 2))He\u{301}\u{302}"
    }
    for _ in 0...random(random(4) == 0 ? columns * 2 : 8) {
      text += one(of: ["a", "b", "x", "7", " ", "é", "─", "q", "~"] + (hasWide ? ["日", "本", "😀"] : []))
    }
    if random(8) == 0 {
      // Translated text is ASCII only: libvterm does not translate what follows another character.
      let letters = (0..<5).map { _ in one(of: ["a", "j", "q", "x", "~", "A", "#"]) }.joined()
      text += one(of: ["\u{1b}(0\(letters)\u{1b}(B", "\u{1b})0\u{e}\(letters)\u{f}", "\u{1b}(A\(letters)\u{1b}(B"])
    }
    return text
  }

  private mutating func control() -> String {
    // In libvterm a line feed that only scrolls does not end a pending wrap. A step back could end on half a character.
    let start = hasWide ? "\r" : one(of: ["\r", "\u{8}", "\u{1b}[D"])
    return start + one(of: ["\n", "\n", "\u{b}", "\u{c}", "\u{7}", "\0", "\u{7f}", "\u{1b}D", "\u{1b}M", "\u{1b}E"])
  }

  private mutating func motion() -> String {
    if hasWide { return "\u{1b}[\(number(rows))\(one(of: ["d", "A", "B", "E", "F", "H", "e"]))" }
    if hasMargins {
      return "\u{1b}[\(number(rows));\(number(columns))H\u{1b}[\(number(3))\(one(of: ["C", "D", "a", "e"]))"
    }
    return switch random(12) {
    case 0, 1, 2: "\u{1b}[\(number(rows));\(number(columns))H"
    case 3: "\u{1b}[\(number(rows))\(one(of: ["A", "B", "E", "F", "e"]))"
    case 4: "\u{1b}[\(number(columns))\(one(of: ["C", "D", "a"]))"
    case 5: "\u{1b}[\(number(columns))\(one(of: ["G", "`"]))"
    case 6: "\u{1b}[\(number(rows))d"
    case 7: "\u{1b}[\(number(rows));\(number(columns))f"
    case 8: "\u{1b}[H"
    default: "\u{1b}[\(number(4))\(one(of: ["A", "B", "C", "D"]))"
    }
  }

  private mutating func rendition() -> String {
    "\u{1b}["
      + one(of: [
        "", "0", "1", "3", "4", "21", "4:3", "5", "7", "9", "22", "23", "24", "25", "27", "29", "31", "42", "97", "104",
        "39",
        "49", "38;5;123", "48;5;7", "38;2;1;2;3", "48;2;9;8;7", "38:5:4", "1;31;42", "0;7", "48;5;200;1",
      ]) + "m"
  }

  private mutating func lineErasure() -> String {
    "\r" + one(of: ["\u{1b}[2J", "\u{1b}[2K", "\u{1b}[K", "\u{1b}[J", "\u{1b}[3J"])
  }

  /// Erasing, inserting and deleting end a pending wrap, as in the VT510's manual, but not in libvterm.
  private mutating func endOfWrap() -> String { "\u{1b}[\(number(columns))G" }

  private mutating func erasure() -> String {
    switch random(6) {
    case 0: endOfWrap() + "\u{1b}[\(one(of: ["", "0", "1", "2", "3"]))J"
    case 1, 2: endOfWrap() + "\u{1b}[\(one(of: ["", "0", "1", "2"]))K"
    case 3: endOfWrap() + "\u{1b}[\(number(columns))X"
    case 4: endOfWrap() + "\u{1b}[?\(one(of: ["", "0", "1", "2"]))\(one(of: ["J", "K"]))"
    default: "\u{1b}[\(one(of: ["0", "1", "1", "2"]))\"q"
    }
  }

  /// IL and DL go to the left margin in xterm and in the VT510's manual, not in libvterm.
  private mutating func lines() -> String { "\u{1b}[\(number(4))\(one(of: ["L", "M"]))\r" }

  private mutating func insertion() -> String {
    switch random(3) {
    case 0 where !hasMargins: endOfWrap() + "\u{1b}[\(number(5))\(one(of: ["@", "P"]))"
    case 0, 1: lines()
    default: endOfWrap() + "\u{1b}[\(number(4))\(one(of: ["'}", "'~"]))"
    }
  }

  private mutating func scrolling() -> String {
    switch hasWide ? 0 : random(4) {
    case 0, 1: return "\u{1b}[\(number(4))\(one(of: ["S", "T"]))"
    case 2:
      // Margins in the wrong order change nothing; in libvterm they move the cursor.
      hasMargins = true
      let top = 1 + random(rows - 1)
      return "\u{1b}[\(top);\(one(of: ["", "999", "\(top + 1 + random(rows - top))"]))r"
    default:
      hasMargins = false
      return "\u{1b}[r"
    }
  }

  /// Left and right margins with all sequences that they affect except text: libvterm's text does not wrap at the right margin, and
  /// beyond the margins it scrolls, inserts and deletes too.
  private mutating func rectangle() -> String {
    if isOrigin || hasMargins { return "" }
    let left = 1 + random(columns - 1)
    let right = left + 1 + random(columns - left)
    var output = "\u{1b}[?69h\u{1b}[\(left);\(right)s"
    for _ in 0..<4 {
      output += "\u{1b}[\(1 + random(rows));\(left + random(right - left + 1))H"
      switch random(6) {
      case 0: output += "\u{1b}[\(number(4))\(one(of: ["'}", "'~", "@", "P"]))"
      case 1: output += "\u{1b}[\(number(3))\(one(of: ["S", "T"]))"
      case 2: output += "\u{1b}[\(number(4))\(one(of: ["L", "M"]))"
      case 3: output += "\u{1b}[\(one(of: ["", "1", "2"]))\(one(of: ["J", "K"]))"
      default: output += one(of: ["\n", "\u{1b}M", "\u{1b}D"])
      }
    }
    return output + "\u{1b}[?69l\u{1b}[H"
  }

  /// DECSCNM is omitted: the reference shows it in each cell.
  private mutating func mode() -> String {
    switch random(4) {
    case 0:
      isOrigin = random(2) == 0
      return isOrigin ? "\u{1b}[?6h" : "\u{1b}[?6l"
    case 1 where !hasWide: return one(of: ["\u{1b}[4h", "\u{1b}[4l", "\u{1b}[4l"])
    case 2:
      return one(of: [
        "\u{1b}[20h", "\u{1b}[20l", "\u{1b}[?25l", "\u{1b}[?25h", "\u{1b}[?1000h", "\u{1b}[?1002l", "\u{1b}[?2004h",
        "\u{1b}[?2004l",
      ])
    case 3 where random(3) == 0:
      hasSaved = false
      hasMargins = false
      // DECALN ignores attributes, resets margins and homes the cursor in xterm and in the manual.
      if random(2) == 0 {
        isOrigin = false
        return "\u{1b}[m\u{1b}[0\"q\u{1b}#8\u{1b}[?6l\u{1b}[r"
      }
      isOrigin = false
      isAlternate = false
      // RIS ends neither the alternate screen nor the mouse in libvterm.
      return "\u{1b}[?1047l\u{1b}[?1000l\u{1b}c"
    default: return hasWide ? "" : one(of: ["\u{1b}[?7l", "\u{1b}[?7h\r", "\u{1b}[?7h\r"])
    }
  }

  private mutating func tab() -> String {
    if hasWide { return "" }
    return one(of: ["\t", "\t", "\u{1b}H", "\u{1b}[g", "\u{1b}[3g", "\u{1b}[\(number(3))I", "\u{1b}[\(number(3))Z"])
  }

  private mutating func screenSwitch() -> String {
    isAlternate.toggle()
    hasSaved = false
    return isAlternate ? "\r\u{1b}[?1047h\u{1b}[2J" : "\r\u{1b}[?1047l"
  }

  /// libvterm saves the cursor's visibility, but not a pending wrap or protection.
  private mutating func save() -> String {
    guard !isAlternate, !isOrigin else { return "" }
    if hasSaved && random(2) == 0 { return "\u{1b}8\u{1b}[?25h\u{1b}[0\"q" }
    hasSaved = true
    return (hasWide ? "\r" : "\u{8}") + "\u{1b}7"
  }
}
