import ByteVector

/// What 64 bytes of a stream are made of, found without a branch for each control sequence, which would be predicted badly.
///
/// Sixteen bytes are compared at once, each with what stands one and two places before it. What that gives, a byte of ones for each that
/// it is true of, is added up eight at a time: a one added where parameters begin is carried through them to the byte behind them, which
/// is the final one.
struct SkimmedBlock {
  /// Bytes.
  static var count: Int { 64 }
  /// How many bytes before it are looked at.
  static var context: Int { 2 }

  /// The final bytes of SGRs, a bit for each byte, the first one lowest.
  private(set) var renditions: UInt64 = 0
  /// Whether there is more in it, two bytes before it included, than text and control sequences that can be left out.
  var isRemarkable: Bool { remarks != 0 }
  private var remarks: UInt64 = 0

  /// - Parameter carry: one if a control sequence's parameters go on from the block before, and afterwards, into the next.
  @inline(__always)
  init(_ bytes: Span<UInt8>, _ index: Int, _ carry: inout UInt64) {
    let bytes = bytes.extracting(index &- Self.context..<index &+ Self.count)
    var others = ByteVector.Places.none
    for quarter in 0..<4 {
      let place = quarter &* ByteVector.count
      let before = ByteVector(bytes, at: place)
      let here = ByteVector(bytes, at: place &+ Self.context)
      let escapes = before.equals(0x1b)
      let introducers = escapes & ByteVector(bytes, at: place &+ 1).equals(0x5b)
      let renditions = here.equals(0x6d)
      // `@`, `A` to `M`, `X` and `d`: the usual ones.
      let leftOut = renditions | here.within(0x40, 14) | here.equals(0x58) | here.equals(0x64)
      others = others | escapes.subtracting(introducers) | Self.controls(before)
      let starts = introducers.words(1), parameters = here.within(0x30, 12).words()
      // A bit for each kind.
      let kinds = leftOut.words(1, and: renditions, 2)
      var found: UInt64 = 0
      for half in 0..<2 {
        let start = starts[half]
        let (sum, isCarried) = parameters[half].addingReportingOverflow(start & parameters[half] | carry)
        let finals = (sum | start) & ~parameters[half] & Self.ones
        carry = isCarried ? 1 : 0
        remarks |= finals & ~kinds[half]
        // Eight bits that are a byte apart, side by side.
        found |= (((finals &<< 1 & kinds[half]) &* 0x0081_0204_0810_2040) &>> 56) &<< UInt64(half &* 8)
      }
      self.renditions |= found &<< UInt64(place)
    }
    if !others.isEmpty { remarks |= 1 }
  }

  /// Whether no control sequence begins in it, two bytes before it included, and nothing else that matters.
  @inline(__always)
  static func isPlain(_ bytes: Span<UInt8>, _ index: Int) -> Bool {
    var found = ByteVector.Places.none
    for place in stride(from: index &- context, to: index &- context &+ count, by: ByteVector.count) {
      let here = ByteVector(bytes, at: place)
      found = found | here.equals(0x1b) | controls(here)
    }
    return found.isEmpty
  }

  /// Shift in or out, and what could be a C1 control.
  @inline(__always)
  private static func controls(_ vector: ByteVector) -> ByteVector.Places {
    vector.within(0x0e, 2) | vector.equals(0xc2)
  }

  private static var ones: UInt64 { 0x0101_0101_0101_0101 }
}
