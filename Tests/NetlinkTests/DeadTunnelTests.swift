import NetworkPath
import OverlineTestSupport
import OverlineTestThread
import Testing

/// Tunnels without a usable link under them, beside links that resemble one.
@Suite(.ownThread) struct DeadTunnelTests {
  /// A namespace with cables to another one. The far ends have the same names with a `p`, and are routers.
  private final class World {
    let far: NetworkNamespace
    let world: WatchedNamespace
    private let tunnel: TunDevice?

    /// - Parameters:
    ///   - lines: the setup before the watcher starts.
    ///   - links: the cables.
    init(_ lines: [String], links: [String] = ["eth0", "lan0"], tunnel name: String? = "tun0", isTap: Bool = false)
      throws
    {
      let far = try NetworkNamespace()
      let tunnel = Recorder<TunDevice>()
      world = try WatchedNamespace { namespace in
        for link in links {
          try namespace.ip("link add \(link) type veth peer name \(link)p")
          try namespace.move("\(link)p", to: far)
          try far.ip("link set \(link)p up")
          let routers = link == "eth0" ? ["192.0.2.1/24", "fe80::1/64"] : ["198.51.100.1/24"]
          for router in routers { try far.ip("addr add \(router) dev \(link)p nodad") }
          try namespace.ip("link set \(link) up")
        }
        if let name {
          tunnel.record(try TunDevice(name, isTap: isTap, in: namespace))
          try namespace.ip("link set \(name) up", "addr add 10.8.0.2/24 dev \(name)")
        }
        for line in lines { try namespace.ip(line) }
      }
      self.far = far
      self.tunnel = tunnel.values.first
    }

    /// Runs commands here or at the far ends, and waits until the tunnel is offline for this cause.
    func expectDead(_ cause: String, after lines: String..., far farLines: String...) throws {
      let path = try world.after(
        {
          for line in farLines { try far.ip(line) }
          for line in lines { try world.namespace.ip(line) }
        }, cause, steps: 2
      ) { $0.status == .unsatisfied && $0.cause == cause }
      #expect(path.reason == .noUnderlay)
      #expect(path.explanation.contains("is a tunnel without a link under it: \(cause)"))
    }

    func expectAlive(after lines: [String], far farLine: String = "link set eth0p up") throws {
      try world.after(
        {
          try far.ip(farLine)
          for line in lines { try world.namespace.ip(line) }
        }, "a living tunnel", steps: 3
      ) { $0.status == .satisfied }
    }
  }

  private static let uplink = ["addr add 192.0.2.2/24 dev eth0", "route add default via 192.0.2.1"]

  /// Links with an address and no route out: a separate LAN, and containers' links.
  private static let besides: [(name: String, lines: [String])] = [
    ("LAN", ["addr add 10.9.0.2/24 dev lan0", "addr add fd00:9::2/64 dev lan0 nodad"]),
    // Routes such as those of a Thread network or an office, which lead to no server on the internet.
    (
      "LAN with routers",
      [
        "addr add 10.9.0.2/24 dev lan0", "addr add fd00:9::2/64 dev lan0 nodad", "route add 10.0.0.0/8 via 10.9.0.1",
        "-6 route add fd00:7::/64 via fe80::9 dev lan0",
      ]
    ),
    ("container's veth", ["addr add 172.30.0.1/32 dev lan0", "route add 172.30.0.2 dev lan0"]),
    (
      "container's bridge",
      [
        "link add docker0 type bridge", "link set lan0 master docker0", "link set docker0 up",
        "addr add 172.17.0.1/16 dev docker0",
      ]
    ),
  ]

  /// K26, K27: whichever method the VPN uses to keep its own packets out of its tunnel.
  @Test(.needsTunDevice, arguments: TunnelCaseTests.clients.map(\.name) + ["server"], besides.map(\.name))
  func aDeadVPNBesideAnotherLinkIsOffline(_ client: String, _ beside: String) throws {
    let lines =
      TunnelCaseTests.clients.first { $0.name == client }?.lines
      ?? ["route add 203.0.113.9 via 192.0.2.1", "route replace default dev tun0"]
    let others = Self.besides.first { $0.name == beside }!.lines
    let world = try World(Self.uplink + others + lines)
    #expect(world.world.path.status == .satisfied)
    #expect(world.world.path.usedInterfaces.map(\.name) == ["tun0", "eth0"])
    try world.expectDead("eth0 has no carrier", far: "link set eth0p down")
    try world.expectAlive(after: [])
    try world.expectDead("eth0 has no carrier", far: "link set eth0p down")
    try world.expectDead("eth0 is down", after: "link set eth0 down")
    try world.expectDead("eth0 has no route", after: "link set eth0 up", far: "link set eth0p up")
    let metric = client == "better metric" ? " metric 100" : ""
    try world.expectAlive(
      // The filter hides the first route, so the second one makes the watcher look.
      after: client == "server"
        ? ["route add 203.0.113.9 via 192.0.2.1", "route add 0.0.0.0/1 dev tun0"]
        : ["route add default via 192.0.2.1 dev eth0\(metric)"])
  }

  /// A telephone's cable, pulled out of the machine: no other link is there.
  @Test(.needsTunDevice) func aTunnelWhoseLinkIsRemovedIsOffline() throws {
    let world = try World(
      Self.uplink + ["route add 0.0.0.0/1 dev tun0", "route add 128.0.0.0/1 dev tun0"], links: ["eth0"])
    try world.expectDead("eth0 has been removed", after: "link del eth0")
  }

  /// K8 under a VPN: marked packets leave by the better default, which is dead, although the other one works.
  @Test(.needsTunDevice) func theWayOfMarkedPacketsDecides() throws {
    let wireguard = TunnelCaseTests.clients.first { $0.name == "wg-quick" }!.lines
    let second = ["addr add 198.51.100.2/24 dev lan0", "route add default via 198.51.100.1 metric 600"]
    let world = try World(Self.uplink + second + wireguard)
    #expect(world.world.path.usedInterfaces.map(\.name) == ["tun0", "eth0"])
    try world.expectDead("eth0 has no carrier", far: "link set eth0p down")
    // A network manager removes a dead default route after a while.
    let path = try world.world.after({ try world.world.namespace.ip("route del default metric 0") }, "the second way") {
      $0.status == .satisfied
    }
    #expect(path.usedInterfaces.map(\.name) == ["tun0", "lan0"])
  }

  /// K27: 464XLAT translates IPv4 into IPv6, so it needs an IPv6 route.
  @Test(.needsTunDevice) func aTranslatorWithoutIPv6IsOffline() throws {
    let world = try World(
      [
        "addr add 2001:db8::2/64 dev eth0 nodad", "-6 route add default via fe80::1 dev eth0",
        "route add default dev tun0",
        "addr add 10.9.0.2/24 dev lan0",
      ])
    #expect(world.world.path.supportsIPv4 && world.world.path.supportsIPv6)
    try world.expectDead("eth0 has no route", after: "-6 route del default")
    try world.expectAlive(after: ["-6 route add default via fe80::1 dev eth0"])
  }

  /// K28: OpenVPN with `--dev tap`, ZeroTier.
  @Test(.needsTunDevice) func aTapThatCarriesTheDefaultIsATunnel() throws {
    let world = try World(
      Self.uplink + [
        "addr add 10.9.0.2/24 dev lan0", "route add 203.0.113.9 via 192.0.2.1", "route add 0.0.0.0/1 via 10.8.0.1",
        "route add 128.0.0.0/1 via 10.8.0.1",
      ], tunnel: "tap0", isTap: true)
    #expect(world.world.path.usedInterfaces.map(\.name) == ["tap0", "eth0"])
    try world.expectDead("eth0 has no carrier", far: "link set eth0p down")
    try world.expectAlive(after: [])
  }

  /// K28: the other end of a vxlan is on the link that it is bound to, or anywhere.
  @Test(arguments: [true, false]) func aVXLANIsAsGoodAsTheLinkUnderIt(_ isBound: Bool) throws {
    let uplink = isBound ? [Self.uplink[0]] : Self.uplink + ["route add 203.0.113.9 via 192.0.2.1"]
    let world = try World(
      uplink + [
        "link add vx0 type vxlan id 7 dstport 4789 remote \(isBound ? "192.0.2.9 dev eth0" : "203.0.113.9")",
        "link set vx0 up", "addr add 10.8.0.2/24 dev vx0", "route replace default via 10.8.0.1",
        "addr add 10.9.0.2/24 dev lan0",
      ], tunnel: nil)
    #expect(world.world.path.usedInterfaces.map(\.name) == ["vx0", "eth0"])
    try world.expectDead("eth0 has no carrier", far: "link set eth0p down")
    try world.expectAlive(after: [])
  }
}
