/// Finds the end of the sequence, or of the character, that a program has begun.
struct SequenceEnd: VTHandler {
  private(set) var index: Int?

  private mutating func note(_ end: Int) { index = index ?? end }

  mutating func text(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    var end = range.lowerBound + 1
    // The other bytes of the character.
    while end < range.upperBound, bytes[end] & 0xc0 == 0x80 { end += 1 }
    note(end)
  }

  /// A control character inside a sequence does not end it.
  mutating func control(_ byte: UInt8, _ range: Range<Int>) {}

  mutating func escape(_ intermediate: UInt8, _ final: UInt8, _ range: Range<Int>) { note(range.upperBound) }

  mutating func controlSequence(_ sequence: borrowing ControlSequence, _ range: Range<Int>) { note(range.upperBound) }

  mutating func string(_ kind: ControlString, _ bytes: Span<UInt8>, _ range: Range<Int>, isStart: Bool, isEnd: Bool) {
    if isEnd { note(range.upperBound) }
  }
}
