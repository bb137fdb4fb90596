import Glibc
import OverlineTestSupport
import OverlineTestThread
import Testing

/// A monitor in simulated days. `make simulate WORLD=monitor` runs more of them, and chooses by variables: `SEEDS`, `SEED`.
@Suite(.ownThread, .serialized) struct MonitorSimulationTests {
  private static func variable(_ name: String) -> String? {
    getenv("OVERLINE_SIMULATE_\(name)").flatMap { $0.pointee == 0 ? nil : String(cString: $0) }
  }

  private static let seeds = variable("SEEDS").flatMap(UInt64.init)

  @Test(.enabled(if: seeds == nil)) func aFewHundredDays() {
    let report = DayReport.run(0..<300)
    #expect(report.failures == 0, "\(report.text)")
    #expect(report.coverage.missing == [])
  }

  /// `make simulate`: other days at each commit.
  @Test(.enabled(if: seeds != nil && variable("SEED") == nil)) func manyDays() {
    let first = Self.variable("COMMIT").flatMap { UInt64($0.prefix(8), radix: 16) } ?? 0
    let report = DayReport.run(first << 32..<first << 32 + (Self.seeds ?? 0)) {
      print("\($0.coverage.days) days, \($0.failures) failures")
      fflush(nil)
    }
    print(report.text)
    #expect(report.failures == 0)
    #expect(report.coverage.missing == [])
  }

  /// One day, shrunk, with all that happens in it.
  @Test(.enabled(if: variable("SEED") != nil)) func oneDay() throws {
    let day = Day(seed: try #require(Self.variable("SEED").flatMap(UInt64.init)))
    guard let failure = SimulatedDay.run(day).failure else { return print("no failure") }
    let shrunk = DayShrinker.shrink(day, failure)
    print(shrunk)
    let world = SimulatedDay(shrunk, logs: true)
    world.run()
    print((world.log + ["\(world.failure ?? failure)"]).joined(separator: "\n"))
  }
}
