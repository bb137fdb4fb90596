internal import OverlineSystem
internal import OverlineTestKit

/// The time from a link's end to a line of output, beside `ip monitor`, which only prints the kernel's messages.
enum LinkLatency {
  private static let peer = "ip monitor"

  static func measure(_ plan: OverlineBench.Plan) throws -> [Figure] {
    let world = try BenchWorld(plan, configuration: "[banner]\ngrace-delay = \"0ms\"\nhide-delay = \"0ms\"\n")
    let ip = isInstalled("ip")
    let rounds = plan.isQuick ? 40 : 100
    func samples(_ programs: [PipedProgram]) throws -> [Sample] { try world.linkSamples(programs, rounds: rounds) }
    func listen() throws -> [PipedProgram] { ip ? [try world.start("ip", ["-o", "monitor", "link"])] : [] }
    // The goal is for the same events. On two processors the programs that one message wakes also wait for each other, so each is also
    // reported alone: ours asks the kernel for the route before it prints, the peer prints the message that it received.
    let peerAlone = ip ? try samples(listen())[0] : Sample()
    // The monitor's own lines are no figure: it prints a repeated line only once.
    let monitor = try world.startOverline("monitor")
    defer { withExtendedLifetime(monitor) {} }
    let watch = try world.startOverline("watch")
    let alone = try samples([watch])[0]
    // The smallest program with the same hop: from a process that receives kernel messages to one that prints.
    let hop = ip ? try samples([try world.start("sh", ["-c", "ip -o monitor link | cat"])])[0] : Sample()
    let together = try samples([watch] + listen())
    let (line, theirs) = (together[0], ip ? together[1] : Sample())
    return [
      row("link down → line of overline watch, median", line.median, theirs.median, .timesPeer(1.2)),
      row("link down → line of overline watch, p99", line.p99, theirs.p99, .timesPeer(1.2)),
      row("link down → line of watch, each alone, median", alone.median, peerAlone.median),
      Figure(
        what: "link down → line of watch, each alone, median", unit: "µs", ours: alone.median,
        peer: .init(name: "\(peer) through cat", value: hop.median)),
    ]
  }

  private static func row(_ what: String, _ ours: Double?, _ theirs: Double?, _ goal: Figure.Goal = .none) -> Figure {
    Figure(what: what, unit: "µs", ours: ours, peer: .init(name: peer, value: theirs), goal: goal)
  }
}
