/// Sixteen bytes that are compared at once: what Swift's vectors have no safe word for, and nothing else.
///
/// With a number where a vector could be (`vector .== 27`), Swift compares one byte after the other.
public struct ByteVector {
  /// Bytes.
  @inlinable public static var count: Int { 16 }

  @usableFromInline let bytes: SIMD16<UInt8>

  /// The bytes from `index` on. A place outside of them is a mistake of the caller's, and ends the program.
  @inlinable
  @inline(__always)
  public init(_ bytes: Span<UInt8>, at index: Int) {
    // SAFETY: any sixteen bytes are a vector of bytes, and their place is checked.
    self.bytes = unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
  }

  /// Which of them are `byte`.
  @inlinable
  @inline(__always)
  public func equals(_ byte: UInt8) -> Places { Places(bytes .== SIMD16(repeating: byte)) }

  /// Which of them are one of `count` bytes from `first` on.
  @inlinable
  @inline(__always)
  public func within(_ first: UInt8, _ count: UInt8) -> Places {
    Places((bytes &- SIMD16(repeating: first)) .< SIMD16(repeating: count))
  }

  /// Some of sixteen places.
  public struct Places {
    @usableFromInline let mask: SIMDMask<SIMD16<Int8>>

    @inlinable
    @inline(__always)
    init(_ mask: SIMDMask<SIMD16<Int8>>) { self.mask = mask }

    @inlinable public static var none: Places {
      @inline(__always)
      get { Places(SIMDMask(repeating: false)) }
    }

    @inlinable
    @inline(__always)
    public static func | (one: Places, other: Places) -> Places { Places(one.mask .| other.mask) }

    @inlinable
    @inline(__always)
    public static func & (one: Places, other: Places) -> Places { Places(one.mask .& other.mask) }

    @inlinable
    @inline(__always)
    public func subtracting(_ other: Places) -> Places { Places(mask .& .!other.mask) }

    @inlinable public var isEmpty: Bool {
      @inline(__always)
      get {
        let words = words()
        return words[0] | words[1] == 0
      }
    }

    /// A byte for each place, the first one lowest: `bits` where it is one of these, and zero elsewhere.
    @inlinable
    @inline(__always)
    public func words(_ bits: UInt8 = 0xff) -> SIMD2<UInt64> { words(bits, and: .none, 0) }

    /// The same of two at once.
    @inlinable
    @inline(__always)
    public func words(_ bits: UInt8, and other: Places, _ otherBits: UInt8) -> SIMD2<UInt64> {
      // SAFETY: all are sixteen bytes.
      let bytes = unsafe unsafeBitCast(mask, to: SIMD16<UInt8>.self) & SIMD16(repeating: bits)
      let more = unsafe unsafeBitCast(other.mask, to: SIMD16<UInt8>.self) & SIMD16(repeating: otherBits)
      let words = unsafe unsafeBitCast(bytes | more, to: SIMD2<UInt64>.self)
      return SIMD2(UInt64(littleEndian: words[0]), UInt64(littleEndian: words[1]))
    }
  }
}
