import Glibc
import OverlineTestSupport
import OverlineTestThread
import OverlineSimulatedTerminal
import Testing

/// A window in simulated worlds. `make simulate` runs more of them, and chooses by variables: `SLICE`, `SEEDS`, `SEED`, `BARE`.
@Suite(.ownThread) struct WindowSimulationTests {
  private static func variable(_ name: String) -> String? {
    getenv("OVERLINE_SIMULATE_\(name)").flatMap { $0.pointee == 0 ? nil : String(cString: $0) }
  }

  private static let slices = variable("SLICE").map {
    $0.split(separator: ",").compactMap { Slice(rawValue: String($0)) }
  }
  private static let seeds = variable("SEEDS").flatMap(UInt64.init)
  private static let isMany = seeds != nil

  /// The same schedules each time. Among them are a few for each kind of failure that is not mended yet.
  @Test(.enabled(if: !isMany), arguments: Slice.allCases.filter { $0 != .z })
  func failsNoMoreOftenThanRecorded(_ slice: Slice) throws {
    var report = SliceReport(slice)
    for seed in 0..<UInt64(150) { report.run(seed) }
    if getenv("OVERLINE_RECORD") != nil { try RecordedFailures.record(report) }
    #expect(
      try RecordedFailures.lines(of: slice) == RecordedFailures.lines(of: report),
      "\(report.text)\nmake record, if there are fewer")
    #expect(report.excludedFailures == [])
    #expect(!report.isIdle, "\(report.coverage.words)")
  }

  /// The terminal's model agrees with itself: a relay in the window's place loses nothing while the size stays.
  @Test(.enabled(if: !isMany), arguments: [Slice.a, .b, .c, .cw, .m, .o, .w])
  func aRelayLosesNothing(_ slice: Slice) {
    var report = SliceReport(slice, isBare: true)
    for seed in 0..<UInt64(100) { report.run(seed) }
    #expect(report.failures == 0, "\(report.text)")
  }

  /// `make simulate`: other schedules at each commit.
  @Test(.enabled(if: isMany && variable("SEED") == nil), arguments: slices ?? Slice.allCases)
  func manySchedules(_ slice: Slice) {
    let first = Self.variable("COMMIT").flatMap { UInt64($0.prefix(8), radix: 16) } ?? 0
    var report = SliceReport(slice, isBare: Self.variable("BARE") != nil)
    for seed in 0..<(Self.seeds ?? 0) { report.run(first << 32 | seed) }
    print(report.text)
    #expect(report.excludedFailures == [])
    #expect(!report.isIdle)
  }

  /// One schedule, shrunk, with all that happens in it.
  @Test(.enabled(if: variable("SEED") != nil)) func oneSchedule() throws {
    let seed = try #require(Self.variable("SEED").flatMap(UInt64.init))
    let slice = try #require(Self.slices?.first)
    let scenario = Scenario(seed: seed, slice: slice)
    guard let failure = Simulation.run(scenario).failure else { return print("no failure") }
    let shrunk = Shrinker.shrink(scenario, failure)
    print(shrunk)
    let simulation = Simulation(shrunk, logs: true)
    let end = simulation.run()
    print((simulation.world.log + ["\(end ?? failure)"]).joined(separator: "\n"))
    for (name, terminal) in [("with a window", simulation.world.terminal), ("without", simulation.world.bare)] {
      print("\(name): cursor \(terminal.cursor), \(terminal.scrollbackCount) rows of scrollback")
      for row in terminal.wholeRows.suffix(40) { print("  |\(row.text)\(row.isWrapped ? " ↩" : "")") }
    }
  }
}
