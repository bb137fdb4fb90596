internal import COverline

/// Marks, in up to 64 bytes of a stream, the bytes that ECMA-48 builds control sequences of. Each field has a bit for each byte; the lowest
/// bit is the first byte's.
package struct ByteBlock {
  /// The number of bytes in a block.
  package static let count = 64

  /// ESC.
  package let escape: UInt64
  /// `[`, which after ESC makes a CSI.
  package let bracket: UInt64
  /// The bytes of parameters: 0 to 9, `:` and `;`.
  package let parameter: UInt64
  /// 0 to 7.
  package let octalDigit: UInt64
  /// 3.
  package let three: UInt64
  /// The usual final bytes of motions and erasing: `@`, A to M, X and d.
  package let motion: UInt64
  /// m, the final byte of SGR.
  package let rendition: UInt64
  /// Shift in and out, and the first byte of a C1 control in UTF-8.
  package let shiftOrC1: UInt64

  /// - Parameter index: less than the number of bytes.
  package init(_ bytes: Span<UInt8>, at index: Int) {
    let block = bytes.extracting(index..<min(bytes.count, index + Self.count))
    // SAFETY: reads no more bytes than the span has.
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

  /// The number of bytes from `index` on that are in whole blocks without ESC and ``shiftOrC1``.
  package static func plainCount(_ bytes: Span<UInt8>, from index: Int) -> Int {
    // SAFETY: as above.
    unsafe bytes.extracting(index...).withUnsafeBufferPointer { unsafe cbyteblock_plain($0.baseAddress, $0.count) }
  }
}
