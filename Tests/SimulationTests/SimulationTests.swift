import Glibc
import OverlineTestKit
import OverlineTestThread
import SimulatedTerminal
import Testing

/// A window in simulated worlds. `make simulate` runs more of them, and takes what to run from its variables.
@Suite(.ownThread) struct SimulationTests {
  private static let slices = variable("SLICE").map { $0.split(separator: ",").compactMap { Slice(rawValue: String($0)) } }

  private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  @Test(.enabled(if: variable("SEED") == nil), arguments: slices ?? Slice.allCases)
  func noMoreFailuresThanRecorded(_ slice: Slice) {
    var report = SliceReport(slice)
    for seed in 0..<UInt64(Self.variable("SEEDS").flatMap(Int.init) ?? 300) { report.run(seed) }
    print(report.lines.joined(separator: "\n"))
  }

  /// With `SEED` and `SLICE`: one schedule, with all that happens in it, and shrunk.
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
