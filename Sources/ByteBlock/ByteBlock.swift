internal import CByteBlock

/// Up to 64 bytes of a stream: where the ones are that ECMA-48 builds control sequences of, a bit for each byte, the first one lowest.
public struct ByteBlock {
  /// Bytes.
  public static let count = 64

  /// ESC.
  public let escape: UInt64
  /// `[`, which makes a CSI of it.
  public let bracket: UInt64
  /// What parameters are made of: 0 to 9, `:` and `;`.
  public let parameter: UInt64
  /// 0 to 7.
  public let octalDigit: UInt64
  /// 3.
  public let three: UInt64
  /// The usual final bytes of motions and erasing: `@`, A to M, X and d.
  public let motion: UInt64
  /// m, the final byte of SGR.
  public let rendition: UInt64
  /// Shift in and out, and the first byte of a C1 control in UTF-8.
  public let shiftOrC1: UInt64

  /// - Parameter index: less than their number.
  public init(_ bytes: Span<UInt8>, at index: Int) {
    let block = bytes.extracting(index..<min(bytes.count, index + Self.count))
    // SAFETY: no more is read than there is.
    let found = unsafe block.withUnsafeBufferPointer { unsafe cbyteblock_classify($0.baseAddress, $0.count) }
    escape = found.escape
    bracket = found.bracket
    parameter = found.parameter
    octalDigit = found.octal_digit
    three = found.three
    motion = found.motion
    rendition = found.rendition
    shiftOrC1 = found.shift_or_c1
  }

  /// How many bytes from `index` on are in whole blocks in which neither ESC nor ``shiftOrC1`` is.
  public static func plainCount(_ bytes: Span<UInt8>, from index: Int) -> Int {
    // SAFETY: as above.
    unsafe bytes.extracting(index...).withUnsafeBufferPointer { unsafe cbyteblock_plain($0.baseAddress, $0.count) }
  }
}
