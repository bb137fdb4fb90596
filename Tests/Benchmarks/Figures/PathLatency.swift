internal import OverlineSystem
internal import OverlineTestKit

/// The time from a link's end to the path in a program with a watcher, beside other watchers.
enum PathLatency {
  static func measure(_ plan: OverlineBench.Plan) throws -> [Figure] {
    let world = try BenchWorld(plan, configuration: "")
    // The kernel does not announce the removal of the IPv4 default with its link. Watchers that wait for a deleted route
    // see the IPv6 one go.
    try world.ip(dual, timeout: .seconds(5))
    let rounds = plan.isQuick ? 40 : 200
    func samples(_ programs: [PipedProgram]) throws -> [Sample] {
      try world.linkSamples(programs, rounds: rounds) { try world.ip(dual, timeout: .seconds(5)) }
    }
    let peers = [.ipMonitor, WatcherPeer.glib(in: world.folder), .pyroute2]
    let ours = try samples([try world.startWatcher()])[0]
    var figures: [Figure] = []
    for peer in peers {
      guard let program = try peer.start(in: world) else {
        figures += rows("each alone", ours, peer, Sample(), .none)
        continue
      }
      figures += rows("each alone", ours, peer, try samples([program])[0], .none)
    }
    // The goal is for the same events. On two processors the programs that one message wakes also wait for each other: each
    // is also reported alone.
    let all = try peers.map { try $0.start(in: world) }
    let together = try samples([try world.startWatcher()] + all.compactMap { $0 })
    var place = 0
    for (peer, program) in zip(peers, all) {
      if program != nil { place += 1 }
      figures += rows("all at once", together[0], peer, program == nil ? Sample() : together[place], .timesPeer(1.1))
    }
    return figures
  }

  private static let dual = [
    "addr replace 2001:db8::2/64 dev \(BenchWorld.link) nodad",
    "route replace ::/0 via 2001:db8::1 dev \(BenchWorld.link)",
  ]

  private static func rows(
    _ how: String, _ ours: Sample, _ peer: WatcherPeer, _ theirs: Sample, _ goal: Figure.Goal
  ) -> [Figure] {
    [("median", ours.median, theirs.median), ("p99", ours.p99, theirs.p99)].map { what, ours, theirs in
      Figure(
        what: "link down → path, \(how), \(what)", unit: "µs", ours: ours, peer: .init(name: peer.name, value: theirs),
        goal: goal)
    }
  }
}
