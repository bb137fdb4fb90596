internal import Banner
internal import Terminal

// Stands in for the rewriters of `Terminal` until they are there: no banner is ever ready to show.

struct BannerRows {
  init(_ frame: BannerFrame, columns: Int, colors: ColorDepth, usesASCII: Bool) {}
}

enum TerminalQuery {}

struct InputSurroundings {}

struct OutputRewriter: ~Copyable {
  enum Readiness { case ready, needsCursor, notAtGround }

  private(set) var programRows: Int
  init(rows: Int, columns: Int) { programRows = rows }
  var isTransparent: Bool { true }
  var isLifted: Bool { false }
  var hasBacklog: Bool { false }
  var surroundings: InputSurroundings { InputSurroundings() }
  mutating func note(_ bytes: [UInt8]) {}
  mutating func settle() {}
  mutating func rewrite(_ bytes: [UInt8], into output: inout [UInt8]) { output += bytes }
  mutating func finishBatch(into output: inout [UInt8]) {}
  mutating func readiness() -> Readiness { .notAtGround }
  mutating func show(_ banner: BannerRows, into output: inout [UInt8]) {}
  mutating func repaint(_ banner: BannerRows, into output: inout [UInt8]) {}
  mutating func hide(into output: inout [UInt8]) {}
  mutating func cursorReported(row: Int, column: Int) {}
  mutating func forgetScreen() {}
  mutating func resize(rows: Int, columns: Int) { programRows = rows }
  mutating func takeQueries() -> [TerminalQuery] { [] }
}

struct InputRewriter {
  var ownReport: (row: Int, column: Int)? { nil }
  var isHolding: Bool { false }
  var isTransparent: Bool { true }
  mutating func expect(_ query: TerminalQuery) {}
  mutating func ask() {}
  mutating func rewrite(_ bytes: [UInt8], _ surroundings: InputSurroundings, into output: inout [UInt8]) {
    output += bytes
  }
  mutating func release(into output: inout [UInt8]) {}
}
