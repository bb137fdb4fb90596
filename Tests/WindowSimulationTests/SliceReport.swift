import OverlineTestSupport

/// The schedules of one slice: what failed, and what they met.
struct SliceReport {
  struct Entry {
    var count = 0
    /// The first schedule that failed so.
    var seed: UInt64
    var failure: Failure
  }

  let slice: Slice
  /// Whether a relay stands in the window's place, which writes what it reads. It fails where the model is wrong, or the schedule asks for
  /// the impossible.
  let isBare: Bool
  private(set) var count = 0
  private(set) var coverage = Coverage()
  /// By kind, tag and family.
  private(set) var entries: [String: Entry] = [:]

  init(_ slice: Slice, isBare: Bool = false) {
    self.slice = slice
    self.isBare = isBare
  }

  mutating func run(_ seed: UInt64) {
    let scenario = Scenario(seed: seed, slice: slice)
    let result = Simulation.run(scenario, isBare: isBare)
    count += 1
    coverage += result.coverage
    guard let failure = result.failure else { return }
    let name = "\(failure.kind.rawValue) \(failure.tag.rawValue) \(scenario.family)"
    entries[name, default: Entry(seed: seed, failure: failure)].count += 1
  }

  var failures: Int { entries.values.map(\.count).reduce(0, +) }

  /// When urxvt becomes lower, its last row stays the last one, blank or not. So the cursor's line may be in the scrollback, and the cursor
  /// in a blank row, with a window or without. The window prints the line there again. These failures are only recorded.
  var excludedFailures: [String] {
    entries.filter { slice.excludes.contains($0.value.failure.tag) }
      .filter { !$0.key.hasSuffix(" urxvt") || slice.floor.resizes == 0 }
      .map { "seed \($0.value.seed): \($0.value.failure)" }.sorted()
  }

  /// Whether the schedules met what they are for.
  var isIdle: Bool { !coverage.reaches(slice.floor, times: count) }

  /// One line for the slice, and one for each kind of failure.
  var text: String {
    let kinds = entries.sorted { $0.key < $1.key }.map { name, entry in
      "  \(name): \(entry.count), seed \(entry.seed): \(String(entry.failure.detail.prefix(160)))"
    }
    let head =
      "slice \(slice.rawValue)\(isBare ? " bare" : ""): \(count) schedules, \(failures) failures; \(coverage.words)"
    return ([head] + kinds).joined(separator: "\n")
  }
}
