import OverlineTestSupport

/// Makes a failing day smaller as long as it fails in the same way.
struct DayShrinker {
  private static let maximumRuns = 3000
  private let kind: DayFailure.Kind
  private var runs = 0
  private(set) var day: Day

  static func shrink(_ day: Day, _ failure: DayFailure) -> Day {
    var shrinker = DayShrinker(kind: failure.kind, day: day)
    while shrinker.runs < maximumRuns, shrinker.removeItems() || shrinker.simplify() {}
    return shrinker.day
  }

  private init(kind: DayFailure.Kind, day: Day) { (self.kind, self.day) = (kind, day) }

  private mutating func keep(_ candidate: Day) -> Bool {
    guard candidate != day, runs < Self.maximumRuns else { return false }
    runs += 1
    guard SimulatedDay.run(candidate).failure?.kind == kind else { return false }
    day = candidate
    return true
  }

  private mutating func removeItems() -> Bool {
    removeParts(of: day.items.count) { range in
      var candidate = day
      let removed = candidate.items[range].reduce(0) { $0 + $1.after }
      candidate.items.removeSubrange(range)
      // The others keep their times, unless the day can do without the pause.
      var kept = candidate
      if range.lowerBound < kept.items.count { kept.items[range.lowerBound].after += removed }
      return keep(candidate) || keep(kept)
    }
  }

  private mutating func simplify() -> Bool {
    var hasChanged = false
    for delays in [[1]] + day.delays.map({ [$0] }) {
      var candidate = day
      candidate.delays = delays
      if delays != day.delays, day.delays.count > 1, keep(candidate) { hasChanged = true }
    }
    for index in day.items.indices {
      for shorter in [0, 1, 100, 1000, 130_000] where shorter < day.items[index].after {
        var candidate = day
        candidate.items[index].after = shorter
        if keep(candidate) {
          hasChanged = true
          break
        }
      }
    }
    return hasChanged
  }
}

extension Day: CustomStringConvertible {
  /// As a literal of Swift, but for the requests of clients.
  var description: String {
    let lines = items.map { "    .init(\($0.after), .\($0.action))," }
    return (["Day(", "  items: ["] + lines + ["  ],", "  delays: \(delays))"]).joined(separator: "\n")
  }
}
