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

/// What the file says by which a user's programs know of a pause: a word, and times in milliseconds since 1970.
package enum QuietNote: Hashable, Sendable {
  /// The user's pause: show nothing until then.
  ///
  /// - Parameter resumed: as for ``resumed(until:)``, from before the pause; zero if the user has ended no hours early.
  case pause(until: Int64, resumed: Int64 = 0)
  /// The monitor's configured hours, for programs that do not know them: show nothing until then.
  case hours(until: Int64)
  /// The user has ended the configured hours early: show everything until then.
  case resumed(until: Int64)

  /// Nil for any other text.
  package init?(_ text: String) {
    let parts = text.split(whereSeparator: \.isWhitespace)
    let times = parts.dropFirst().compactMap { Int64($0) }.filter { $0.magnitude < 1 << 52 }
    guard times.count == parts.count - 1, let time = times.first else { return nil }
    switch (parts[0], times.count) {
    case ("pause", 1): self = .pause(until: time)
    case ("pause", 2): self = .pause(until: time, resumed: times[1])
    case ("hours", 1): self = .hours(until: time)
    case ("resumed", 1): self = .resumed(until: time)
    default: return nil
    }
  }

  package var text: String {
    switch self {
    case .pause(let time, 0): "pause \(time)\n"
    case .pause(let time, let resumed): "pause \(time) \(resumed)\n"
    case .hours(let time): "hours \(time)\n"
    case .resumed(let time): "resumed \(time)\n"
    }
  }

  /// The end of the quiet time for a program that does not know the configured hours; nil without one.
  package var end: Int64? {
    switch self {
    case .pause(let time, _), .hours(let time): time
    case .resumed: nil
    }
  }

  /// The time until which the configured hours do not count; zero if they do.
  package var resumed: Int64 {
    switch self {
    case .pause(_, let time), .resumed(let time): time
    case .hours: 0
    }
  }
}
