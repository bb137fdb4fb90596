import Overline
import OverlineTestThread
import Testing

/// Skimming omits cells and the cursor, and whatever depends on them; all other lasting state is kept.
@Suite(.ownThread) struct SkimmingTests {
  /// Modes, margins, pen, character sets and saved cursors end up as if everything was drawn, however the stream is cut.
  @Test(arguments: 1...200)
  func whatLastsIsKept(seed: Int) {
    var stream = ProgramStream(seed: UInt64(seed), rows: 10, columns: 30)
    var random = Seeded(UInt64(seed))
    // Half of them in pieces of a few bytes, half in pieces of a few blocks.
    expectSameState(Array(stream.items(200).joined())) {
      Int.random(in: 1...(seed.isMultiple(of: 2) ? 80 : 900), using: &random)
    }
  }

  /// A flood is read 64 bytes at a time: a sequence anywhere in them, or across their edges, is not missed.
  @Test(arguments: [
    "\u{1b}[?25l", "\u{1b}[2;7r", "\u{1b}[1;31m\u{1b}7\u{1b}[m", "\u{e}", "\u{1b}(0", "\u{1b})A\u{e}", "\u{1b}[4h",
    "\u{1b}[!p",
    "\u{1b}[?1049h", "\u{1b}[\n1m", "\u{1b}[3\u{1b}[1m", "\u{1b}[3\u{18}\u{1b}[4m", "\u{9b}?6h",
    "\u{1b}]8;;https://example.org\u{7}",
    "\u{1b}[38;2;1;2;3m", "\u{1b}[38:2::1:2:3m", "\u{1b}[1m\u{1b}[35m", "\u{1b}[0;4m", "\u{1b}[4m\u{1b}[m",
    "\u{1b}[35m\u{1b}[7m", "\u{1b}[31m\u{1b}[38m", "\u{1b}[31m\u{1b}[39m",
    "\u{1b}[\(String(repeating: "1;", count: 200))7m", "\u{1b}P1$q\u{1b}[1m\u{1b}\\", "\u{1b}c", "e\u{1b}[>4;2m",
    "\u{1b}\u{1b}[1m", "\u{1b}[3\u{1b}[K", "\u{1b}\u{1b}[H", "\u{1b}(\u{1b}[H", "\u{1b}]0;t\u{1b}[K\u{e}",
    "\u{1b}P1$q\u{1b}[Hx\u{e}",
  ])
  func nothingThatLastsIsOverlooked(sequence: String) {
    for flood in [
      "text and more of it. ", "\u{1b}[12;7H\u{1b}[32mword\u{1b}[K",
      "\u{1b}[31;1mred\u{1b}[0m it \u{1b}[38;2;255;20;30mis\u{1b}[m\r\n",
    ] {
      let before = Array(String(repeating: flood, count: 8).utf8)
      for offset in 0..<64 {
        let bytes =
          before.dropLast(offset % flood.utf8.count) + [UInt8](repeating: 0x78, count: offset) + Array(sequence.utf8)
          + before
        // Ends at the stream's end, and in the middle of its last item.
        expectSameState(bytes) { bytes.count }
        expectSameState(Array(bytes.dropLast(before.count).dropLast(offset % sequence.utf8.count))) { bytes.count }
      }
    }
  }

  /// Skimming drops motions, so no sequence that sets the cursor may make its place known.
  @Test(arguments: [
    "\u{1b}[r\u{1b}[20;1Htext", "\u{1b}[r\u{1b}[5;1Htext\u{1b}7", "\u{1b}[?6l\u{1b}[3;1H",
    "\u{1b}c\u{1b}[3;1Hx\u{1b}[?1048h",
    "\u{1b}[2;1H\u{1b}7\u{1b}[4;1H\u{1b}[?7l\u{1b}8",
  ])
  func whereTheCursorIsStaysUnknown(sequence: String) {
    var screen = Screen(rows: 10, columns: 30)
    screen.skim(Array(sequence.utf8))
    #expect(screen.isRowKnown == false)
    // A report gives the current cursor, not the saved one.
    screen.place(cursorRow: 7, column: 0)
    #expect(screen.savedCursor?.isRowKnown != true)
    screen.write(Array("\u{1b}8".utf8))
    #expect(screen.isRowKnown == (screen.savedCursor == nil))
  }

  /// More SGRs in a row than the skimmer remembers.
  @Test(arguments: 120...140) func manyAttributesInARowAreAllOfConsequence(count: Int) {
    let attributes = (0..<count).map { "\u{1b}[\($0 == 0 ? 1 : $0 == count / 2 ? 4 : 7)m" }.joined()
    expectSameState(Array(attributes.utf8)) { attributes.utf8.count }
  }

  private func expectSameState(_ bytes: [UInt8], cut: () -> Int) {
    var drawn = Screen(rows: 10, columns: 30)
    var skimmed = Screen(rows: 10, columns: 30)
    drawn.write(bytes)
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = rest.prefix(cut())
      skimmed.skim(Array(piece))
      rest = rest.dropFirst(piece.count)
    }
    #expect(skimmed.modes == drawn.modes)
    #expect(skimmed.margins == drawn.margins)
    #expect(skimmed.pen == drawn.pen)
    #expect(skimmed.charsets == drawn.charsets)
    #expect(skimmed.link == drawn.link)
    #expect(skimmed.isAlternate == drawn.isAlternate)
    #expect(skimmed.isGround == drawn.isGround)
    #expect((skimmed.savedCursor == nil) == (drawn.savedCursor == nil))
    #expect(skimmed.savedCursor?.pen == drawn.savedCursor?.pen)
  }

  @Test func aLinkThatIsOpenStaysOpen() {
    var screen = Screen(rows: 5, columns: 20)
    screen.skim(Array("text\u{1b}]8;id=1;https://exa".utf8))
    screen.skim(Array("mple.org\u{1b}\\more\u{1b}[31mtext\u{1b}[32m\u{1b}[Hy".utf8))
    #expect(screen.link?.target == Array("https://example.org".utf8))
    #expect(screen.pen.foreground == .palette(2))
  }
}
