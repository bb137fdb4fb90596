import Overline
import OverlineTestThread
import Testing

@Suite(.ownThread) struct TextWidthTests {
  @Test(arguments: [
    ("", 0), ("No connection", 13), ("é", 1), ("e\u{301}", 1), ("你好", 4), ("한글", 4), ("\u{1112}\u{1161}\u{11ab}", 2),
    ("ｆｕｌｌ", 8), ("ﾊﾝｶｸ", 4), ("かな、", 6), ("\u{20000}", 2),
    // The icons, ambiguous characters and the ellipsis occupy one column.
    ("⚠✓•…·", 5), ("─│", 2),
    // Emoji: by default, by selector, not by selector, joined, with skin tones, flags, keycaps.
    ("🚀", 2), ("⚠\u{fe0f}", 2), ("⚠\u{fe0e}", 1), ("👩‍👩‍👧‍👦", 2), ("👍🏽", 2), ("🇩🇪", 2), ("\u{1f1e9}", 1),
    ("1\u{fe0f}\u{20e3}", 2),
    ("🫩", 2), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2),
    // Joined characters that are no emoji stand side by side.
    ("क्ष", 2), ("e\u{200d}e", 2),
    // Invisible.
    ("\u{200b}", 0), ("\u{200d}", 0), ("\u{feff}", 0), ("\u{1b}", 0), ("\u{7f}", 0), ("\u{9b}", 0), ("\u{ad}", 1),
  ])
  func columns(text: String, columns: Int) {
    #expect(TerminalText.width(of: text) == columns)
  }

  @Test func blocksOfWideScripts() {
    for value in [
      0x1100, 0x2329, 0x3042, 0x3400, 0x4e00, 0x9fff, 0xa000, 0xac00, 0xd7a3, 0xf900, 0xfe30, 0xff01, 0xffe6,
    ] {
      #expect(TerminalText.width(of: Unicode.Scalar(UInt32(value))!) == 2, "\(String(value, radix: 16))")
    }
    for value in [0x41, 0xe9, 0x10ff, 0x1200, 0x2328, 0x232b, 0x303f, 0x3248, 0xff61, 0xffe8] {
      #expect(TerminalText.width(of: Unicode.Scalar(UInt32(value))!) < 2, "\(String(value, radix: 16))")
    }
  }
}

@Suite(.ownThread) struct TextSafetyTests {
  /// No bidirectional control, of today's Unicode or a later one, remains: our rows read as they were written.
  @Test func bidirectionalControlsAreRemoved() {
    let controls = (0...0x10ffff).compactMap(Unicode.Scalar.init).filter(\.properties.isBidiControl)
    #expect(controls.count >= 12)
    for control in controls {
      let text = "a \(control)> b"
      #expect(TerminalText.sanitized(text) == "a > b", "\(String(control.value, radix: 16))")
      #expect(TerminalText.firstUnsafe(in: text) == control)
    }
  }

  @Test(arguments: [
    ("Back online", "Back online"), ("über 你好 🇩🇪 👩‍👩‍👧", "über 你好 🇩🇪 👩‍👩‍👧"),
    ("\u{1b}[31mred\u{1b}[0m", "[31mred[0m"), ("\u{1b}]0;title\u{7}", "]0;title"), ("\u{9b}31m", "31m"),
    ("a\u{0}b\u{8}c\u{7f}d", "abcd"), ("invoice\u{202e}fdp.exe", "invoicefdp.exe"), ("\u{2066}a\u{2069}", "a"),
    ("one\ntwo", "one two"), ("one\r\n\ttwo", "one two"), ("one\u{2028}two\u{85}three", "one two three"),
    ("\nlead", "lead"), ("\u{feff}bom", "bom"),
  ])
  func sanitized(text: String, safe: String) {
    #expect(TerminalText.sanitized(text) == safe)
  }

  /// No scalar passes that is a control, a line end or a change of direction.
  @Test func noControlCharacterPasses() {
    for value in 0...0x2fff as ClosedRange<UInt32> {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let result = TerminalText.sanitized("a\(scalar)").unicodeScalars.dropFirst()
      for scalar in result where scalar != " " {
        let category = scalar.properties.generalCategory
        #expect(category != .control && category != .lineSeparator && category != .paragraphSeparator)
        #expect(!(0x202a...0x202e).contains(scalar.value) && !(0x2066...0x2069).contains(scalar.value))
      }
    }
  }

  @Test(arguments: [
    ("No connection", 13, "No connection"), ("No connection", 12, "No connecti…"), ("No connection", 1, "…"),
    ("No connection", 0, ""), ("No connection", -3, ""), ("你好吗", 5, "你好…"), ("你好吗", 4, "你…"), ("你好吗", 2, "…"),
    ("👩‍👩‍👧👩‍👩‍👧", 3, "👩‍👩‍👧…"), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
  ])
  func truncated(text: String, columns: Int, cut: String) {
    #expect(TerminalText.truncated(text, toColumns: columns) == cut)
  }

  @Test func anEllipsisOfASCII() {
    #expect(TerminalText.truncated("No connection", toColumns: 8, ellipsis: "...") == "No co...")
    #expect(TerminalText.truncated("No connection", toColumns: 2, ellipsis: "...") == "..")
  }
}
