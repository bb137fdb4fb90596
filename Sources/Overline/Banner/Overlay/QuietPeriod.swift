/// A time for which the user wants quiet: no banner and no toast shows. An alert shows: a command of the user waits for its answer.
package struct QuietPeriod: Equatable, Sendable {
  /// Times since boot. It is quiet from `start` on, until just before `end`.
  package var start: Duration
  package var end: Duration
  /// The end in RFC 3339.
  package var time: String
  /// The end for users: `18:00`.
  package var words: String

  package init(start: Duration, end: Duration, time: String = "", words: String = "") {
    self.start = start
    self.end = end
    self.time = time
    self.words = words
  }
}

/// What the file says by which a user's programs know of a pause: a line for each time, in milliseconds since 1970.
package struct QuietNote: Equatable, Sendable {
  /// The end of the user's pause; zero without one.
  package var pause: Int64
  /// The end of the configured hours that have begun, from the monitor for programs that do not know them; zero for none.
  package var hours: Int64
  /// The time until which the configured hours do not count, since the user has ended them early; zero if they count.
  package var resumed: Int64

  package init(pause: Int64 = 0, hours: Int64 = 0, resumed: Int64 = 0) {
    self.pause = pause
    self.hours = hours
    self.resumed = resumed
  }

  /// Nil for any other text.
  package init?(_ text: String) {
    self.init()
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ")
      guard parts.count == 2, let time = Int64(parts[1]), time.magnitude < 1 << 52 else { return nil }
      switch parts[0] {
      case "pause": pause = time
      case "hours": hours = time
      case "resumed": resumed = time
      default: return nil
      }
    }
  }

  package var text: String { "pause \(pause)\nhours \(hours)\nresumed \(resumed)\n" }

  /// The end of the quiet time for a program that does not know the configured hours.
  package var end: Int64 { max(pause, hours) }
}
