internal import Dispatch
internal import OverlineProcess
internal import OverlineSystem
internal import OverlineTestSupport

/// Counts false claims that nothing answers, and true ones that do not come.
///
/// Each row of ``ClaimRow`` happens twenty times at once, in networks of their own, for a minute. All take 20 minutes, and no row starts
/// after 45. For development, `OVERLINE_ROWS=TEXT` runs only the rows whose names contain the text.
enum ClaimFigures {
  private enum Outcome: Sendable {
    case claims(Int)
    case failed(String)
  }

  static func measure(_ plan: Plan) throws -> [Figure] {
    guard RoutedNetwork.canRun else { throw TestKitError("nft is missing; install it: make test-deps") }
    ResourceLimits.setDescriptors(8192)
    let runs = plan.isQuick ? 2 : 20
    let end = BootClock.now + .seconds(45 * 60)
    let chosen = ProcessEnvironment["OVERLINE_ROWS"]
    return try ClaimRow.all.filter { row in chosen.map { row.name.contains($0) } ?? true }.map { row in
      let start = BootClock.now
      let outcomes = start < end ? try measure(row, runs, plan) : [.failed("45 minutes are over")]
      let figure = try figure(row, runs, outcomes)
      let seconds = (BootClock.now - start).components.seconds
      try writeAll(Array("  \(figure.what): \(Int(figure.ours[0])), after \(seconds) s\n".utf8), to: 2)
      return figure
    }
  }

  private static func measure(_ row: ClaimRow, _ runs: Int, _ plan: Plan) throws -> [Outcome] {
    let outcomes = Recorder<Outcome>()
    for _ in 0..<runs {
      try BackgroundThread.start(name: "bench-claims") {
        do {
          outcomes.record(.claims(try run(row, plan)))
        } catch {
          outcomes.record(.failed("\(error)"))
        }
      }
    }
    return try outcomes.wait("\(runs) runs of \(row.name)", within: .seconds(300)) { $0.count == runs }
  }

  private static func run(_ row: ClaimRow, _ plan: Plan) throws -> Int {
    let world = try ClaimWorld(plan)
    try row.prepare(world)
    try world.watch(with: row.watcher)
    let end = BootClock.now + row.duration
    try row.happens(world)
    while BootClock.now < end {
      if row.isOutage, try world.claims() > 0 { break }
      pause(for: .milliseconds(500))
    }
    return try world.claims()
  }

  /// Throws when no outage was claimed: then the other figures would mean nothing.
  private static func figure(_ row: ClaimRow, _ runs: Int, _ outcomes: [Outcome]) throws -> Figure {
    var claims: [Int] = []
    var failures: [String] = []
    for outcome in outcomes {
      switch outcome {
      case .claims(let count): claims.append(count)
      case .failed(let why): failures.append(why)
      }
    }
    let what = "\(row.name), \(runs) runs"
    let note = failures.first.map { "\(failures.count) runs failed: \($0)" } ?? row.note
    guard row.isOutage else {
      let count = claims.reduce(0, +) + failures.count
      return Figure(
        what: "\(what): false claims or failed runs", unit: "", ours: [Double(count)], goal: .atMost(0), note: note)
    }
    let claimed = claims.count { $0 > 0 }
    guard claimed > 0 else { throw TestKitError("\(what): never claimed. \(note)") }
    return Figure(
      what: "\(what): missed claims", unit: "", ours: [Double(runs - claimed)], goal: .atMost(0), note: note)
  }
}
