internal import ByteBlock

/// What 64 bytes of a stream are made of, found without a branch for each control sequence, which would be predicted badly.
///
/// A one is added where parameters begin: it is carried through them to the byte behind them, which is the final one.
struct SkimmedBlock {
  /// What goes on from one block to the next, in the lowest bit of each.
  struct Carry {
    fileprivate var escape: UInt64 = 0
    fileprivate var introducer: UInt64 = 0
    fileprivate var parameters: UInt64 = 0
  }

  /// Bytes.
  static var count: Int { ByteBlock.count }

  /// A bit for each byte, the first one lowest: where ESC is not followed by `[`.
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
  /// The final bytes of SGRs.
  let renditions: UInt64
  /// Those of them that do nothing but give the text one of eight colours.
  let colors: UInt64

  @inline(__always)
  init(_ bytes: Span<UInt8>, _ index: Int, _ carry: inout Carry) {
    let block = ByteBlock(bytes, at: index)
    let afterEscape = block.escape &<< 1 | carry.escape
    let introducers = afterEscape & block.bracket
    let starts = introducers &<< 1 | carry.introducer
    let (sum, isCarried) = block.parameter.addingReportingOverflow(starts & block.parameter | carry.parameters)
    let ends = (sum | starts) & ~block.parameter
    isPlain = block.escape | block.shiftOrC1 | carry.escape | carry.introducer | carry.parameters == 0
    escaped = afterEscape & ~block.bracket
    finals = ends & ~(block.motion | block.rendition)
    controls = block.shiftOrC1
    renditions = ends & block.rendition
    colors = renditions & block.bracket &<< 3 & block.three &<< 2 & block.octal &<< 1
    carry.escape = block.escape &>> 63
    carry.introducer = introducers &>> 63
    carry.parameters = isCarried ? 1 : 0
  }
}
