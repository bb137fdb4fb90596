/// Receives the items that a ``VTParser`` has read.
///
/// Each item comes with its range in the parsed bytes, so that a rewriter can pass most of the stream unchanged. Bytes of an abandoned
/// sequence belong to no item: a terminal ignores them too.
package protocol VTHandler: ~Copyable {
  /// Printable characters: UTF-8 that may be invalid, without control characters, and never cut within a scalar.
  mutating func text(_ bytes: Span<UInt8>, _ range: Range<Int>)

  /// A control character (C0) or DEL. A control character inside a sequence is reported before the sequence; its `range` is then inside the
  /// sequence's.
  mutating func control(_ byte: UInt8, _ range: Range<Int>)

  /// An escape sequence without parameters. C1 controls are reported in this 7-bit form too.
  ///
  /// - Parameter intermediate: 0 for none, ``ControlSequence/malformed`` for more than one.
  mutating func escape(_ intermediate: UInt8, _ final: UInt8, _ range: Range<Int>)

  mutating func controlSequence(_ sequence: borrowing ControlSequence, _ range: Range<Int>)

  /// A part of a control string, as it arrives. The first part contains the introducer, the last one the terminator.
  ///
  /// If another sequence or CAN cuts the string off, its last part has no terminator, and may be empty.
  mutating func string(
    _ kind: ControlString, _ bytes: Span<UInt8>, _ range: Range<Int>, isStart: Bool, isEnd: Bool)
}

/// A control string: begins with a control, and ends with the string terminator (ECMA-48, 5.6).
package enum ControlString: UInt8, Sendable {
  case operatingSystemCommand = 0x5d
  case deviceControl = 0x50
  case applicationCommand = 0x5f
  case privacyMessage = 0x5e
  case startOfString = 0x58
}
