internal import Dispatch
internal import OverlineProcess
internal import OverlineSystem
internal import OverlineTestSupport

/// Runs the daemons that configure networks, and counts false claims and missing ones.
///
/// Each daemon of ``Daemon/all`` has a machine of its own, all at once, and does each of its actions twenty times. This takes an hour. For
/// development, `OVERLINE_DAEMONS=NAME,NAME` runs only these, and `OVERLINE_ROUNDS=NUMBER` does each action as often.
enum DaemonFigures {
  /// What a daemon's actions led to, by the action's name.
  struct Tally: Sendable {
    var rounds = 0
    var trueClaims = 0
    var unclearClaims = 0
    var falseClaims: [String] = []
    var missedClaims: [String] = []
    var failures: [String] = []
  }

  typealias Tallies = [(action: String, tally: Tally)]

  static func measure(_ plan: Plan) throws -> [Figure] {
    guard RoutedNetwork.canRun else { throw TestKitError("nft is missing; install it: make test-deps") }
    ResourceLimits.setDescriptors(8192)
    let rounds = ProcessEnvironment["OVERLINE_ROUNDS"].flatMap { Int($0) } ?? (plan.isQuick ? 2 : 20)
    let chosen = ProcessEnvironment["OVERLINE_DAEMONS"]?.split(separator: ",").map(String.init)
    let daemons = Daemon.all.filter { chosen?.contains($0.name) ?? true }
    let results = Recorder<(name: String, tallies: Tallies)>()
    for daemon in daemons {
      try BackgroundThread.start(name: "bench-daemons") {
        let tallies = run(daemon, rounds, plan.overline)
        try? writeAll(Array(report(daemon.name, tallies).utf8), to: 2)
        results.record((daemon.name, tallies))
      }
    }
    let all = try results.wait("the daemons", within: .seconds(7200)) { $0.count == daemons.count }
    return daemons.flatMap { daemon in
      figures(daemon.name, rounds, all.first { $0.name == daemon.name }?.tallies ?? [])
    }
  }

  /// Does all of a daemon's actions, in turn.
  static func run(_ daemon: Daemon, _ rounds: Int, _ overline: String) -> Tallies {
    var tallies: Tallies = ["join first"].map { ($0, Tally()) } + daemon.actions.map { ($0.name, Tally()) }
    do {
      if let missing = daemon.missingProgram {
        throw TestKitError("COULD NOT RUN: \(missing) is missing; unpack it: make daemon-deps")
      }
      let world = try DaemonWorld(daemon, overline)
      func perform(_ action: Daemon.Action, _ index: Int) throws {
        tallies[index].tally.rounds += 1
        do {
          let judgement = try world.judge {
            try action.happens(world)
            if action.endsOnline { try world.waitForTCP() }
          }
          tallies[index].tally.trueClaims += judgement.trueClaims
          tallies[index].tally.unclearClaims += judgement.unclearClaims
          tallies[index].tally.falseClaims += judgement.falseClaims
          tallies[index].tally.missedClaims += judgement.missedClaims
        } catch {
          tallies[index].tally.failures.append("\(error)")
          throw error
        }
      }
      try perform(.init(name: "join first", happens: daemon.begin), 0)
      for _ in 0..<rounds {
        for (index, action) in daemon.actions.enumerated() {
          if index == 0 { try world.talk() }
          try perform(action, index + 1)
        }
      }
    } catch {
      if tallies.allSatisfy(\.tally.failures.isEmpty) { tallies[0].tally.failures.append("\(error)") }
    }
    return tallies
  }

  private static func figures(_ name: String, _ rounds: Int, _ tallies: Tallies) -> [Figure] {
    let failures = tallies.flatMap(\.tally.failures)
    let actions = tallies.dropFirst().map(\.action).joined(separator: ", ")
    let note = failures.first.map { "failed: \($0)" } ?? ""
    func figure(_ what: String, _ count: Int) -> Figure {
      Figure(what: what, unit: "", ours: [Double(count)], goal: .atMost(0), note: note)
    }
    return [
      figure(
        "\(name), \(rounds) times each \(actions): false claims or failures",
        tallies.reduce(failures.count) { $0 + $1.tally.falseClaims.count }),
      figure("\(name): missed claims", tallies.reduce(0) { $0 + $1.tally.missedClaims.count }),
    ]
  }

  /// A line for each action, and one for each kind of false or missed claim.
  private static func report(_ name: String, _ tallies: Tallies) -> String {
    var text = ""
    for (action, tally) in tallies {
      text +=
        "  \(name), \(action): \(tally.rounds) times, \(tally.trueClaims) true, \(tally.unclearClaims) unclear, \(tally.falseClaims.count) false, "
        + "\(tally.missedClaims.count) missed, \(tally.failures.count) failed\n"
      let kinds = Dictionary(
        grouping: tally.falseClaims.map { "false: \($0)" } + tally.missedClaims.map { "missed: \($0)" }
          + tally.failures.map { "failed: \($0)" }, by: { $0 })
      for (kind, all) in kinds.sorted(by: { $0.key < $1.key }) { text += "    \(all.count) × \(kind)\n" }
    }
    return text
  }
}
