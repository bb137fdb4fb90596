internal import OverlineSystem
internal import OverlineTestSupport

extension BenchWorld {
  /// Starts a program, last, and those that it needs.
  typealias Contestant = () throws -> [PipedProgram]

  /// Events that are not counted: they warm up every program's memory.
  private static let warmUp = 5

  /// Microseconds from the link's end to each program's first output. All programs see the same events. In each round they start anew, in
  /// another order: the kernel hands a message to the newest listener first.
  ///
  /// - Parameter restore: restores whatever the link's end removed beside its default route.
  func linkRounds(
    _ contestants: [Contestant], _ plan: Plan, restore: () throws -> Void = {}
  ) throws -> [LatencyRounds] {
    var rounds = contestants.map { _ in LatencyRounds() }
    for round in 0..<plan.rounds {
      var programs = contestants.map { _ in [PipedProgram]() }
      for place in contestants.indices {
        let number = (place + round) % contestants.count
        programs[number] = try contestants[number]()
        // It listens when it has printed its first line. `ip monitor` prints none.
        _ = try programs[number].last?.waitForOutput(within: .milliseconds(500))
      }
      let race = try Race(programs.compactMap(\.last))
      let times = try events(plan.isQuick ? 20 : 100, race, restore)
      for number in contestants.indices { rounds[number].add(times.map { $0[number] }) }
      withExtendedLifetime(programs) {}
    }
    return rounds
  }

  /// The times of each event.
  private func events(_ count: Int, _ race: borrowing Race, _ restore: () throws -> Void) throws -> [[Double]] {
    try race.settle(.milliseconds(500))
    var times: [[Double]] = []
    for event in 0..<Self.warmUp + count {
      let words = try race.firstWords(after: { try self.goDown() })
      try race.settle()
      try goUp()
      try restore()
      try race.settle()
      guard event >= Self.warmUp else { continue }
      if words.contains(nil) { throw TestKitError("a program printed nothing within a second of a link's end") }
      times.append(words.compactMap { $0?.microseconds })
    }
    return times
  }
}
