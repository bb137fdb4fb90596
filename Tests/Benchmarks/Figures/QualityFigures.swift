internal import NetworkPath
internal import OverlineProcess
internal import OverlineSystem
internal import OverlineTestSupport

/// Counts the runs in which the meter reports a wrong quality, and measures the time until it reports a change for the worse.
///
/// Each ``QualityRow`` happens twenty times, many of them at once. For development, `OVERLINE_ROWS=TEXT` runs only the rows whose names contain the text,
/// and `OVERLINE_LOOKS=FOLDER` writes the first run's looks into a file for each row: a recording for `QualityMeterTests`.
enum QualityFigures {
  private enum Outcome: Sendable {
    /// The time from the change to the expected quality; nil if it was never told.
    case told(Duration?)
    /// A quality that the row does not allow.
    case wrong(String)
    case failed(String)
  }

  /// The good time before the change of a row.
  private static let warmUp = Duration.seconds(12)

  static func measure(_ plan: Plan) throws -> [Figure] {
    guard RoutedNetwork.canRun, TunDevice.canBeMade else {
      throw TestKitError("nft or /dev/net/tun is missing; install nft: make test-deps")
    }
    ResourceLimits.setDescriptors(8192)
    let runs = plan.isQuick ? 3 : 20
    let chosen = ProcessEnvironment["OVERLINE_ROWS"]
    let rows = QualityRow.all.filter { row in chosen.map { row.name.contains($0) } ?? true }
    let outcomes = Recorder<(row: Int, outcome: Outcome)>()
    // Rows of one kind do not run together: bulk transfers would share the processors.
    let all = (0..<runs).flatMap { run in rows.indices.map { (row: $0, run: run) } }
    for number in 0..<min(atOnce, all.count) {
      try BackgroundThread.start(name: "bench-quality") {
        for (row, run) in all.enumerated().filter({ $0.offset % atOnce == number }).map(\.element) {
          do {
            outcomes.record((row, try measure(rows[row], run: run)))
          } catch {
            outcomes.record((row, .failed("\(error)")))
          }
        }
      }
    }
    let found = try outcomes.wait("\(all.count) runs", within: .seconds(1800)) { $0.count == all.count }
    return rows.indices.flatMap { index in
      let figures = figures(rows[index], runs, found.filter { $0.row == index }.map(\.outcome))
      for figure in figures {
        try? writeAll(Array("  \(figure.what): \(Spread(figure.ours).median) \(figure.note)\n".utf8), to: 2)
      }
      return figures
    }
  }

  /// The networks at the same time. Each is idle but for a few packets a second.
  private static let atOnce = 60

  private static func measure(_ row: QualityRow, run: Int) throws -> Outcome {
    let scene = try QualityScene(row, run: run)
    let host = scene.slow.network.host
    let watch = try host.inside { try NWPath.QualityWatch(options: PathOptions()) }
    var meter = QualityMeter()
    var looks: [(time: Duration, look: QualityLook)] = []
    let change = BootClock.now + warmUp
    var next = BootClock.now
    var told: Duration?
    var wrong: String?
    while BootClock.now < change + row.duration {
      let now = BootClock.now
      try row.during(scene, now - change)
      if now >= next {
        next = now + QualityMachine.interval
        guard let look = try host.inside({ try watch.look() }).look else { throw TestKitError("the host is offline") }
        meter.take(look, at: now)
        looks.append((now - change + warmUp, look))
        switch row.expects {
        case .good:
          if ![.good, .unknown].contains(meter.agreed.level) { wrong = wrong ?? "\(meter.agreed.report?.words ?? "")" }
        case .worse(let level, _):
          if meter.agreed.level != .unknown, !level.isWorse(than: meter.agreed.level) { told = told ?? now - change }
        }
      }
      pause(for: .milliseconds(100))
    }
    if run == 0, let folder = ProcessEnvironment["OVERLINE_LOOKS"] {
      let name = String(row.name.map { $0.isLetter || $0.isNumber ? $0 : "-" })
      try Files.replace("\(folder)/\(name).looks", with: Array(QualityLog.text(looks).utf8))
    }
    return wrong.map { .wrong($0) } ?? .told(told)
  }

  private static func figures(_ row: QualityRow, _ runs: Int, _ outcomes: [Outcome]) -> [Figure] {
    var times: [Double] = []
    var faults: [String] = []
    for outcome in outcomes {
      switch outcome {
      case .told(let time?): times.append(time / .seconds(1))
      case .told(nil): if case .worse = row.expects { faults.append("never told") }
      case .wrong(let words): faults.append(words)
      case .failed(let why): faults.append("failed: \(why)")
      }
    }
    let what = "\(row.name), \(runs) runs"
    let count = Figure(
      what: "\(what): told wrongly, or not at all", unit: "", ours: [Double(faults.count)], goal: .atMost(0),
      note: faults.first ?? "")
    guard case .worse(_, let limit) = row.expects, !times.isEmpty else { return [count] }
    return [
      count,
      Figure(what: "\(what): until it is told", unit: "s", ours: times, goal: .atMost(limit / .seconds(1))),
    ]
  }
}
