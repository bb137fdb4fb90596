/// Hours of each day in which nothing shows: `22:00-07:00`.
package struct QuietHours: Equatable, Sendable {
  /// Minutes since midnight.
  package var start: Int
  /// Minutes since midnight; before ``start`` if the hours end on the next day.
  package var end: Int

  /// Nil for any other text, and for hours without a minute.
  package init?(_ text: String) {
    let times = text.split(separator: "-", omittingEmptySubsequences: false).map(Self.minutes)
    guard times.count == 2, let start = times[0], let end = times[1], start != end else { return nil }
    self.start = start
    self.end = end
  }

  private static func minutes(_ text: Substring) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2,
      parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      let hour = Int(parts[0]),
      let minute = Int(parts[1]), (0..<24).contains(hour), (0..<60).contains(minute)
    else { return nil }
    return hour * 60 + minute
  }

  package var text: String {
    func clock(_ minutes: Int) -> String {
      [minutes / 60, minutes % 60].map { ($0 < 10 ? "0" : "") + String($0) }.joined(separator: ":")
    }
    return "\(clock(start))-\(clock(end))"
  }
}
