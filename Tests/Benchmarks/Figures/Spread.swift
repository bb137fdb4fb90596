/// The median of measured values and the interval that holds the true median with a probability of 95 %.
///
/// The interval's ends are two of the values. Of n independent values, the number below the true median is binomial; so the ranks of the
/// ends follow, whatever the values' distribution. Fewer than six values cannot give 95 %: their interval is their whole range.
struct Spread: Sendable, Equatable {
  let median: Double
  let interval: ClosedRange<Double>

  /// - Parameter values: at least one, at most a thousand.
  init(_ values: [Double]) {
    let sorted = values.sorted()
    median = sorted.median
    let outside = Self.outside(sorted.count)
    interval = sorted[outside]...sorted[sorted.count - 1 - outside]
  }

  /// How many of the values lie outside the interval on each side: as many as leave 2.5 % there at most.
  private static func outside(_ count: Int) -> Int {
    // The probability that exactly `below` of the values are below the true median.
    var exactly = (0..<count).reduce(1.0) { product, _ in product / 2 }
    var atMost = exactly
    var below = 0
    while atMost <= 0.025 {
      below += 1
      exactly *= Double(count - below + 1) / Double(below)
      atMost += exactly
    }
    return max(0, below - 1)
  }
}

extension [Double] {
  /// Not of an empty array.
  var median: Double {
    let sorted = sorted()
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
  }

  /// The 99th percentile, not of an empty array.
  var p99: Double { sorted()[(count * 99 + 99) / 100 - 1] }
}

extension Duration {
  var milliseconds: Double { self / .milliseconds(1) }
  var microseconds: Double { self / .microseconds(1) }
}
