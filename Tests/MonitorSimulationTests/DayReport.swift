import OverlineTestSupport
import Dispatch
import Synchronization

/// Many days: what failed, and what they met.
struct DayReport {
  private(set) var coverage = DayCoverage()
  /// By kind: how many days, and the first of them.
  private var entries: [DayFailure.Kind: (count: Int, seed: UInt64, failure: DayFailure)] = [:]

  mutating func run(_ seed: UInt64) {
    let result = SimulatedDay.run(Day(seed: seed))
    coverage += result.coverage
    guard let failure = result.failure else { return }
    let old = entries[failure.kind]
    entries[failure.kind] = ((old?.count ?? 0) + 1, old?.seed ?? seed, old?.failure ?? failure)
  }

  /// Runs days on two threads. After each thousand it calls `tell` with the report so far.
  static func run(_ seeds: Range<UInt64>, tell: (DayReport) -> Void = { _ in }) -> DayReport {
    var report = DayReport()
    for first in stride(from: seeds.lowerBound, to: seeds.upperBound, by: 1000) {
      report.add(runTogether(first..<min(first + 1000, seeds.upperBound)))
      tell(report)
    }
    return report
  }

  private static func runTogether(_ seeds: Range<UInt64>) -> DayReport {
    let halves = Mutex<[DayReport]>([])
    DispatchQueue.concurrentPerform(iterations: 2) { half in
      var report = DayReport()
      for seed in seeds where seed % 2 == half { report.run(seed) }
      halves.withLock { [report] in $0.append(report) }
    }
    return halves.withLock { $0 }.reduce(into: DayReport()) { $0.add($1) }
  }

  private mutating func add(_ other: DayReport) {
    coverage += other.coverage
    entries.merge(other.entries) { one, two in
      let first = one.seed < two.seed ? one : two
      return (one.count + two.count, first.seed, first.failure)
    }
  }

  var failures: Int { entries.values.map(\.count).reduce(0, +) }

  var text: String {
    let kinds = entries.sorted { $0.key.rawValue < $1.key.rawValue }.map {
      "  \($0.key.rawValue): \($0.value.count), seed \($0.value.seed): \($0.value.failure)"
    }
    return (["\(failures) failures; \(coverage.words)"] + kinds).joined(separator: "\n")
  }
}
