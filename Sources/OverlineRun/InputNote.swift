/// Delays the note that this window was used until the program's next pause: its system call would delay the echo of a key.
struct InputNote {
  private static let maximum = Duration.milliseconds(25)

  private(set) var deadline: Duration?

  mutating func begin(at now: Duration) { deadline = deadline ?? now + Self.maximum }

  /// Returns true once, when the note is due.
  ///
  /// - Parameter pause: the time at which the program will have paused; nil when it prints nothing.
  mutating func end(at now: Duration, pause: Duration?) -> Bool {
    guard let deadline, deadline <= now || pause.map({ $0 <= now }) ?? false else { return false }
    self.deadline = nil
    return true
  }
}
