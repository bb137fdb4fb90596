/// The median and the 99th percentile of each round of a latency.
struct LatencyRounds: Sendable {
  private(set) var medians: [Double] = []
  private(set) var slowest: [Double] = []

  mutating func add(_ round: [Double]) {
    medians.append(round.median)
    slowest.append(round.p99)
  }

  /// A row for the median and one for the 99th percentile.
  func figures(_ what: String, unit: String, beside name: String, _ peer: Self, _ goal: Figure.Goal) -> [Figure] {
    [("median", medians, peer.medians), ("p99", slowest, peer.slowest)].map { statistic, ours, theirs in
      Figure(
        what: "\(what), \(statistic)", unit: unit, ours: ours, peer: .init(name: name, values: theirs), goal: goal)
    }
  }
}
