/// Whether output moves the cursor to another row, or saves its place, before it prints anything.
struct FirstMotion: VTHandler {
  private(set) var isFound = false
  private var hasPrinted = false

  /// The number of bytes to look at: a program that moves first does it at once.
  private static let limit = 256

  /// - Returns: nil if the output neither prints nor moves.
  static func begins(_ bytes: [UInt8]) -> Bool? {
    var parser = VTParser()
    var motion = FirstMotion()
    _ = parser.parse(Array(bytes.prefix(limit)).span, &motion)
    return motion.isFound ? true : motion.hasPrinted ? false : nil
  }

  mutating func text(_ bytes: Span<UInt8>, _ range: Range<Int>) { hasPrinted = true }

  mutating func control(_ byte: UInt8, _ range: Range<Int>) {}

  mutating func escape(_ intermediate: UInt8, _ final: UInt8, _ range: Range<Int>) {
    switch EscapeCommand(intermediate, final) {
    case .saveCursor, .restoreCursor, .reverseIndex: noteMotion()
    default: break
    }
  }

  mutating func controlSequence(_ sequence: borrowing ControlSequence, _ range: Range<Int>) {
    switch sequence.command {
    case .cursorUp, .cursorPrecedingLine, .cursorDown, .cursorNextLine, .linePositionForward, .cursorPosition,
      .horizontalAndVerticalPosition, .linePositionAbsolute, .setTopAndBottomMargins,
      .setLeftAndRightMarginsOrSaveCursor,
      .restoreCursor:
      noteMotion()
    default: break
    }
  }

  mutating func string(_ kind: ControlString, _ bytes: Span<UInt8>, _ range: Range<Int>, isStart: Bool, isEnd: Bool) {}

  private mutating func noteMotion() { if !hasPrinted { isFound = true } }
}
