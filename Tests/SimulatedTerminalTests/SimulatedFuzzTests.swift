import OverlineSimulatedTerminal
import OverlineTestThread
import Testing

/// Random programs and sizes: no crash, and the same result however the bytes are cut.
@Suite(.ownThread) struct SimulatedFuzzTests {
  struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 11 ^ state << 31
    }
  }

  static let pieces: [String] = [
    "plain text ", "x", "漢字", "é", "e\u{301}", "👨\u{200d}👩\u{200d}👧", "🇩🇪", "❤\u{fe0f}", "😀\u{fe0e}", "\u{1161}",
    "\r\n", "\n", "\r", "\u{8}", "\t", "\u{1b}M", "\u{1b}D", "\u{1b}E", "\u{1b}7", "\u{1b}8", "\u{1b}[H",
    "\u{1b}[2;3H", "\u{1b}[99;99H", "\u{1b}[J", "\u{1b}[1J", "\u{1b}[2J", "\u{1b}[3J", "\u{1b}[K", "\u{1b}[1K",
    "\u{1b}[2K", "\u{1b}[3X", "\u{1b}[2P", "\u{1b}[2@", "\u{1b}[L", "\u{1b}[2M", "\u{1b}[S", "\u{1b}[2T",
    "\u{1b}[2;4r", "\u{1b}[r", "\u{1b}[?6h", "\u{1b}[?6l", "\u{1b}[?7l", "\u{1b}[?7h", "\u{1b}[4h", "\u{1b}[4l",
    "\u{1b}[?1049h", "\u{1b}[?1049l", "\u{1b}[?47h", "\u{1b}[?47l", "\u{1b}[5b", "\u{1b}[44m", "\u{1b}[m",
    "\u{1b}[38;2;1;2;3;48:5:9m", "\u{1b}]133;A\u{7}", "\u{1b}]133;C\u{1b}\\", "\u{1b}]8;;a\u{7}", "\u{1b}P$q\u{1b}\\",
    "\u{1b}[6n", "\u{1b}c", "\u{1b}[!p", "\u{1b}[A", "\u{1b}[9B", "\u{1b}[C", "\u{1b}[D", "\u{85}",
    "\u{1b}(0qq\u{1b}(B", "\u{1b}[s", "\u{1b}[u", "\u{1b}[I", "\u{1b}[Z",
    "a long line that wraps in every terminal of this test, twice or more often",
  ]

  @Test(arguments: TerminalFamily.all.map(\.name)) func randomPrograms(_ name: String) throws {
    let family = try #require(TerminalFamily.all.first { $0.name == name })
    for seed in 1...300 {
      var random = Random(state: UInt64(seed))
      var whole = SimulatedTerminal(rows: 6, columns: 12, family: family, historyLimit: 30)
      var cut = whole
      for _ in 0..<40 {
        if Int.random(in: 0..<8, using: &random) == 0 {
          let rows = Int.random(in: 1..<12, using: &random)
          let columns = Int.random(in: 1..<24, using: &random)
          whole.resize(rows: rows, columns: columns)
          cut.resize(rows: rows, columns: columns)
        }
        let piece = Self.pieces.randomElement(using: &random)!
        whole.write(piece)
        for byte in piece.utf8 { cut.write(CollectionOfOne(byte)) }
      }
      #expect(whole.text() == cut.text(), "\(name), seed \(seed)")
      #expect(whole.screenText() == cut.screenText(), "\(name), seed \(seed)")
      #expect(whole.cursor == cut.cursor, "\(name), seed \(seed)")
      #expect(whole.takeAnswers() == cut.takeAnswers(), "\(name), seed \(seed)")
      #expect((0..<whole.rows).contains(whole.cursor.row) && (0..<whole.columns).contains(whole.cursor.column))
      #expect(whole.screenText().count == whole.rows)
    }
  }

  @Test func randomBytes() {
    for family in TerminalFamily.all {
      var random = Random(state: 7)
      var terminal = SimulatedTerminal(rows: 5, columns: 9, family: family, historyLimit: 20)
      for _ in 0..<20_000 {
        terminal.write(CollectionOfOne(UInt8.random(in: 0...255, using: &random)))
      }
      #expect(terminal.screenText().count == 5)
    }
  }
}
