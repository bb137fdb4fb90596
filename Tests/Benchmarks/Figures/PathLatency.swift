internal import OverlineTestSupport

/// The time from a link's end to the path in a program with a watcher, beside other watchers of the same events.
enum PathLatency {
  static func measure(_ plan: Plan) throws -> [Figure] {
    let world = try BenchWorld(plan.overline)
    // The kernel does not announce the removal of the IPv4 default with its link. Watchers that wait for a deleted route
    // see the IPv6 one go.
    let dual = [
      "addr replace 2001:db8::2/64 dev \(BenchWorld.link) nodad",
      "route replace ::/0 via 2001:db8::1 dev \(BenchWorld.link)",
    ]
    try world.ip(dual, timeout: .seconds(5))
    let peers = [.ipMonitor, try WatcherPeer.glib(in: world.folder), .pyroute2]
    let rounds = try world.linkRounds(
      [{ [try world.startWatcher()] }] + peers.map { peer in { [try peer.start(in: world)] } }, plan
    ) { try world.ip(dual, timeout: .seconds(5)) }
    return zip(peers, rounds.dropFirst()).flatMap { peer, theirs in
      rounds[0].figures("link down → path", unit: "µs", beside: peer.name, theirs, .timesPeer(1.1))
    }
  }
}
