/// The program's bytes while the rewriter goes through them item by item: what has gone out, and what the program has not finished.
struct ProgramStream {
  var parser = VTParser()
  /// What is being rewritten.
  private(set) var bytes: [UInt8] = []
  /// Bytes that have gone out, or were left out.
  private(set) var passed = 0
  /// The end of the last item.
  private var itemEnd = 0
  /// The beginning of a control sequence whose end has not come.
  private var tail: [UInt8] = []
  /// The terminal got the beginning of a sequence, or a control string, that the next item cuts off.
  private var isUnfinished = false
  /// The last item was a control string; true if it ended without its terminator.
  var wasCutOff = false

  /// The next byte begins an item.
  var isGround: Bool { parser.isGround && tail.isEmpty }

  /// The next byte begins an item for the terminal too.
  var isComplete: Bool { isGround && !isUnfinished && !wasCutOff }

  // MARK: Bytes

  mutating func append(_ new: [UInt8]) { restart(with: tail + new) }

  /// The parser has read the bytes before `end`; the rest is the beginning of a control sequence, and waits.
  mutating func finish(at end: Int, into output: inout [UInt8]) {
    begin(end..<end, into: &output)
    wasCutOff = isUnfinished
    pass(upTo: end, into: &output)
    tail = Array(bytes[end...])
    bytes = []
  }

  /// Rewrites other bytes amid these.
  ///
  /// - Returns: what ``resume(_:)`` needs.
  mutating func interrupt(with new: [UInt8]) -> ProgramStream {
    let outer = self
    restart(with: new)
    return outer
  }

  mutating func resume(_ outer: ProgramStream) {
    (bytes, passed, itemEnd) = (outer.bytes, outer.passed, outer.itemEnd)
  }

  private mutating func restart(with new: [UInt8]) { (bytes, passed, itemEnd) = (new, 0, 0) }

  // MARK: Items

  /// An item begins. The program abandoned what is between it and the one before. If a part of that has gone out, because a control
  /// character stood in it, the rest would be text.
  mutating func begin(_ range: Range<Int>, into output: inout [UInt8]) {
    isUnfinished = wasCutOff
    wasCutOff = false
    if passed > itemEnd {
      omit(passed..<max(passed, range.lowerBound), into: &output)
    } else if range.lowerBound > itemEnd {
      isUnfinished = true
    }
    itemEnd = range.upperBound
  }

  /// A control character begins, which may stand in a sequence.
  ///
  /// - Returns: where it begins, or the sequence that it stands in.
  mutating func beginControl(_ range: Range<Int>, into output: inout [UInt8]) -> Int {
    guard range.lowerBound > itemEnd else {
      begin(range, into: &output)
      return range.lowerBound
    }
    if wasCutOff { isUnfinished = true }
    wasCutOff = false
    return itemEnd
  }

  /// Hands on the bytes before `index` as they are.
  mutating func pass(upTo index: Int, into output: inout [UInt8]) {
    if index > passed { output += bytes[passed..<index] }
    passed = max(passed, index)
  }

  /// Leaves an item out; the caller writes a sequence for it.
  mutating func drop(_ range: Range<Int>, into output: inout [UInt8]) {
    pass(upTo: range.lowerBound, into: &output)
    passed = max(passed, range.upperBound)
  }

  /// Leaves an item out. The terminal must not take what comes next for a part of a sequence, a control string or a character that the
  /// program left unfinished: CAN ends any of them.
  mutating func omit(_ range: Range<Int>, into output: inout [UInt8]) {
    drop(range, into: &output)
    if isUnfinished || (output.last ?? 0) >= 0x80 { output.append(0x18) }
    isUnfinished = false
  }

  /// Puts a sequence together again of which a part has gone out, because a control character stood in it.
  ///
  /// - Returns: where it stands now: in the last part of where it stood.
  mutating func mend(_ range: Range<Int>, _ sequence: [UInt8], into output: inout [UInt8]) -> Range<Int> {
    pass(upTo: range.lowerBound, into: &output)
    let start = max(range.lowerBound, range.upperBound - sequence.count)
    bytes.replaceSubrange(start..<range.upperBound, with: sequence.suffix(range.upperBound - start))
    passed = start
    return start..<range.upperBound
  }
}
