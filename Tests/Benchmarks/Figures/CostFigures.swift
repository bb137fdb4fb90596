internal import OverlineSystem
internal import OverlineTestKit

/// The cost of an idle monitor that runs alone, and of one on a router whose table changes.
enum CostFigures {
  static func measure(_ plan: OverlineBench.Plan) throws -> [Figure] {
    let world = try BenchWorld(plan, configuration: "")
    let monitor = try world.startOverline("monitor")
    let figures = ProcessFigures(pid: monitor.pid)
    try goThroughAnOutage(world, monitor)
    let memory = try memoryFigures(figures)
    let idle = try idleFigure(monitor, figures, seconds: plan.isQuick ? 10 : 60)
    let churn = try churnFigures(world, monitor, figures, routes: plan.isQuick ? 20_000 : 200_000)
    return [idle] + churn + memory
  }

  /// Loads everything that an outage needs into memory once; then waits until the threads that Dispatch started for it end.
  private static func goThroughAnOutage(_ world: BenchWorld, _ monitor: PipedProgram) throws {
    _ = try world.goDown()
    while try monitor.waitForOutput(within: .seconds(1)) {}
    try world.goUp()
    // The monitor becomes idle ten seconds after the last change, and ends its threads five seconds later.
    while try monitor.waitForOutput(within: .seconds(18)) {}
  }

  private static func memoryFigures(_ figures: ProcessFigures) throws -> [Figure] {
    func megabytes(_ name: String) throws -> Double { try Double(figures.memory(name)) / 1024 }
    return [
      Figure(what: "idle monitor alone: PSS", unit: "MB", ours: try megabytes("Pss"), goal: .atMost(8)),
      // Private_Dirty without the pages of a program file that was just built and is not on the disk yet.
      Figure(
        what: "idle monitor alone: private memory (Anonymous)", unit: "MB", ours: try megabytes("Anonymous"),
        goal: .atMost(2)),
      Figure(
        what: "idle monitor alone: threads", unit: "threads", ours: Double(try figures.threads()), goal: .atMost(2)),
    ]
  }

  private static func idleFigure(
    _ monitor: PipedProgram, _ figures: ProcessFigures, seconds: Int
  ) throws -> Figure {
    let before = try figures.wakeUps()
    guard try !monitor.waitForOutput(within: .seconds(seconds)) else { throw TestKitError("the monitor is not idle") }
    return Figure(
      what: "idle monitor: wake-ups in \(seconds) s", unit: "", ours: Double(try figures.wakeUps() - before),
      goal: .atMost(0))
  }

  private static func churnFigures(
    _ world: BenchWorld, _ monitor: PipedProgram, _ ours: ProcessFigures, routes: Int
  ) throws -> [Figure] {
    let prefixes = (0..<routes).map { "\(120 + $0 >> 16).\(($0 >> 8) & 255).\($0 & 255).0/24" }
    let ip = isInstalled("ip") ? try world.start("sh", ["-c", "exec ip -o monitor route >/dev/null"]) : nil
    _ = try monitor.waitForOutput(within: .seconds(1))
    let peer = ip.map { ProcessFigures(pid: $0.pid) }
    func milliseconds(_ process: ProcessFigures) throws -> Double { try process.processorTime().milliseconds }
    func count(_ process: ProcessFigures) throws -> Double { Double(try process.wakeUps()) }
    let before = (try count(ours), try milliseconds(ours), try peer.map(count), try peer.map(milliseconds))
    for verb in ["add", "del"] {
      try world.ip(prefixes.map { "route \(verb) \($0) via 192.0.2.1" }, timeout: .seconds(300))
    }
    _ = try monitor.waitForOutput(within: .seconds(1))
    let after = (try count(ours), try milliseconds(ours), try peer.map(count), try peer.map(milliseconds))
    func difference(_ before: Double?, _ after: Double?) -> Double? {
      before.flatMap { before in after.map { $0 - before } }
    }
    let what = "\(routes) foreign routes come and go"
    return [
      Figure(
        what: "\(what): wake-ups", unit: "", ours: after.0 - before.0,
        peer: .init(name: "ip monitor", value: difference(before.2, after.2)), goal: .atMost(0)),
      Figure(
        what: "\(what): processor time", unit: "ms", ours: after.1 - before.1,
        peer: .init(name: "ip monitor", value: difference(before.3, after.3))),
    ]
  }
}
