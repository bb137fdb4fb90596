internal import NetworkPath
internal import OverlineSystem
internal import OverlineTestSupport

/// Something that happens to a host's network.
struct ClaimRow: Sendable {
  var name: String
  /// Whether nothing answers, so that the claim must come.
  var isOutage = false
  var watcher = ClaimWorld.Watcher.monitor
  var duration = Duration.seconds(60)
  /// What the figure cannot show.
  var note = ""
  /// What is there before the watcher starts.
  var prepare: @Sendable (ClaimWorld) throws -> Void = { _ in }
  var happens: @Sendable (ClaimWorld) throws -> Void

  static let all = outages + harmless

  private static let far = RoutedNetwork.far
  private static let far6 = RoutedNetwork.far6

  /// Without these claims the others would prove nothing.
  private static let outages: [ClaimRow] = [
    ClaimRow(name: "the router silent", isOutage: true, happens: silenceRouter),
    ClaimRow(name: "the router silent, seen by the library", isOutage: true, watcher: .library, happens: silenceRouter),
    ClaimRow(name: "nothing forwarded", isOutage: true) { world in
      try world.talk(to: far)
      try world.network.drop()
    },
  ]

  private static let harmless: [ClaimRow] = [
    ClaimRow(name: "30 % loss each way") { world in
      try world.talk(to: far + far + far)
      try world.network.drop("numgen random mod 100 < 30")
    },
    ClaimRow(name: "one far host dead") { world in
      try world.talk(to: [far[0], far[0], far[0]])
      try world.network.drop("ip daddr \(far[0])")
      try world.waitForStalls(3)
    },
    ClaimRow(name: "two far hosts dead while UDP is answered") { world in
      world.keep(try EchoClients(SOCK_DGRAM, in: world.network.host, to: [far[2]]))
      try world.talk(to: [far[0], far[1]])
      try world.network.drop("ip daddr { \(far[0]), \(far[1]) }")
      try world.waitForStalls(2)
    },
    ClaimRow(name: "two hosts of the local network dead") { world in
      try world.talk(to: RoutedNetwork.near)
      try world.network.nearSide.nft(
        "table inet test { chain c { type filter hook input priority 0; meta l4proto tcp drop; }; }")
      try world.waitForStalls(2)
    },
    ClaimRow(name: "20 connections to dead hosts") { world in
      try world.network.drop("ip daddr 198.51.100.128/25")
      world.keep(
        try EchoClients(in: world.network.host, to: (200..<220).map { "198.51.100.\($0)" }, waits: false))
      try world.waitForConnections(20, in: .synSent) { $0.retransmits >= 2 }
    },
    // The router has forgotten the connections when they send again, and drops what they send. A new connection works.
    ClaimRow(name: "stale flows after the router restarts", duration: .seconds(85)) { world in
      world.keep(
        try EchoClients(in: world.network.host, to: [far[0], far[0], far[1], far[1]], interval: .seconds(65)))
      pause(for: .seconds(55))
      try world.network.drop("ip daddr { \(far[0]), \(far[1]) }")
      try world.waitForStalls(4)
      try world.talk(to: [far[2]])
    },
    ClaimRow(name: "a new MAC address, with gratuitous ARP") { world in
      try world.network.router.sysctl("net/ipv4/conf/lan0/arp_notify", "1")
      try world.network.router.sysctl("net/ipv6/conf/lan0/ndisc_notify", "1")
      try world.talk(to: far + far6)
      try replaceRouter(in: world)
    },
    // The host learns the address only when its questions to the old one have failed. Until then connections get no answers, which would be
    // a true claim: so there are none.
    ClaimRow(name: "a new MAC address, without gratuitous ARP") { world in
      try world.network.router.nft(
        "table arp test { chain c { type filter hook output priority 0; arp operation request drop; }; }")
      try replaceRouter(in: world)
    },
    ClaimRow(name: "one of two gateways dead", prepare: addRouter) { world in
      try world.talk(to: far + far + far + far + far + far)
      try world.network.bridge.ip("link set router1 down")
      // Each failed question to the gateway makes the kernel halve the timeout (RFC 6069), so these stalls look young.
      try world.waitForConnections(1) { $0.isStalled }
    },
    ClaimRow(name: "IPv6's router alone") { world in
      try world.talk(to: far + far6)
      let chains = ["input", "output", "forward"].map { hook in
        "chain \(hook) { type filter hook \(hook) priority 0; policy drop; };"
      }
      try world.network.router.nft("table ip6 test { \(chains.joined(separator: " ")) }")
      try world.waitForStalls(3)
    },
    ClaimRow(
      name: "a gateway that never answered ARP, for one network only",
      prepare: { try $0.network.host.ip("route add 203.0.113.0/24 via 192.0.2.99", "-6 route del default") },
      happens: { world in
        let traffic = try DatagramTraffic(to: "203.0.113.1", in: world.network.host)
        try traffic.waitUntilRefused(times: 6)
        world.keep(traffic)
      }),
    ClaimRow(name: "closed windows") { world in
      world.keep(try UnreadServer(in: world.network.farSide))
      world.keep(try EchoClients(in: world.network.host, to: far, port: UnreadServer.port, bytes: 65536))
      try world.waitForConnections(3) { $0.timer == .windowProbe }
    },
    ClaimRow(name: "keepalives, answered and not") { world in
      world.keep(try EchoClients(in: world.network.host, to: far, interval: .seconds(3600), keepsAlive: true))
      pause(for: .seconds(20))
      try world.network.drop("ip daddr { \(far[0]), \(far[1]) }")
    },
    ClaimRow(name: "another address with data in flight") { world in
      try world.talk(to: far)
      try world.network.host.ip(
        "addr del 192.0.2.10/24 dev eth0", "addr add 192.0.2.11/24 dev eth0", "route replace default via 192.0.2.1")
    },
    // As on a resume, the network needs a while.
    ClaimRow(
      name: "a jump of the clock, then 20 s without the router", watcher: .library,
      note: "simulated, in the library: a namespace has no clock that jumps"
    ) { world in
      try world.talk(to: far)
      try world.stepClock()
      try world.network.bridge.ip("link set router0 down")
      pause(for: .seconds(20))
      try world.network.bridge.ip("link set router0 up")
    },
    ClaimRow(name: "a program that computes for a minute", duration: .seconds(70)) { world in
      world.keep(try UnreadServer(in: world.network.farSide))
      world.keep(
        try EchoClients(in: world.network.host, to: far, port: UnreadServer.port, interval: .seconds(3600)))
    },
  ]

  @Sendable private static func silenceRouter(in world: ClaimWorld) throws {
    try world.talk(to: far)
    try world.network.bridge.ip("link set router0 down")
  }

  @Sendable private static func replaceRouter(in world: ClaimWorld) throws {
    for number in 1...3 {
      pause(for: .seconds(8))
      try world.replaceRouter(by: "02:00:00:00:00:0\(number)")
    }
  }

  /// A second router with a link of its own to the far servers. Each connection takes one of the two.
  @Sendable private static func addRouter(to world: ClaimWorld) throws {
    let network = world.network
    let router = try NetworkNamespace()
    world.keep(router)
    // Packets of one connection go by one router and come back by the other.
    for namespace in [router, network.router, network.farSide] {
      try namespace.sysctl("net/ipv4/conf/all/rp_filter", "0")
      try namespace.sysctl("net/ipv4/conf/default/rp_filter", "0")
    }
    try router.plug("lan0", into: network.bridge, as: "router1")
    try router.ip("link add wan0 type veth peer name eth1")
    try router.move("eth1", to: network.farSide)
    try network.farSide.ip("addr add 203.0.113.2/30 dev eth1", "link set eth1 up")
    try router.ip(
      "addr add 192.0.2.2/24 dev lan0", "addr add 203.0.113.1/30 dev wan0", "link set wan0 up",
      "route add 198.51.100.0/24 via 203.0.113.2")
    try router.sysctl("net/ipv4/ip_forward", "1")
    // By ports too: there are only three hosts.
    try network.host.sysctl("net/ipv4/fib_multipath_hash_policy", "1")
    try network.host.ip("route replace default nexthop via 192.0.2.1 nexthop via 192.0.2.2", "-6 route del default")
  }
}
