/// Counts of what simulated runs have met. A simulation that no longer meets something proves less than it seems to.
package protocol CoverageCounts {
  /// Each count, and its name in a report.
  static var all: [(any WritableKeyPath<Self, Int> & Sendable, String)] { get }
}

extension CoverageCounts {
  package var words: String { Self.all.map { "\(self[keyPath: $0.0]) \($0.1)" }.joined(separator: ", ") }

  /// The names of what was never met.
  package var missing: [String] { Self.all.filter { self[keyPath: $0.0] == 0 }.map(\.1) }

  package func reaches(_ floor: Self, times count: Int) -> Bool {
    Self.all.allSatisfy { self[keyPath: $0.0] >= floor[keyPath: $0.0] * count }
  }

  package static func += (left: inout Self, right: Self) {
    for (path, _) in all { left[keyPath: path] += right[keyPath: path] }
  }
}
