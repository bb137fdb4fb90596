/// Measured values of one kind.
struct Sample: Sendable {
  private(set) var values: [Double] = []

  mutating func add(_ value: Double) { values.append(value) }

  var median: Double? { quantile(0.5) }
  /// The 99th percentile; of fewer than 100 values the greatest.
  var p99: Double? { quantile(0.99) }

  private func quantile(_ part: Double) -> Double? {
    let sorted = values.sorted()
    return sorted.isEmpty ? nil : sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
  }
}

extension Duration {
  var milliseconds: Double { self / .milliseconds(1) }
  var microseconds: Double { self / .microseconds(1) }
}
