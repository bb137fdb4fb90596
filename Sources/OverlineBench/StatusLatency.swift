internal import OverlineTestKit
internal import POSIX

/// A whole cold `overline status` beside the least that any process costs.
enum StatusLatency {
  static func measure(_ plan: OverlineBench.Plan) throws -> [Figure] {
    let world = try BenchWorld(plan, configuration: "")
    let monitor = try world.startOverline("monitor")
    defer { withExtendedLifetime(monitor) {} }
    var ours = Sample()
    var peer = Sample()
    for round in 0..<(plan.isQuick ? 110 : 310) {
      // In pairs, so that what else the machine does meets both.
      let (status, nothing) = try world.inside {
        (
          try time(plan.overline, ["status"], environment: world.environment),
          try time("/bin/true", [], environment: world.environment)
        )
      }
      if round >= 10 {
        ours.add(status)
        peer.add(nothing)
      }
    }
    return [
      Figure(
        what: "overline status, a whole process, median", unit: "ms", ours: ours.median,
        peer: .init(name: "/bin/true", value: peer.median), goal: .overPeer(3))
    ]
  }

  private static func time(_ program: String, _ arguments: [String], environment: [String]) throws -> Double {
    let start = BootClock.now
    let pid = try Subprocess.spawn(program, arguments, environment: environment, newSession: false, descriptors: [])
    let status = Subprocess.wait(for: pid)
    let end = BootClock.now
    guard status == 0 else { throw TestKitError("\(program) \(arguments): status \(status)") }
    return (end - start).milliseconds
  }
}
