internal import OverlineSystem
internal import OverlineTestSupport

/// What a typed key costs in a hidden window: time until its echo, and processor time.
enum KeyFigures {
  static func measure(_ plan: Plan) throws -> [Figure] {
    let world = try BenchWorld(plan.overline)
    let relay = try Relay.make(in: world.folder)
    // As a user types: not while the last key is still being handled.
    let fast = try rounds(plan, [.overline, .script, .relay(relay)], in: world, keys: 600, pause: .milliseconds(2))
    // At a typist's pace. Until 0.2 the window did its work of a pause after each of these keys.
    let slow = try rounds(plan, [.overline, .script], in: world, keys: 60, pause: .milliseconds(60))
    let what = "window, hidden: key to echo"
    return fast[0].echo.figures(what, unit: "µs", beside: "script", fast[1].echo, .timesPeer(1.07))
      + fast[0].echo.figures(what, unit: "µs", beside: Host.relay(relay).name, fast[2].echo, .none)
      + [(2, fast, 1.74), (60, slow, 2.83)].map { pause, rounds, goal in
        Figure(
          what: "window, hidden: processor time of a key, \(pause) ms after the last", unit: "µs", ours: rounds[0].time,
          peer: .init(name: "script", values: rounds[1].time), goal: .timesPeer(goal))
      }
  }

  private struct Rounds {
    var echo = LatencyRounds()
    /// Of one key, in microseconds, a value for each round.
    var time: [Double] = []
  }

  private static func rounds(
    _ plan: Plan, _ hosts: [Host], in world: BenchWorld, keys: Int, pause: Duration
  ) throws -> [Rounds] {
    var rounds = hosts.map { _ in Rounds() }
    for _ in 0..<plan.rounds {
      let terminals = try hosts.map {
        try world.start(
          $0, ["sh", "-c", "stty raw -echo; printf READY; exec cat"], rows: WindowFigures.rows,
          columns: WindowFigures.columns)
      }
      for terminal in terminals {
        try terminal.wait(for: "READY")
        try terminal.settle(.milliseconds(300))
      }
      let processes = terminals.map { ProcessFigures(pid: $0.pid) }
      let before = try processes.map { try $0.processorTime() }
      var times = hosts.map { _ in [Double]() }
      for key in 0..<keys {
        for (index, terminal) in terminals.enumerated() {
          times[index].append(try terminal.echo(UInt8(97 + key % 26)).microseconds)
          try terminal.settle(pause)
        }
      }
      // A terminal ends its host with itself.
      let after = try withExtendedLifetime(terminals) { try processes.map { try $0.processorTime() } }
      for index in hosts.indices {
        rounds[index].echo.add(times[index])
        rounds[index].time.append((after[index] - before[index]).microseconds / Double(keys))
      }
    }
    return rounds
  }
}
