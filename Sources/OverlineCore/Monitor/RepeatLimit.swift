/// Keeps a repeated line from filling a log. A value without a clock.
package struct RepeatLimit {
  private struct Seen {
    var since: Duration
    var count = 1
    var heldBack = 0
  }

  /// Pulling and plugging a cable by hand does not exceed this.
  private static let maximumPerPeriod = 10
  private static let period = Duration.seconds(60)
  /// The maximum number of different lines that are counted at once. The oldest is forgotten.
  private static let maximumLineCount = 64

  private var seen: [String: Seen] = [:]

  package init() {}

  /// The line to write, or nil if it was written often enough. After the period, the line ends with the number of omissions.
  package mutating func admit(_ line: String, at now: Duration) -> String? {
    guard var one = seen[line] else {
      if seen.count >= Self.maximumLineCount { forgetOldest() }
      seen[line] = Seen(since: now)
      return line
    }
    if now - one.since >= Self.period {
      seen[line] = Seen(since: now)
      return one.heldBack == 0 ? line : "\(line) (and \(one.heldBack) times more, not written)"
    }
    one.count += 1
    let isTooMuch = one.count > Self.maximumPerPeriod
    if isTooMuch { one.heldBack += 1 }
    seen[line] = one
    return isTooMuch ? nil : line
  }

  private mutating func forgetOldest() {
    if let oldest = seen.min(by: { $0.value.since < $1.value.since })?.key { seen[oldest] = nil }
  }
}
