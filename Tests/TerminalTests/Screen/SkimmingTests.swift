import Terminal
import Testing

/// Skimming leaves cells out, and nothing that lasts.
@Suite struct SkimmingTests {
  /// Modes, margins, pen, character sets and saved cursors are what drawing everything makes them, however it is cut.
  @Test(arguments: 1...200)
  func whatLastsIsKept(seed: Int) {
    var stream = ProgramStream(seed: UInt64(seed), rows: 10, columns: 30)
    let items = stream.items(200)
    var drawn = Screen(rows: 10, columns: 30)
    var skimmed = Screen(rows: 10, columns: 30)
    var random = Seeded(UInt64(seed))
    var rest = Array(items.joined())[...]
    drawn.write(Array(rest))
    while !rest.isEmpty {
      let count = Int.random(in: 1...80, using: &random)
      skimmed.skim(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    #expect(skimmed.modes == drawn.modes)
    #expect(skimmed.margins == drawn.margins)
    #expect(skimmed.pen == drawn.pen)
    #expect(skimmed.charsets == drawn.charsets)
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
