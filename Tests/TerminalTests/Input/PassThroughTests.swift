@testable import Overline
import OverlineTestThread
import Testing

/// Other input passes at once and unchanged.
@Suite(.ownThread) struct PassThroughTests {
  @Test func anEscapeAloneIsForwardedAtOnce() {
    for offset in [0, 1] {
      var scene = InputScene(offset: offset, mouse: .any, encoding: .sgr)
      scene.rewriter.expect(.cursorPosition(offset: offset))
      #expect(scene.read("␛") == "␛")
      #expect(!scene.rewriter.isHolding)
      #expect(scene.read("␛") == "␛")
      #expect(scene.read("x␛x␛␛OA␛[A") == "x␛x␛␛OA␛[A")
      #expect(!scene.rewriter.isHolding)
    }
  }

  @Test func aTornSequenceIsHeldAndThenSentRaw() {
    var scene = InputScene(offset: 1, mouse: .any, encoding: .sgr)
    #expect(scene.read("a␛[<0;5") == "a")
    #expect(scene.rewriter.isHolding)
    #expect(scene.release() == "␛[<0;5")
    #expect(!scene.rewriter.isHolding)
    #expect(scene.release() == "")
    #expect(scene.read(";7", "Mb") == ";7Mb", "the rest must fit what the program has")
    #expect(scene.read("␛[<0;5;7m") == "␛[<0;5;6m")
  }

  @Test func withoutABannerNothingIsHeld() {
    var scene = InputScene(offset: 0, mouse: .any, encoding: .sgr)
    for piece in ["a␛", "[", "<0;", "5;7", "M␛", "P", "1$r", "␛[M", "  "] {
      #expect(scene.read(piece) == piece)
      #expect(!scene.rewriter.isHolding)
    }
  }

  @Test func whatIsHeldIsBounded() {
    var scene = InputScene(offset: 1)
    scene.rewriter.expect(.margins(offset: 1))
    let long = String(repeating: "1;", count: 5000)
    for start in ["␛[", "␛P1$r"] {
      #expect(scene.read(start + long) == start + long)
      #expect(!scene.rewriter.isHolding)
      #expect(scene.read("R") == "R")
    }
  }

  @Test func pastedTextMeansNothing() {
    let text = "␛[<0;5;7M␛[7;7R␛[?1c␛[8;24;80t␛[20␛[201␛[200~"
    var scene = InputScene(offset: 1, mouse: .any, encoding: .sgr)
    scene.rewriter.expect(.cursorPosition(offset: 1))
    scene.rewriter.ask()
    #expect(scene.read("␛[200~\(text)␛[201~") == "␛[200~\(text)␛[201~")
    var split = InputScene(offset: 1, mouse: .any, encoding: .sgr)
    let bytes = Array("␛[200~\(text)␛[201~␛[<0;5;7M".replacing("␛", with: "\u{1b}").utf8)
    #expect(split.read(bytes: bytes.map { [$0] }).hasSuffix("␛[201~␛[<0;5;6M"))
    // It passes at once.
    #expect(scene.read("␛[200~a␛") == "␛[200~a␛")
    #expect(scene.read("[201") == "[201")
    #expect(scene.read("~␛[<0;5;7M") == "~␛[<0;5;6M")
  }

  private static let pieces: [String] = [
    "a", "日", "\u{1b}", "[", "M", "<", "0;5;1", "0;5;9", ";", "1", "9", "R", "t", "m", "?", "c", "~", "P", "1$r", "\\",
    "*", "|",
    "\r",
    "\u{1b}[<0;5;1M", "\u{1b}[<0;5;9M", "\u{1b}[<0;5;1m", "\u{1b}[<32;5;9M", "\u{1b}[<64;5;1M", "\u{1b}[5;5R",
    "\u{1b}[?5;5R",
    "\u{1b}[?62;1c", "\u{1b}[8;24;80t", "\u{1b}[4;480;800t", "\u{1b}[48;24;80;480;800t", "\u{1b}P1$r2;24r\u{1b}\\",
    "\u{1b}P1$r24*|\u{1b}\\", "\u{1b}P1$r24t\u{1b}\\",
    "\u{1b}[200~", "\u{1b}[201~", "\u{1b}[M !!", "\u{1b}[M \u{80}\u{81}", "\u{1b}[32;5;9M", "\u{1b}[A", "\u{1b}OP",
    "\u{1b}x",
  ]

  private func stream(_ generator: inout SeededGenerator) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<Int.random(in: 1...60, using: &generator) {
      if Int.random(in: 0..<8, using: &generator) == 0 {
        bytes.append(UInt8.random(in: 0...255, using: &generator))
      } else {
        bytes += Array(Self.pieces.randomElement(using: &generator)!.utf8)
      }
    }
    return bytes
  }

  /// - Parameter mayEndInEscape: whether a read may be ESC alone, which is the Esc key.
  private func reads(
    of bytes: [UInt8], mayBeKeys: Bool, using generator: inout SeededGenerator
  ) -> [[UInt8]] {
    var reads: [[UInt8]] = [[]]
    for byte in bytes {
      let isKey = reads[reads.count - 1] == [0x1b]
      if Int.random(in: 0..<3, using: &generator) == 0, mayBeKeys || !isKey { reads.append([]) }
      reads[reads.count - 1].append(byte)
    }
    return reads.filter { !$0.isEmpty }
  }

  @Test(arguments: 0..<40) func withoutABannerOutputIsInput(_ seed: Int) {
    var generator = SeededGenerator(seed)
    for _ in 0..<100 {
      let bytes = stream(&generator)
      var scene = InputScene(
        offset: 0, mouse: [.off, .press, .normal, .any].randomElement(using: &generator)!,
        encoding: [.x10, .utf8, .sgr, .urxvt, .sgrPixels].randomElement(using: &generator)!)
      scene.context.reportsResize = true
      var output: [UInt8] = []
      for read in reads(of: bytes, mayBeKeys: true, using: &generator) {
        let before = output.count
        scene.rewriter.rewrite(read, scene.context, into: &output)
        #expect(output[before...] == read[...])
        #expect(!scene.rewriter.isHolding)
      }
      #expect(output == bytes)
    }
  }

  @Test(arguments: 0..<40) func howInputIsCutMakesNoDifference(_ seed: Int) {
    var generator = SeededGenerator(seed)
    for _ in 0..<100 {
      let bytes = stream(&generator)
      var whole = InputScene(
        offset: Int.random(in: 0...3, using: &generator),
        mouse: [.off, .press, .normal, .any].randomElement(using: &generator)!,
        encoding: [.x10, .utf8, .sgr, .urxvt, .sgrPixels].randomElement(using: &generator)!)
      whole.context.reportsResize = Bool.random(using: &generator)
      whole.context.cellHeight = 20
      for _ in 0..<Int.random(in: 0...5, using: &generator) {
        let offset = Int.random(in: 0...3, using: &generator)
        whole.rewriter.expect(
          [
            .cursorPosition(offset: offset), .extendedCursorPosition(offset: offset), .margins(offset: offset),
            .rowCount(offset: offset),
            .textAreaSize(offset: offset), .textAreaPixels(offset: offset), .deviceAttributes,
          ].randomElement(using: &generator)!)
      }
      if Bool.random(using: &generator) { whole.rewriter.ask() }
      var cut = whole
      var expected: [UInt8] = []
      whole.rewriter.rewrite(bytes.count == 1 ? bytes + bytes : bytes, whole.context, into: &expected)
      var output: [UInt8] = []
      let pieces = reads(of: bytes.count == 1 ? bytes + bytes : bytes, mayBeKeys: false, using: &generator)
      for read in pieces {
        let passes = cut.rewriter.passesText && !read.contains(0x1b)
        let before = output.count
        cut.rewriter.rewrite(read, cut.context, into: &output)
        if passes { #expect(output[before...] == read[...]) }
      }
      for _ in 0..<2 {
        whole.rewriter.stopWaiting(into: &expected)
        cut.rewriter.stopWaiting(into: &output)
        whole.rewriter.release(into: &expected)
        cut.rewriter.release(into: &output)
      }
      #expect(InputScene.text(output) == InputScene.text(expected), "\(pieces.map(InputScene.text))")
      #expect(cut.rewriter.answer == whole.rewriter.answer)
      #expect(!cut.rewriter.isHolding)
      #expect(output.count <= bytes.count + 1)
    }
  }
}
