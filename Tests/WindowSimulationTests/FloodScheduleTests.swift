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

  /// A program prints a line each 8 ms while the terminal's height changes four times. The terminal takes each height between two reads of what
  /// the window has written, with its cursor anywhere.
  @Test(arguments: Scenario.families, [(14, 24), (24, 14)])
  func theHeightChangesBetweenReads(family: String, heights: (first: Int, second: Int)) {
    for phase in 0..<20 {
      var scenario = Scenario(family: family, rows: heights.second, columns: 80, linesBefore: 5, reads: [4096])
      var sizes = [700 + phase * 3, 1400 + phase * 7, 2100 + phase * 11, 2800 + phase * 5]
      scenario.items = [.init(nil, .goOffline)]
      for line in 1...380 {
        var rest = 8
        if let time = sizes.first, time < line * 8 {
          sizes.removeFirst()
          let rows = sizes.count % 2 == 0 ? heights.second : heights.first
          scenario.items.append(.init(time - (line - 1) * 8, .resize(rows: rows, columns: 80)))
          rest = line * 8 - time
        }
        scenario.items.append(.init(rest, .print("L\(line) \(String(repeating: "x", count: line % 40))\r\n")))
      }
      scenario.items.append(.init(nil, .goOnline))
      #expect(Simulation.run(scenario).failure == nil, "phase \(phase)")
    }
  }

  /// The terminal is busy: it answers after more than the first wait, while an edge of its window is dragged there and back. It does answer, so
  /// the window waits for it, and prints nothing at a place that it does not know.
  @Test(arguments: Scenario.families) func theHeightIsDraggedWhileAnswersAreLate(family: String) {
    for phase in 0..<20 {
      var scenario = Scenario(family: family, rows: 24, columns: 80, linesBefore: 5, lags: [0, 120], answers: [250])
      var heights = [22, 20, 18, 17, 18, 20, 22, 24]
      var next = 500 + phase * 13
      scenario.items = [.init(nil, .goOffline)]
      for line in 1...150 {
        var rest = 10
        if !heights.isEmpty, next < line * 10 {
          scenario.items.append(.init(next - (line - 1) * 10, .resize(rows: heights.removeFirst(), columns: 80)))
          rest = line * 10 - next
          next += 40
        }
        scenario.items.append(.init(rest, .print("L\(line) \(String(repeating: "x", count: line % 40))\r\n")))
      }
      scenario.items.append(.init(nil, .goOnline))
      #expect(Simulation.run(scenario).failure == nil, "phase \(phase)")
    }
  }

  /// The size is another one when the banner leaves, when it changes its text, and when the window has waited for the first of two sizes.
  @Test(
    "foot moves its rows before it signals a new size",
    arguments: [
      Scenario(
        family: "foot", rows: 9, columns: 46, linesBefore: 1,
        items: [.init(nil, .goOffline), .init(nil, .goOnline), .init(116, .resize(rows: 18, columns: 46))]),
      Scenario(
        family: "foot", rows: 11, columns: 45,
        items: [
          .init(nil, .print("L1\r\nL2\r\nL3\r\nL4\r\nL5\r\nL6\r\nL7 \(String(repeating: "w", count: 87))\r\nL8\r\nL9")),
          .init(nil, .goOffline), .init(nil, .goOnline),
          .init(0, .resize(rows: 13, columns: 45)), .init(0, .goOffline), .init(nil, .goOnline),
        ]),
      Scenario(
        family: "foot", rows: 24, columns: 80,
        items: [
          .init(nil, .print((1...40).map { "L\($0)\r\n" }.joined())),
          .init(nil, .goOffline), .init(nil, .resize(rows: 20, columns: 80)),
          .init(350, .resize(rows: 14, columns: 80)),
          .init(nil, .goOnline),
        ], signals: [0, 200]),
    ]) func footSignalsLate(_ scenario: Scenario)
  {
    #expect(Simulation.run(scenario).failure == nil)
  }
}
