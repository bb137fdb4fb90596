internal import OverlineSystem
internal import OverlineTestSupport

/// The cost of an idle monitor that runs alone, and of one on a router whose table changes.
enum CostFigures {
  static func measure(_ plan: Plan) throws -> [Figure] {
    let memory = try memory(plan)
    let world = try BenchWorld(plan.overline)
    let monitor = try world.startOverline("monitor")
    let figures = ProcessFigures(pid: monitor.pid)
    try goThroughAnOutage(world, monitor)
    let idle = try idleFigure(monitor, figures, seconds: plan.isQuick ? 10 : 60)
    return try [idle] + churnFigures(world, monitor, figures, routes: plan.isQuick ? 20_000 : 200_000) + memory
  }

  /// Loads everything that an outage needs into memory once; then waits until the threads that Dispatch started for it end.
  private static func goThroughAnOutage(_ world: BenchWorld, _ monitor: PipedProgram) throws {
    _ = try world.goDown()
    while try monitor.waitForOutput(within: .seconds(1)) {}
    try world.goUp()
    // The monitor becomes idle ten seconds after the last change, and ends its threads five seconds later.
    while try monitor.waitForOutput(within: .seconds(18)) {}
  }

  /// Of a monitor that runs alone, in each round a new one.
  private static func memory(_ plan: Plan) throws -> [Figure] {
    let none = plan.programs.map { _ in [Double]() }
    var (pss, anonymous, threads) = (none, none, none)
    for _ in 0..<(plan.isQuick ? 1 : 6) {
      for (index, program) in plan.programs.enumerated() {
        let world = try BenchWorld(program)
        let monitor = try world.startOverline("monitor")
        try goThroughAnOutage(world, monitor)
        let figures = ProcessFigures(pid: monitor.pid)
        pss[index].append(Double(try figures.memory("Pss")) / 1024)
        anonymous[index].append(Double(try figures.memory("Anonymous")) / 1024)
        threads[index].append(Double(try figures.threads()))
      }
    }
    func row(_ what: String, _ unit: String, _ values: [[Double]], _ limit: Double) -> Figure {
      Figure(
        what: "idle monitor alone: \(what)", unit: unit, ours: values[0], peer: plan.peer(values), goal: .atMost(limit))
    }
    return [
      row("PSS", "MB", pss, 8),
      // Private_Dirty without the pages of a program file that was just built and is not on the disk yet.
      row("private memory (Anonymous)", "MB", anonymous, 2),
      row("threads", "threads", threads, 2),
    ]
  }

  private static func idleFigure(
    _ monitor: PipedProgram, _ figures: ProcessFigures, seconds: Int
  ) throws -> Figure {
    let before = try figures.wakeUps()
    guard try !monitor.waitForOutput(within: .seconds(seconds)) else { throw TestKitError("the monitor is not idle") }
    return Figure(
      what: "idle monitor: wake-ups in \(seconds) s", unit: "", ours: [Double(try figures.wakeUps() - before)],
      goal: .atMost(0))
  }

  private static func churnFigures(
    _ world: BenchWorld, _ monitor: PipedProgram, _ ours: ProcessFigures, routes: Int
  ) throws -> [Figure] {
    let prefixes = (0..<routes).map { "\(120 + $0 >> 16).\(($0 >> 8) & 255).\($0 & 255).0/24" }
    let ip = try world.start("sh", ["-c", "exec ip -o monitor route >/dev/null"])
    let processes = [ours, ProcessFigures(pid: ip.pid)]
    _ = try monitor.waitForOutput(within: .seconds(1))
    func read() throws -> [(wakeUps: Int, time: Double)] {
      try processes.map { (try $0.wakeUps(), try $0.processorTime().milliseconds) }
    }
    let before = try read()
    for verb in ["add", "del"] {
      try world.ip(prefixes.map { "route \(verb) \($0) via 192.0.2.1" }, timeout: .seconds(300))
    }
    _ = try monitor.waitForOutput(within: .seconds(1))
    let after = try read()
    let wakeUps = zip(before, after).map { [Double($1.wakeUps - $0.wakeUps)] }
    let times = zip(before, after).map { [$1.time - $0.time] }
    let what = "\(routes) foreign routes come and go"
    return [
      Figure(
        what: "\(what): wake-ups", unit: "", ours: wakeUps[0], peer: .init(name: "ip monitor", values: wakeUps[1]),
        goal: .atMost(0)),
      Figure(
        what: "\(what): processor time", unit: "ms", ours: times[0],
        peer: .init(name: "ip monitor", values: times[1])),
    ]
  }
}
