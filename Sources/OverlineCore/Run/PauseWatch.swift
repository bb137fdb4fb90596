internal import Overline

/// Decides when to look at the program's directory: at a pause of the program, so that no key waits for the look. A letter and its echo
/// seldom change the directory, so the look after them comes with the screen's (``WindowCanvas/settleTime``) and costs no wake-up of its own.
struct PauseWatch {
  private static let pause = Duration.milliseconds(20)
  /// The longest delay after Enter or another control key, also in a flood of output.
  private static let maximum = Duration.milliseconds(25)
  /// Output this soon after typed letters counts as their echo. Slower echo, as over a slow line, only costs an early look.
  private static let echoTime = Duration.milliseconds(100)
  /// A user does not change between windows more often than this.
  private static let noteInterval = Duration.milliseconds(250)

  private var outputDeadline: Duration?
  private var echoDeadline: Duration?
  private var inputDeadline: Duration?
  private var echoEnd: Duration?
  private var lastNote: Duration?
  /// The time at which the program will have paused, if it prints nothing more; nil before it has printed.
  private(set) var quietTime: Duration?

  var deadline: Duration? { outputDeadline.earlier(inputDeadline).earlier(echoDeadline) }

  mutating func noteOutput(at now: Duration) {
    quietTime = now + Self.pause
    if let echoEnd, now < echoEnd {
      echoDeadline = now + WindowCanvas.settleTime
    } else {
      outputDeadline = quietTime
    }
  }

  /// - Returns: whether the input must be noted for commands that look for the window that was used last.
  mutating func noteInput(_ bytes: [UInt8], at now: Duration) -> Bool {
    // Enter runs a command; other control keys may be bound to one.
    if bytes.contains(where: { $0 < 0x20 || $0 == 0x7f }) {
      inputDeadline = inputDeadline ?? now + Self.maximum
      echoEnd = nil
    } else {
      echoEnd = now + Self.echoTime
    }
    if let lastNote, now < lastNote + Self.noteInterval { return false }
    lastNote = now
    return true
  }

  /// Returns true once for each pause, when it is due.
  mutating func take(at now: Duration) -> Bool {
    guard let deadline, deadline <= now else { return false }
    (outputDeadline, inputDeadline, echoDeadline) = (nil, nil, nil)
    return true
  }
}
