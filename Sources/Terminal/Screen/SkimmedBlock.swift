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

  private typealias Vector = SIMD16<UInt8>
  private typealias Mask = SIMDMask<SIMD16<Int8>>

  /// - Parameter carry: one if a control sequence's parameters go on from the block before, and afterwards, into the next.
  @inline(__always)
  init(_ bytes: Span<UInt8>, _ index: Int, _ carry: inout UInt64) {
    let bytes = bytes.extracting(index &- Self.context..<index &+ Self.count)
    var isOther = Mask(repeating: false)
    for quarter in 0..<4 {
      let place = quarter &* 16
      let before = Self.vector(bytes, place)
      let here = Self.vector(bytes, place &+ Self.context)
      let isEscape = Self.equal(before, 0x1b)
      let isIntroduced = isEscape .& Self.equal(Self.vector(bytes, place &+ 1), 0x5b)
      let isParameter = Self.within(here, 0x30, 12)
      let isRendition = Self.equal(here, 0x6d)
      // `@`, `A` to `M`, `X` and `d`: the usual ones.
      let isLeftOut = isRendition .| Self.within(here, 0x40, 14) .| Self.equal(here, 0x58) .| Self.equal(here, 0x64)
      isOther = isOther .| (isEscape .& .!isIntroduced) .| Self.isControl(before)
      let starts = Self.words(isIntroduced), parameters = Self.words(isParameter)
      // A bit for each kind.
      let kinds = Self.words((isLeftOut, 1), (isRendition, 2))
      var found: UInt64 = 0
      for half in 0..<2 {
        let start = starts[half] & Self.ones
        let (sum, isCarried) = parameters[half].addingReportingOverflow(start & parameters[half] | carry)
        let finals = (sum | start) & ~parameters[half] & Self.ones
        carry = isCarried ? 1 : 0
        remarks |= finals & ~kinds[half]
        // Eight bits that are a byte apart, side by side.
        let gathered = ((finals &<< 1 & kinds[half]) &* 0x0081_0204_0810_2040) &>> 56
        found |= gathered &<< UInt64(half &* 8)
      }
      renditions |= found &<< UInt64(place)
    }
    let others = Self.words(isOther)
    remarks |= others[0] | others[1]
  }

  /// Whether no control sequence begins in it, two bytes before it included, and nothing else that matters.
  @inline(__always)
  static func isPlain(_ bytes: Span<UInt8>, _ index: Int) -> Bool {
    var found = Mask(repeating: false)
    for place in stride(from: index &- 2, to: index &- 2 &+ count, by: 16) {
      let here = vector(bytes, place)
      found = found .| equal(here, 0x1b) .| isControl(here)
    }
    let words = words(found)
    return words[0] | words[1] == 0
  }

  /// Shift in or out, and what could be a C1 control.
  @inline(__always)
  private static func isControl(_ vector: Vector) -> Mask { within(vector, 0x0e, 2) .| equal(vector, 0xc2) }

  // With a number where a vector could be, Swift compares one byte after the other.

  @inline(__always)
  private static func equal(_ vector: Vector, _ byte: UInt8) -> Mask { vector .== Vector(repeating: byte) }

  @inline(__always)
  private static func within(_ vector: Vector, _ first: UInt8, _ count: UInt8) -> Mask {
    (vector &- Vector(repeating: first)) .< Vector(repeating: count)
  }

  @inline(__always)
  private static func vector(_ bytes: Span<UInt8>, _ index: Int) -> Vector {
    // SAFETY: any bytes are a vector of bytes, and the place is checked.
    unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: Vector.self)
  }

  @inline(__always)
  private static func words(_ mask: Mask) -> SIMD2<UInt64> { words((mask, 0xff), (mask, 0)) }

  /// What has the bits of both, the first byte lowest.
  @inline(__always)
  private static func words(_ one: (Mask, bits: UInt8), _ other: (Mask, bits: UInt8)) -> SIMD2<UInt64> {
    // SAFETY: all are sixteen bytes.
    let bytes = unsafe unsafeBitCast(one.0, to: Vector.self) & Vector(repeating: one.bits)
    let more = unsafe unsafeBitCast(other.0, to: Vector.self) & Vector(repeating: other.bits)
    let words = unsafe unsafeBitCast(bytes | more, to: SIMD2<UInt64>.self)
    return SIMD2(UInt64(littleEndian: words[0]), UInt64(littleEndian: words[1]))
  }

  private static var ones: UInt64 { 0x0101_0101_0101_0101 }
}
