/// The terminal's size, which the size of the program's terminal follows.
///
/// While overlays show, the window waits until a changing size has settled: every earlier repaint would be outdated.
struct SizeKeeper {
  /// While a user drags the terminal's edge, the terminal moves its rows many times. A row that is written before such a move and handled
  /// after it is lost or doubled.
  private static let pause = Duration.milliseconds(300)

  /// The size that the screen is laid out for.
  var size: TerminalSize
  /// The size that the terminal reported last; nil when it is gone.
  var newest: TerminalSize?
  /// True until the program's terminal gets its new size. The screen makes room first: the program must not draw into rows that it does not
  /// have yet.
  var isProgramDue = false
  /// The size has settled, but must wait: the program is in the middle of a sequence.
  var isHeld = false
  /// The program's size as it was set last, and the rows above it.
  private var program: (size: TerminalSize, inset: Int)
  private(set) var deadline: Duration?

  init(_ size: TerminalSize?) {
    self.size = size ?? TerminalSize(rows: 0, columns: 0)
    newest = size
    program = (self.size, 0)
  }

  /// Notes the program's new size.
  ///
  /// - Returns: whether the window has to report it to a program in mode 2048. The terminal reports only its own size, and the window passes
  ///   that on only where no rows are above the program's.
  mutating func resizeProgram(to new: TerminalSize, inset: Int) -> Bool {
    defer { program = (new, inset) }
    return new != program.size && (inset > 0 || program.inset > 0)
  }

  mutating func debounce(at now: Duration) {
    deadline = now + Self.pause
  }

  mutating func settle() {
    deadline = nil
    isHeld = false
  }
}
