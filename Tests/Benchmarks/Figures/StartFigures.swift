internal import OverlineSystem
internal import OverlineTestKit

/// The cost of a whole process, cold, beside the minimum for any process.
enum StartFigures {
  static func status(_ plan: OverlineBench.Plan) throws -> [Figure] {
    let world = try BenchWorld(plan, configuration: "")
    let monitor = try world.startOverline("monitor")
    defer { withExtendedLifetime(monitor) {} }
    let (ours, peer) = try medians(plan, world, (plan.overline, ["status"]), ("/bin/true", []))
    return [
      Figure(
        what: "overline status, a whole process, median", unit: "ms", ours: ours,
        peer: .init(name: "/bin/true", value: peer), goal: .overPeer(3))
    ]
  }

  /// A program that imports `Overline`, beside one that imports nothing, both statically linked with Swift's libraries.
  static func library(_ plan: OverlineBench.Plan) throws -> [Figure] {
    let world = try BenchWorld(plan, configuration: "")
    let programs = ["OverlineBenchLibrary", "OverlineBenchNothing"].map(world.sibling)
    let (ours, peer) = try medians(plan, world, (programs[0], []), (programs[1], []))
    let sizes = try programs.map { Double(try Files.read($0, limit: 100 << 20).count) / Double(1 << 20) }
    func row(_ what: String, _ unit: String, _ ours: Double?, _ peer: Double?, _ goal: Figure.Goal) -> Figure {
      Figure(what: what, unit: unit, ours: ours, peer: .init(name: "no library", value: peer), goal: goal)
    }
    return [
      row("a program with a window that watches the network, median", "ms", ours, peer, .overPeer(2)),
      row("a program with a window: the size of its file", "MB", sizes[0], sizes[1], .overPeer(3)),
    ]
  }

  private typealias Command = (program: String, arguments: [String])

  private static func medians(
    _ plan: OverlineBench.Plan, _ world: BenchWorld, _ ours: Command, _ peer: Command
  ) throws -> (ours: Double?, peer: Double?) {
    var samples = (ours: Sample(), peer: Sample())
    for round in 0..<(plan.isQuick ? 110 : 310) {
      // In pairs, so that other load affects both.
      let times = try world.inside { (try time(ours, world.environment), try time(peer, world.environment)) }
      if round >= 10 {
        samples.ours.add(times.0)
        samples.peer.add(times.1)
      }
    }
    return (samples.ours.median, samples.peer.median)
  }

  private static func time(_ command: Command, _ environment: [String]) throws -> Double {
    let start = BootClock.now
    let pid = try Subprocess.spawn(
      command.program, command.arguments, environment: environment, newSession: false, descriptors: [])
    let status = Subprocess.wait(for: pid)
    let end = BootClock.now
    guard status == 0 else { throw TestKitError("\(command.program) \(command.arguments): status \(status)") }
    return (end - start).milliseconds
  }
}
