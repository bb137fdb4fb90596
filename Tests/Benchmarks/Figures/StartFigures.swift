internal import OverlineSystem
internal import OverlineTestSupport

/// The cost of a whole process, cold, beside the minimum for any process.
enum StartFigures {
  static func status(_ plan: Plan) throws -> [Figure] {
    let worlds = try plan.programs.map { try BenchWorld($0) }
    let monitors = try worlds.map { try $0.startOverline("monitor") }
    defer { withExtendedLifetime(monitors) {} }
    func rows(_ what: String, _ arguments: [String], _ goal: Double) throws -> [Figure] {
      let times = try times(plan, [(worlds[0], "/bin/true", [])] + worlds.map { ($0, $0.overline, arguments) })
      let ours = Array(times.dropFirst())
      let nothing = Figure.Peer(name: "/bin/true", values: times[0])
      return [Figure(what: what, unit: "ms", ours: ours[0], peer: nothing, goal: .overPeer(goal))]
        + plan.beside(what, unit: "ms", ours)
    }
    return try rows("overline status, a whole process", ["status"], 1)
      + rows("overline wait, online, with a monitor", ["wait"], 2) + rows("overline --version", ["--version"], 1.3)
  }

  /// A program that imports `Overline`, beside one that imports nothing, both statically linked with Swift's libraries.
  static func library(_ plan: Plan) throws -> [Figure] {
    let world = try BenchWorld(plan.overline)
    let programs = ["OverlineBenchLibrary", "OverlineBenchNothing"].map(world.sibling)
    let times = try times(plan, programs.map { (world, $0, []) })
    let sizes = try programs.map { [Double(try Files.read($0, limit: 100 << 20).count) / Double(1 << 20)] }
    func row(_ what: String, _ unit: String, _ values: [[Double]], _ goal: Figure.Goal) -> Figure {
      Figure(
        what: what, unit: unit, ours: values[0], peer: .init(name: "no library", values: values[1]), goal: goal)
    }
    return [
      row("a program with a window that watches the network", "ms", times, .overPeer(2)),
      row("a program with a window: the size of its file", "MB", sizes, .overPeer(3.3)),
    ]
  }

  private typealias Command = (world: BenchWorld, program: String, arguments: [String])

  /// The milliseconds of each command, in turns.
  private static func times(_ plan: Plan, _ commands: [Command]) throws -> [[Double]] {
    var times = commands.map { _ in [Double]() }
    for round in 0..<(plan.isQuick ? 110 : 310) {
      for (index, command) in commands.enumerated() {
        let milliseconds = try command.world.inside { try time(command) }
        if round >= 10 { times[index].append(milliseconds) }
      }
    }
    return times
  }

  private static func time(_ command: Command) throws -> Double {
    let start = BootClock.now
    let pid = try Subprocess.spawn(
      command.program, command.arguments, environment: command.world.environment, newSession: false, descriptors: [])
    let status = Subprocess.wait(for: pid)
    let end = BootClock.now
    guard status == 0 else { throw TestKitError("\(command.program) \(command.arguments): status \(status)") }
    return (end - start).milliseconds
  }
}
