@testable import Overline

/// The first bytes set the context of the input, the rest is input from a terminal, or from a program that imitates one.
enum InputTarget {
  static func run(_ bytes: [UInt8]) {
    guard bytes.count > 6 else { return }
    let input = Array(bytes[6...])
    var context = InputContext()
    context.offset = Int(bytes[0] & 7)
    context.programRows = Int(bytes[0] >> 3)
    context.mouseTracking = [.off, .press, .normal, .button, .any][Int(bytes[1]) % 5]
    context.mouseEncoding = [.x10, .utf8, .sgr, .urxvt, .sgrPixels][Int(bytes[2]) % 5]
    context.reportsResize = bytes[3] & 1 != 0
    context.cellHeight = bytes[3] & 2 != 0 ? Int(bytes[3] >> 2) : nil
    var rewriter = InputRewriter()
    for bit in 0..<7 where bytes[4] & 1 << bit != 0 { rewriter.expect(query(bit, offset: Int(bytes[3] & 7))) }
    if bytes[4] & 128 != 0 { rewriter.ask() }

    let reads = reads(of: input, size: Int(bytes[5]) + 1)
    isTheSameHoweverItIsCut(rewriter, input, reads, context)
    isBounded(rewriter, reads, context)
    context.offset = 0
    isUnchanged(input, reads, context)
  }

  private static func query(_ number: Int, offset: Int) -> TerminalQuery {
    switch number % 7 {
    case 0: .cursorPosition(offset: offset)
    case 1: .extendedCursorPosition(offset: offset)
    case 2: .textAreaSize(offset: offset)
    case 3: .textAreaPixels(offset: offset)
    case 4: .margins(offset: offset)
    case 5: .deviceAttributes
    default: .rowCount(offset: offset)
    }
  }

  /// No read is ESC alone: that is a key, which the program gets before the following bytes are known.
  private static func reads(of input: [UInt8], size: Int) -> [[UInt8]] {
    var reads: [[UInt8]] = []
    var start = 0
    while start < input.count {
      var end = min(start + size, input.count)
      if end == start + 1, input[start] == 0x1b { end = min(end + 1, input.count) }
      reads.append(Array(input[start..<end]))
      start = end
    }
    return reads
  }

  private static func isTheSameHoweverItIsCut(
    _ rewriter: InputRewriter, _ input: [UInt8], _ reads: [[UInt8]], _ context: InputContext
  ) {
    var whole = rewriter
    var expected: [UInt8] = []
    whole.rewrite(input, context, into: &expected)
    finish(&whole, into: &expected)
    var cut = rewriter
    var output: [UInt8] = []
    for read in reads { cut.rewrite(read, context, into: &output) }
    finish(&cut, into: &output)
    precondition(output == expected)
    precondition(cut.answer == whole.answer)
    // Rows only get smaller.
    precondition(output.count <= input.count)
  }

  private static func finish(_ rewriter: inout InputRewriter, into output: inout [UInt8]) {
    rewriter.stopWaiting(into: &output)
    rewriter.release(into: &output)
    // What may begin a late answer to the window stays held.
    precondition(!rewriter.isHolding || rewriter.isAnswerOwed)
  }

  /// With every event that can occur between two reads.
  private static func isBounded(
    _ rewriter: InputRewriter, _ reads: [[UInt8]], _ context: InputContext
  ) {
    var rewriter = rewriter
    var context = context
    var output: [UInt8] = []
    var count = 0
    for read in reads {
      switch read[0] & 0x0f {
      case 0: rewriter.ask()
      case 1: rewriter.stopWaiting(into: &output)
      case 2: rewriter.release(into: &output)
      case 3: context.offset = Int(read[0] >> 4)
      case 4: context.mouseTracking = .off
      case 5: context.mouseTracking = .any
      default: rewriter.expect(query(Int(read[0] & 0x0f), offset: Int(read[0] >> 4)))
      }
      rewriter.rewrite(read, context, into: &output)
      count += read.count
      precondition(output.count <= count)
      precondition(rewriter.partial.count <= InputRewriter.maximumLength)
      // 64 of the program's, and 32 times the four questions of the window.
      precondition(rewriter.expected.runCount <= 64 + 32 * 4)
    }
  }

  private static func isUnchanged(_ input: [UInt8], _ reads: [[UInt8]], _ context: InputContext) {
    var rewriter = InputRewriter()
    var output: [UInt8] = []
    for read in reads {
      rewriter.rewrite(read, context, into: &output)
      precondition(!rewriter.isHolding)
    }
    precondition(output == input)
  }
}
