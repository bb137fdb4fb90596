internal import Overline

/// Finds the program's pauses after input and output: work that can wait for one must not delay the echo of a key.
struct PauseWatch {
  struct Pause {
    /// Whether the user typed since the last one.
    var hasInput: Bool
  }

  /// As long as a pause of the screen (``WindowCanvas/settleDeadline``), so that one wake-up serves both.
  private static let pause = Duration.milliseconds(20)
  /// The longest delay after input, also in a flood of output.
  private static let maximum = Duration.milliseconds(25)

  private var outputDeadline: Duration?
  private var inputDeadline: Duration?

  var deadline: Duration? { outputDeadline.earlier(inputDeadline) }

  mutating func noteOutput(at now: Duration) { outputDeadline = now + Self.pause }
  mutating func noteInput(at now: Duration) { inputDeadline = inputDeadline ?? now + Self.maximum }

  /// Returns each pause once, when it is due.
  mutating func take(at now: Duration) -> Pause? {
    guard let deadline, deadline <= now else { return nil }
    defer { self = PauseWatch() }
    return Pause(hasInput: inputDeadline != nil)
  }
}
