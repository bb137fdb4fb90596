package import Overline

/// Decides when it is quiet: during the user's pause, and in the hours of the configuration. Times are milliseconds since 1970.
package enum QuietPlan {
  /// - Parameters:
  ///   - note: what the pause's file says.
  ///   - hours: the hours of yesterday, today and tomorrow, in this order: the local calendar knows when they begin and end. Nil for a
  ///     program that follows the monitor.
  /// - Returns: the current period, or the next one; nil for none.
  package static func period(_ note: QuietNote, hours: [Range<Int64>]?, at now: Int64) -> Range<Int64>? {
    guard let hours else { return now < note.end ? now..<note.end : nil }
    let resumed = max(now, note.resumed)
    if note.pause > now {
      // A pause that ends in the hours is followed by them at once.
      let end = hours.first { $0.contains(note.pause) && $0.upperBound > resumed }?.upperBound ?? note.pause
      return now..<end
    }
    guard let next = hours.first(where: { $0.upperBound > resumed }) else { return nil }
    return max(next.lowerBound, now)..<next.upperBound
  }
}
