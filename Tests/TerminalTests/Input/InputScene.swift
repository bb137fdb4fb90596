@testable import Overline

/// An input rewriter and its output to the program. A row of text is one read; `␛` stands for ESC.
struct InputScene {
  var rewriter = InputRewriter()
  var context = InputContext()

  /// A banner of `offset` rows on a terminal of 24.
  init(offset: Int = 1, mouse: Modes.MouseTracking = .off, encoding: Modes.MouseEncoding = .x10) {
    context.offset = offset
    context.programRows = 24 - offset
    context.columns = 80
    context.mouseTracking = mouse
    context.mouseEncoding = encoding
  }

  mutating func read(_ reads: String...) -> String {
    read(bytes: reads.map { Array($0.replacing("␛", with: "\u{1b}").utf8) })
  }

  mutating func read(bytes reads: [[UInt8]]) -> String {
    Self.text(
      output { scene, output in for bytes in reads { scene.rewriter.rewrite(bytes, scene.context, into: &output) }
      })
  }

  mutating func release() -> String {
    Self.text(output { scene, output in scene.rewriter.release(into: &output) })
  }

  mutating func stopWaiting() -> String {
    Self.text(output { scene, output in scene.rewriter.stopWaiting(into: &output) })
  }

  mutating func output(_ body: (inout Self, inout [UInt8]) -> Void) -> [UInt8] {
    var output: [UInt8] = []
    body(&self, &output)
    return output
  }

  static func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).replacing("\u{1b}", with: "␛")
  }
}

/// The same numbers in every run.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: Int) { state = UInt64(seed) &* 0x9e37_79b9_7f4a_7c15 }
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = (state ^ state >> 30) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
    return z ^ z >> 31
  }
}
