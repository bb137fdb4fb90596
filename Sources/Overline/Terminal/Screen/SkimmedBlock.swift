/// Classifies 64 bytes of a stream without a branch for each control sequence: such branches would be predicted badly.
///
/// A one is added at the bit after a CSI. The carry runs through the parameters to the byte after them, the final byte.
struct SkimmedBlock {
  /// The state carried from one block to the next, in the lowest bit of each field.
  struct Carry {
    fileprivate var escape: UInt64 = 0
    /// A CSI that has begun, perhaps with parameters.
    fileprivate var sequence: UInt64 = 0
  }

  /// The bytes after ESC that are not `[`; the lowest bit is the first byte's.
  let escaped: UInt64
  /// Final bytes of control sequences other than the usual motions and SGR.
  let finals: UInt64
  /// Shift in and out, and bytes that could begin a C1 control.
  let controls: UInt64
  /// Whether the block may contain more than text and control sequences that can be left out.
  var isRemarkable: Bool {
    @inline(__always)
    get { escaped | finals | controls != 0 }
  }
  /// True for text without shifts and C1 controls in which no control sequence begins or continues.
  let isPlain: Bool
  /// The final bytes of the usual motions and of erasing.
  let motions: UInt64
  /// The final bytes of SGRs.
  let renditions: UInt64
  /// The final bytes of SGRs that only set one of eight text colours.
  let colors: UInt64

  @inline(__always)
  init(_ bytes: Span<UInt8>, _ index: Int, _ carry: inout Carry) {
    let block = ByteBlock(bytes, at: index)
    let afterEscape = block.escape &<< 1 | carry.escape
    let introducers = afterEscape & block.bracket
    let (sum, isCarried) = block.parameter.addingReportingOverflow(introducers &<< 1 | carry.sequence)
    let ends = sum & ~block.parameter
    isPlain = block.escape | block.shiftOrC1 | carry.escape | carry.sequence == 0
    escaped = afterEscape & ~block.bracket
    finals = ends & ~(block.motion | block.rendition)
    controls = block.shiftOrC1
    motions = ends & block.motion
    renditions = ends & block.rendition
    colors = renditions & block.bracket &<< 3 & block.three &<< 2 & block.octalDigit &<< 1
    carry.escape = block.escape &>> 63
    carry.sequence = isCarried ? 1 : introducers &>> 63
  }
}
