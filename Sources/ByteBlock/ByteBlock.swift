internal import CByteBlock

/// Up to 64 bytes of a stream: where the ones are that ECMA-48 builds control sequences of, a bit for each byte, the first one lowest.
public struct ByteBlock {
  private let found: cbyteblock

  /// The bytes from `index` on, which is one of them.
  ///
  /// - Parameter isInside: they begin inside a control sequence. If not, and neither ESC nor ``shiftOrC1`` is among them, nothing else
  ///   is looked for.
  public init(_ bytes: Span<UInt8>, at index: Int, isInside: Bool) {
    let block = bytes.extracting(index..<min(bytes.count, index + Self.count))
    // SAFETY: no more is read than there is.
    found = unsafe block.withUnsafeBufferPointer { unsafe cbyteblock_look($0.baseAddress, $0.count, isInside) }
  }

  /// Bytes.
  public static var count: Int { 64 }

  /// ESC.
  public var escape: UInt64 { found.escape }
  /// `[`, which makes a CSI of it.
  public var bracket: UInt64 { found.bracket }
  /// What parameters are made of: 0 to 9, `:` and `;`.
  public var parameter: UInt64 { found.parameter }
  /// 0 to 7.
  public var octal: UInt64 { found.octal }
  /// 3.
  public var three: UInt64 { found.three }
  /// The usual final bytes of motions and erasing: `@`, A to M, X and d.
  public var motion: UInt64 { found.motion }
  /// m, the final byte of SGR.
  public var rendition: UInt64 { found.rendition }
  /// Shift in and out, and the first byte of a C1 control in UTF-8.
  public var shiftOrC1: UInt64 { found.shift_or_c1 }
}
