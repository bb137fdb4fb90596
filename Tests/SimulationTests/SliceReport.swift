/// The schedules of one slice: what failed, and what they met.
struct SliceReport {
  struct Entry {
    var count = 0
    /// The first schedule that failed so.
    var seed: UInt64
    var failure: Failure
  }

  let slice: Slice
  private(set) var seeds = 0
  private(set) var coverage = Coverage()
  /// By kind, tag and family.
  private(set) var entries: [String: Entry] = [:]

  init(_ slice: Slice) { self.slice = slice }

  mutating func run(_ seed: UInt64) {
    let scenario = Scenario(seed: seed, slice: slice)
    let result = Simulation.run(scenario)
    seeds += 1
    coverage = coverage + result.coverage
    guard let failure = result.failure else { return }
    entries["\(failure.kind.rawValue) \(failure.tag.rawValue) \(scenario.family)", default: Entry(seed: seed, failure: failure)]
      .count += 1
  }

  var failures: Int { entries.values.map(\.count).reduce(0, +) }

  /// One line for the slice, and one for each kind of failure.
  var lines: [String] {
    ["slice \(slice.rawValue): \(seeds) schedules, \(failures) failures; \(coverage.words)"]
      + entries.sorted { $0.key < $1.key }.map { name, entry in
        "  \(name): \(entry.count), seed \(entry.seed): \(String(entry.failure.detail.prefix(160)))"
      }
  }
}
