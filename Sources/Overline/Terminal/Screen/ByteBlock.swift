internal import COverline

/// Up to 64 bytes of a stream: where the ones are that ECMA-48 builds control sequences of, a bit for each byte, the first one lowest.
package struct ByteBlock {
  /// Bytes.
  package static let count = 64

  /// ESC.
  package let escape: UInt64
  /// `[`, which makes a CSI of it.
  package let bracket: UInt64
  /// What parameters are made of: 0 to 9, `:` and `;`.
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

  /// - Parameter index: less than their number.
  package init(_ bytes: Span<UInt8>, at index: Int) {
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
  package static func plainCount(_ bytes: Span<UInt8>, from index: Int) -> Int {
    // SAFETY: as above.
    unsafe bytes.extracting(index...).withUnsafeBufferPointer { unsafe cbyteblock_plain($0.baseAddress, $0.count) }
  }
}
