/// What 64 bytes of a stream are made of, found without a branch for each control sequence, which would be predicted badly.
///
/// A one is added behind a CSI: it is carried through the parameters to the byte behind them, which is the final one.
struct SkimmedBlock {
  /// What goes on from one block to the next, in the lowest bit of each.
  struct Carry {
    fileprivate var escape: UInt64 = 0
    /// A CSI that has begun, maybe with parameters.
    fileprivate var sequence: UInt64 = 0
  }

  /// A bit for each byte, the first one lowest: what follows ESC and is not `[`.
  let escaped: UInt64
  /// What ends a control sequence's parameters, and is neither of the usual motions nor an SGR.
  let finals: UInt64
  /// Shift in and out, and what could be a C1 control.
  let controls: UInt64
  /// Whether there may be more in it than text and control sequences that can be left out.
  var isRemarkable: Bool {
    @inline(__always)
    get { escaped | finals | controls != 0 }
  }
  /// Nothing of that is in it, and no control sequence begins in it or goes on.
  let isPlain: Bool
  /// The final bytes of the usual motions, and of what erases.
  let motions: UInt64
  /// The final bytes of SGRs.
  let renditions: UInt64
  /// Those of them that do nothing but give the text one of eight colours.
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
