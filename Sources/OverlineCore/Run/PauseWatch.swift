internal import Overline

/// Finds when work is due that a key must not pay for: it waits for a pause of the program, and is left out where nothing can have changed.
/// Typed letters and their echo cost no wake-up.
struct PauseWatch {
  private static let pause = Duration.milliseconds(20)
  /// The longest delay after input, also in a flood of output.
  private static let maximum = Duration.milliseconds(25)
  /// Output this soon after typed letters is their echo. A later one, as over a slow line, costs a look that finds nothing new.
  private static let echoTime = Duration.milliseconds(100)
  /// Nobody changes between two windows more often.
  private static let noteInterval = Duration.milliseconds(250)

  private var outputDeadline: Duration?
  private var inputDeadline: Duration?
  private var echoEnd: Duration?
  private var lastNote: Duration?
  /// The time at which the program will have paused, if it prints nothing more; nil before it has printed.
  private(set) var quietTime: Duration?

  /// When the program will have paused after something that may have changed its directory.
  var deadline: Duration? { outputDeadline.earlier(inputDeadline) }

  mutating func noteOutput(at now: Duration) {
    quietTime = now + Self.pause
    if let echoEnd, now < echoEnd { return }
    outputDeadline = quietTime
  }

  /// - Returns: whether the input must be noted for commands that look for the window that was used last.
  mutating func noteInput(_ bytes: [UInt8], at now: Duration) -> Bool {
    // Enter runs a command; other keys may be bound to one.
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
    (outputDeadline, inputDeadline) = (nil, nil)
    return true
  }
}
