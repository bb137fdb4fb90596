/// Delays the network's watcher until the program first pauses: a starting program keeps two cores busy. While a banner shows, the delay is
/// only ``minimum``.
struct HeadStart {
  private static let minimum = Duration.milliseconds(20)
  private static let maximum = Duration.milliseconds(500)

  private var start = Duration.zero
  private(set) var deadline: Duration?

  mutating func begin(at now: Duration) {
    start = now
    deadline = now + Self.minimum
  }

  /// Returns true once, when the head start is over.
  ///
  /// - Parameter pause: the time at which the program's output will have paused long enough; nil when the program prints
  ///   nothing, or a banner shows.
  mutating func end(at now: Duration, pause: Duration?) -> Bool {
    guard let deadline, deadline <= now else { return false }
    if let pause, pause > now, now < start + Self.maximum {
      self.deadline = pause
      return false
    }
    self.deadline = nil
    return true
  }
}
