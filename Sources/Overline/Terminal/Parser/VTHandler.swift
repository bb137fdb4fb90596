/// What a ``VTParser`` has read, item by item.
///
/// Each item comes with where it stands in the bytes that are parsed, so that a rewriter can hand most of the stream on
/// as it is. Bytes of an abandoned sequence belong to no item: a terminal passes over them too.
package protocol VTHandler: ~Copyable {
  /// Characters that are to be shown: UTF-8 that may be invalid, without any control character, and never cut within a scalar.
  mutating func text(_ bytes: Span<UInt8>, _ range: Range<Int>)

  /// A control character (C0) or DEL. One that stands inside a sequence comes before it; `range` then lies in the sequence's.
  mutating func control(_ byte: UInt8, _ range: Range<Int>)

  /// An escape sequence without parameters; C1 controls come as one as well, in the 7-bit form.
  ///
  /// - Parameter intermediate: 0 for none, ``ControlSequence/malformed`` for more than one.
  mutating func escape(_ intermediate: UInt8, _ final: UInt8, _ range: Range<Int>)

  mutating func controlSequence(_ sequence: borrowing ControlSequence, _ range: Range<Int>)

  /// A part of a control string as it comes, the first with its introducer, the last with its terminator.
  ///
  /// A string that is cut off by another sequence or by CAN has a last part without a terminator, which may be empty.
  mutating func string(
    _ kind: ControlString, _ bytes: Span<UInt8>, _ range: Range<Int>, isStart: Bool, isEnd: Bool)
}

/// What begins with one control and goes on to the string terminator (ECMA-48, 5.6).
package enum ControlString: UInt8, Sendable {
  case operatingSystemCommand = 0x5d
  case deviceControl = 0x50
  case applicationCommand = 0x5f
  case privacyMessage = 0x5e
  case startOfString = 0x58
}
