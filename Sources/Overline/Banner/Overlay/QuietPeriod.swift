/// A time for which the user wants quiet: no banner and no toast shows. An alert shows: a command of the user waits for its answer.
package struct QuietPeriod: Hashable, Sendable {
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

/// What the file says by which a user's programs know of a pause: a word, and a time in milliseconds since 1970.
package enum QuietNote: Hashable, Sendable {
  /// The user's pause: show nothing until then.
  case pause(until: Int64)
  /// The monitor's configured hours, for programs that do not know them: show nothing until then.
  case hours(until: Int64)
  /// The user has ended the configured hours early: show everything until then.
  case resumed(until: Int64)

  /// Nil for any other text.
  package init?(_ text: String) {
    let parts = text.split(whereSeparator: \.isWhitespace)
    guard parts.count == 2, let time = Int64(parts[1]), time.magnitude < 1 << 52 else { return nil }
    switch parts[0] {
    case "pause": self = .pause(until: time)
    case "hours": self = .hours(until: time)
    case "resumed": self = .resumed(until: time)
    default: return nil
    }
  }

  package var text: String {
    switch self {
    case .pause(let time): "pause \(time)\n"
    case .hours(let time): "hours \(time)\n"
    case .resumed(let time): "resumed \(time)\n"
    }
  }

  /// The end of the quiet time for a program that does not know the configured hours; nil without one.
  package var end: Int64? {
    switch self {
    case .pause(let time), .hours(let time): time
    case .resumed: nil
    }
  }
}
