internal import OverlineTestSupport

/// The time from a link's end to a line of `overline watch`, which receives it from the monitor, beside `ip monitor | cat`.
enum LinkLatency {
  static func measure(_ plan: Plan) throws -> [Figure] {
    let world = try BenchWorld(
      plan.overline, configuration: "[banner]\ngrace-delay = \"0ms\"\nhide-delay = \"0ms\"\n")
    let peer = WatcherPeer.ipMonitorThroughCat
    let rounds = try world.linkRounds(
      [
        { [try world.startOverline("monitor"), try world.start(world.overline, ["watch"])] },
        { [try peer.start(in: world)] },
      ], plan)
    return rounds[0].figures(
      "link down → line of overline watch", unit: "µs", beside: peer.name, rounds[1], .timesPeer(1.15))
  }
}
