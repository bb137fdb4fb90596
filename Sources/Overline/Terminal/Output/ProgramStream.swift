/// The program's bytes while the rewriter handles them item by item: the part that has been sent, and the part that the program has not
/// finished.
struct ProgramStream {
  var parser = VTParser()
  /// The bytes that are being rewritten.
  private(set) var bytes: [UInt8] = []
  /// The number of bytes that were sent or left out.
  private(set) var passed = 0
  /// The end of the last item.
  private var itemEnd = 0
  /// The beginning of a control sequence whose end has not come yet.
  private(set) var tail: [UInt8] = []
  /// True when the terminal has received an unfinished sequence or control string that the next item cuts off.
  private var isUnfinished = false
  /// True if the last item was a control string without its terminator.
  var wasCutOff = false

  /// True when the next byte begins an item.
  var isGround: Bool { parser.isGround && tail.isEmpty }

  /// True when the next byte also begins an item for the terminal.
  var isComplete: Bool { isGround && !isUnfinished && !wasCutOff }

  // MARK: Bytes

  mutating func append(_ new: [UInt8]) { restart(with: tail + new) }

  /// Call this when the parser has read the bytes before `end`. The rest is the beginning of a control sequence, and waits.
  mutating func finish(at end: Int, into output: inout [UInt8]) {
    begin(end..<end, into: &output)
    wasCutOff = isUnfinished
    pass(upTo: end, into: &output)
    tail = Array(bytes[end...])
    bytes = []
  }

  /// Switches to other bytes, in the middle of these.
  ///
  /// - Returns: the argument for ``resume(_:)``.
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

  /// Begins an item. The program abandoned any bytes between this item and the one before. If a part of them was sent, because it contained
  /// a control character, the terminal would show the rest as text.
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

  /// Begins a control character, which may be inside a sequence.
  ///
  /// - Returns: the start of the control character, or of the sequence that contains it.
  mutating func beginControl(_ range: Range<Int>, into output: inout [UInt8]) -> Int {
    guard range.lowerBound > itemEnd else {
      begin(range, into: &output)
      return range.lowerBound
    }
    if wasCutOff { isUnfinished = true }
    wasCutOff = false
    return itemEnd
  }

  /// Passes the bytes before `index` unchanged.
  mutating func pass(upTo index: Int, into output: inout [UInt8]) {
    if index > passed { output += bytes[passed..<index] }
    passed = max(passed, index)
  }

  /// Leaves an item out; the caller writes a sequence for it.
  mutating func drop(_ range: Range<Int>, into output: inout [UInt8]) {
    pass(upTo: range.lowerBound, into: &output)
    passed = max(passed, range.upperBound)
  }

  /// Leaves an item out. If the program left a sequence, a control string or a character unfinished, CAN ends it: the terminal must not
  /// read the next bytes as its continuation.
  mutating func omit(_ range: Range<Int>, into output: inout [UInt8]) {
    drop(range, into: &output)
    if isUnfinished || (output.last ?? 0) >= 0x80 { output.append(0x18) }
    isUnfinished = false
  }

  /// Reassembles a sequence of which a part was sent, because it contained a control character.
  ///
  /// - Returns: the sequence's new range, at the end of its old one.
  mutating func mend(_ range: Range<Int>, _ sequence: [UInt8], into output: inout [UInt8]) -> Range<Int> {
    pass(upTo: range.lowerBound, into: &output)
    let start = max(range.lowerBound, range.upperBound - sequence.count)
    bytes.replaceSubrange(start..<range.upperBound, with: sequence.suffix(range.upperBound - start))
    passed = start
    return start..<range.upperBound
  }
}
