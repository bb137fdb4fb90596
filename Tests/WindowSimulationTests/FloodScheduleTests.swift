import OverlineTestThread
import Testing

/// A program that prints faster than its terminal accepts: no line is lost or doubled, whatever begins meanwhile.
@Suite(.ownThread) struct FloodScheduleTests {
  private static let floods = [[1 << 20], [700, 3000], [1500], [1, 6000]]

  private func flood(_ number: Int) -> String {
    (0..<500).map { "L\(number * 500 + $0) of a flood\r\n" }.joined()
  }

  private func run(_ accepts: [Int], _ items: [Scenario.Item], location: SourceLocation = #_sourceLocation) {
    for family in Scenario.families {
      let scenario = Scenario(
        family: family, linesBefore: 20, items: items, cuts: [1500, 1500, 1500, 90], lags: [0, 3], accepts: accepts)
      let result = Simulation.run(scenario)
      #expect(result.failure == nil, "\(family)", sourceLocation: location)
      #expect(result.coverage.banners > 0, "\(family)", sourceLocation: location)
    }
  }

  @Test(arguments: floods) func anOutageBeginsAndEnds(_ accepts: [Int]) {
    run(
      accepts,
      [
        .init(nil, .print(flood(0))), .init(7, .goOffline), .init(nil, .print(flood(1))), .init(12, .goOnline),
        .init(nil, .print(flood(2))), .init(nil, .type("q")), .init(nil, .end),
      ])
  }

  @Test(arguments: floods) func theTerminalChangesItsHeight(_ accepts: [Int]) {
    run(
      accepts,
      [
        .init(nil, .print(flood(0))), .init(7, .resize(rows: 14, columns: 40)), .init(nil, .print(flood(1))),
        .init(nil, .goOffline), .init(nil, .goOnline), .init(nil, .type("q")), .init(nil, .end),
      ])
  }

  @Test(arguments: floods) func theProgramEnds(_ accepts: [Int]) {
    run(
      accepts,
      [
        .init(nil, .goOffline), .init(nil, .goOnline), .init(nil, .print(flood(0))), .init(4, .type("q")),
        .init(4, .end),
      ])
  }
}
