import NetworkPath
import OverlineTestSupport
import OverlineTestThread
import Testing

/// After an outage, a real kernel asks a real router, which may boot or have another address.
@Suite(.ownThread) struct RouterReturnTests {
  /// A host and a router at the two ends of a cable. The host's kernel gives up a question after 0.6 s.
  final class World {
    let router: NetworkNamespace
    let host: WatchedNamespace

    init(
      host lines: [String], options: PathOptions = PathOptions(), before: (NetworkNamespace) throws -> Void = { _ in }
    )
      throws
    {
      let router = try NetworkNamespace()
      self.router = router
      host = try WatchedNamespace(options: options) { namespace in
        for end in [namespace, router] { try end.sysctl("net/ipv6/conf/default/accept_dad", "0") }
        try namespace.ip("link add eth0 type veth peer name eth0p")
        try namespace.move("eth0p", to: router)
        for family in ["ipv4", "ipv6"] { try namespace.sysctl("net/\(family)/neigh/eth0/retrans_time_ms", "200") }
        try router.ip("link set eth0p up")
        try namespace.ip("link set eth0 up")
        try before(namespace)
        for line in lines { try namespace.ip(line) }
      }
      try answer()
    }

    func answer(_ addresses: [String] = ["192.0.2.1/24", "fe80::1/64"]) throws {
      for address in addresses { try router.ip("addr replace \(address) dev eth0p nodad") }
    }

    func loseCarrier() throws {
      try host.after({ try router.ip("link set eth0p down") }, "the outage", steps: 2) { $0.status == .unsatisfied }
    }

    /// The carrier is back; the router has only these addresses.
    ///
    /// - Returns: the paths from then on, up to the one that fits.
    func bootRouter(_ addresses: [String] = [], until what: String, _ fits: (NWPath) -> Bool) throws -> [NWPath] {
      try router.ip("addr flush dev eth0p")
      try answer(addresses)
      let before = host.paths.values.count
      try router.ip("link set eth0p up")
      let path = try host.paths.first(what, from: before, where: fits)
      let paths = host.paths.values[before...]
      return Array(paths[...paths.firstIndex(of: path)!])
    }
  }

  private static let uplink = ["addr add 192.0.2.10/24 dev eth0", "route add default via 192.0.2.1"]
  private static let uplink6 = [
    "addr add 2001:db8:1::10/64 dev eth0 nodad", "-6 route add default via fe80::1 dev eth0",
  ]

  @Test(arguments: [(uplink, "192.0.2.1"), (uplink6, "fe80::1"), (uplink + uplink6, "192.0.2.1")])
  func theOutageLastsUntilTheRouterAnswers(lines: [String], router: String) throws {
    let world = try World(host: lines)
    try world.loseCarrier()
    let paths = try world.bootRouter(until: "the silent router") { $0.reason == .routerSilent }
    #expect(!paths.contains { $0.status == .satisfied })
    let path = try #require(paths.last)
    #expect(path.cause == "\(router) has not answered since eth0 came up")
    #expect(path.explanation == "offline: \(path.cause)")
    #expect(path.silence == nil)
    // The next question follows within five seconds.
    try world.host.after({ try world.answer() }, "its end", steps: 2) { $0.status == .satisfied }
  }

  @Test func anAnswerEndsTheOutage() throws {
    let world = try World(host: Self.uplink + Self.uplink6)
    for _ in 1...3 {
      try world.loseCarrier()
      let paths = try world.bootRouter(["192.0.2.1/24"], until: "the end") { $0.status == .satisfied }
      #expect(paths.allSatisfy { $0.reason != .routerSilent })
    }
  }

  /// The host sends nothing: the router's own question is enough. No acknowledgement follows, so the entry becomes STALE and not REACHABLE.
  @Test func theRoutersOwnPacketEndsTheOutage() throws {
    let world = try World(host: Self.uplink)
    try world.loseCarrier()
    _ = try world.bootRouter(until: "the silent router") { $0.reason == .routerSilent }
    try world.host.after(
      {
        // The host's own questions stay without an answer.
        try world.router.sysctl("net/ipv4/conf/eth0p/arp_ignore", "8")
        try world.answer(["192.0.2.1/24"])
        let traffic = try DatagramTraffic(to: "192.0.2.10", in: world.router)
        #expect(
          try eventually { try world.host.namespace.output("ip neigh show 192.0.2.1").contains("lladdr") },
          "the router's question")
        traffic.end()
      }, "its end", steps: 2
    ) { $0.status == .satisfied }
  }

  /// A new lease names another router, and it does not answer: nothing says since when.
  @Test func aNewRouterOnALinkThatStayedUp() throws {
    let world = try World(host: Self.uplink)
    try world.host.after({ try world.host.namespace.ip("addr flush dev eth0") }, "the outage", steps: 2) {
      $0.status == .unsatisfied
    }
    let path = try world.host.after(
      {
        try world.host.namespace.ip("addr add 198.51.100.2/24 dev eth0", "route add default via 198.51.100.1")
      }, "the silent router", steps: 3
    ) { $0.reason == .routerSilent }
    #expect(path.cause == "the router 198.51.100.1 does not answer")
    #expect(world.host.paths.values.dropFirst().allSatisfy { $0.status == .unsatisfied })
    try world.host.after({ try world.answer(["198.51.100.1/24"]) }, "its end", steps: 2) { $0.status == .satisfied }
  }

  @Test func oneFamilysRouterIsEnough() throws {
    let world = try World(host: Self.uplink + Self.uplink6)
    try world.loseCarrier()
    _ = try world.bootRouter(["fe80::1/64"], until: "the end") { $0.status == .satisfied }
    #expect(!world.host.paths.values.contains { $0.reason == .routerSilent })
  }

  @Test(.needsTunDevice) func aRouterUnderATunnel() throws {
    let tunnel = Recorder<TunDevice>()
    let world = try World(
      host: [
        "addr add 192.0.2.10/24 dev eth0", "route add 203.0.113.9 via 192.0.2.1", "link set tun0 up",
        "addr add 10.8.0.2/24 dev tun0", "route add default dev tun0",
      ], before: { tunnel.record(try TunDevice("tun0", in: $0)) })
    try world.loseCarrier()
    let paths = try world.bootRouter(until: "the silent router") {
      $0.cause == "eth0 leads to a router that does not answer"
    }
    #expect(!paths.contains { $0.status == .satisfied })
    #expect(paths.last?.reason == .noUnderlay)
    try world.host.after({ try world.answer() }, "its end", steps: 2) { $0.status == .satisfied }
    withExtendedLifetime(tunnel) {}
  }

  /// Without a datagram, and for a program that ignores routers, the carrier is enough. So it is where no router has to be asked.
  @Test(arguments: [
    (PathOptions(mayKick: false), [] as [String]), (PathOptions(detectsSilence: false), []),
    (PathOptions(), ["route replace default dev eth0"]), (PathOptions(), ["link set eth0 arp off"]),
    (PathOptions(), ["neigh replace 192.0.2.1 lladdr 02:00:00:00:00:99 nud permanent dev eth0"]),
  ])
  func nothingWaitsWithoutAQuestion(options: PathOptions, lines: [String]) throws {
    let world = try World(host: Self.uplink + lines, options: options)
    try world.loseCarrier()
    let paths = try world.bootRouter(until: "the end") { $0.status == .satisfied }
    // The kernel would have given up by the end of four seconds.
    #expect(paths.allSatisfy { $0.reason != .routerSilent })
  }

  /// The kernel asks for longer than the monitor waits: nothing is known then.
  @Test func withoutAVerdictTheOutageEndsAfterFourSeconds() throws {
    let world = try World(
      host: Self.uplink, before: { try $0.sysctl("net/ipv4/neigh/eth0/retrans_time_ms", "60000") })
    try world.loseCarrier()
    let paths = try world.bootRouter(until: "the end") { $0.status == .satisfied }
    #expect(paths.allSatisfy { $0.reason != .routerSilent })
  }
}
