/// The terminal's size, and the program's that follows it.
///
/// While overlays show, a changing size settles first: every repaint before that would be outdated.
struct SizeKeeper {
  private static let pause = Duration.milliseconds(75)
  private static let maximumDelay = Duration.milliseconds(150)

  /// The size that the screen is laid out for.
  var size: TerminalSize
  /// The size that the terminal reported last; nil when it is gone.
  var newest: TerminalSize?
  /// The program's terminal gets its size once the screen has made room: the program must not draw into rows that it does not have yet.
  var isProgramDue = false
  /// The size has settled, and the program is in the middle of a sequence.
  var isHeld = false
  private(set) var deadline: Duration?
  private var first: Duration?

  init(_ size: TerminalSize?) {
    self.size = size ?? TerminalSize(rows: 0, columns: 0)
    newest = size
  }

  mutating func debounce(at now: Duration) {
    let first = first ?? now
    self.first = first
    deadline = min(now + Self.pause, first + Self.maximumDelay)
  }

  mutating func settle() {
    deadline = nil
    first = nil
    isHeld = false
  }
}
