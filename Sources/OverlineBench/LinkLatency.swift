internal import OverlineTestKit
internal import POSIX

/// From a link's end to a line that says so, beside `ip monitor`, which does nothing but print what the kernel sends.
enum LinkLatency {
  private static let warmUp = 5

  static func measure(_ plan: OverlineBench.Plan) throws -> [Figure] {
    let world = try BenchWorld(plan, configuration: "[banner]\ngrace-delay = \"0ms\"\nhide-delay = \"0ms\"\n")
    let monitor = try world.startOverline("monitor")
    let watch = try world.startOverline("watch")
    let ip = isInstalled("ip") ? try world.start("ip", ["-o", "monitor", "link"]) : nil
    let race = try Race([watch, monitor] + (ip.map { [$0] } ?? []))
    try race.settle(.seconds(1))

    var samples = [Sample](repeating: Sample(), count: 3)
    for round in 0..<warmUp + (plan.isQuick ? 40 : 200) {
      let start = try world.goDown()
      let times = try race.firstWords()
      try race.settle()
      try world.goUp()
      try race.settle()
      guard round >= warmUp else { continue }
      for (runner, time) in times.enumerated() {
        guard let time else { throw TestKitError("no line within a second of a link's end") }
        samples[runner].add((time - start).microseconds)
      }
    }
    let (line, own, peer) = (samples[0], samples[1], samples[2])
    func row(_ what: String, _ ours: Double?, _ theirs: Double?, _ goal: Figure.Goal = .none) -> Figure {
      Figure(what: what, unit: "µs", ours: ours, peer: .init(name: "ip monitor", value: theirs), goal: goal)
    }
    return [
      row("link down → line of overline watch, median", line.median, peer.median, .timesPeer(1.2)),
      row("link down → line of overline watch, p99", line.p99, peer.p99),
      row("link down → line of overline monitor, median", own.median, peer.median),
      row("link down → line of overline monitor, p99", own.p99, peer.p99),
    ]
  }
}
