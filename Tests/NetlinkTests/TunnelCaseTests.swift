import NetworkPath
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// VPNs: a tunnel is only as good as a link under it.
@Suite(.ownThread, .needsTunDevice) struct TunnelCaseTests {
  /// A namespace with a running tunnel tun0 over an uplink eth0 with a default route.
  private final class VPN {
    let tunnel: TunDevice
    let world: WatchedNamespace

    init(_ lines: [String], uplink: Bool = true) throws {
      let tunnel = Recorder<TunDevice>()
      world = try WatchedNamespace { namespace in
        if uplink { try namespace.addUplink("eth0") }
        tunnel.record(try TunDevice("tun0", in: namespace))
        try namespace.ip("link set tun0 up", "addr add 10.8.0.2/24 dev tun0")
        for line in lines { try namespace.ip(line) }
      }
      self.tunnel = tunnel.values[0]
    }

    var path: NWPath { world.path }
  }

  /// The setups of VPN clients, with the route of the tunnel's own packets.
  static let clients: [(name: String, lines: [String])] = [
    // OpenVPN's redirect-gateway def1: two halves, and a route to its server.
    (
      "halves",
      ["route add 203.0.113.9 via 192.0.2.1", "route add 0.0.0.0/1 dev tun0", "route add 128.0.0.0/1 dev tun0"]
    ),
    (
      "better metric",
      [
        "route add default dev tun0 metric 5", "route del default via 192.0.2.1",
        "route add default via 192.0.2.1 metric 100",
      ]
    ),
    // wg-quick(8)
    (
      "wg-quick",
      [
        "route add default dev tun0 table 51820", "rule add not fwmark 51820 table 51820",
        "rule add table main suppress_prefixlength 0",
      ]
    ),
    // Tailscale's exit node: its own packets are marked and see the main table only.
    (
      "marked",
      [
        "route add default dev tun0 table 52", "rule add pref 5210 fwmark 0x80000/0xff0000 table main",
        "rule add pref 5270 table 52",
      ]
    ),
    // The VPN's table ends in a refusal, so that nothing leaks: only marked packets get out.
    (
      "no leaks",
      [
        "route add default dev tun0 table 52", "route add unreachable default metric 900 table 52",
        "rule add pref 5210 fwmark 0x80000/0xff0000 table main", "rule add pref 5270 table 52",
      ]
    ),
  ]

  /// K10, K25
  @Test(arguments: clients.map(\.name)) func aTunnelIsAsGoodAsTheLinkUnderIt(_ name: String) throws {
    let vpn = try VPN(Self.clients.first { $0.name == name }!.lines)
    #expect(vpn.path.status == .satisfied)
    #expect(vpn.path.availableInterfaces.first?.name == "tun0")
    #expect(vpn.path.availableInterfaces.first?.type == .other)
    let dead = try vpn.world.after({ try vpn.world.namespace.ip("link set eth0p down") }, "a dead underlay", steps: 2) {
      $0.status == .unsatisfied
    }
    #expect(dead.reason == .noUnderlay)
    #expect(dead.cause == "eth0 has no carrier")
    #expect(dead.explanation.hasSuffix("dev tun0 is a tunnel without a link under it: eth0 has no carrier"))
    try vpn.world.after({ try vpn.world.namespace.ip("link set eth0p up") }, "a living one") {
      $0.status == .satisfied && $0.availableInterfaces.first?.name == "tun0"
    }
  }

  /// K25, OpenVPN without def1: the only other route is the one to the server.
  @Test func onlyARouteToTheServer() throws {
    let vpn = try VPN(["route add 203.0.113.9 via 192.0.2.1", "route replace default dev tun0"])
    #expect(vpn.path.status == .satisfied)
    #expect(vpn.path.availableInterfaces.map(\.name) == ["tun0"])
    let dead = try vpn.world.after({ try vpn.world.namespace.ip("link set eth0p down") }, "a dead underlay", steps: 2) {
      $0.status == .unsatisfied
    }
    #expect(dead.reason == .noUnderlay)
    #expect(dead.cause == "eth0 has no carrier")
    try vpn.world.after({ try vpn.world.namespace.ip("link set eth0p up") }, "a living one") { $0.status == .satisfied }
  }

  /// K25 for IPv6: the tunnel carries it, over an underlay that has only IPv4.
  @Test func ipv6ByATunnelOverIPv4() throws {
    let vpn = try VPN([
      "addr add 2001:db8:8::2/64 dev tun0 nodad", "-6 route add ::/1 dev tun0", "-6 route add 8000::/1 dev tun0",
    ])
    #expect(vpn.path.supportsIPv6 && vpn.path.supportsIPv4)
    let dead = try vpn.world.after({ try vpn.world.namespace.ip("link set eth0p down") }, "a dead underlay", steps: 2) {
      $0.status == .unsatisfied
    }
    #expect(!dead.supportsIPv6)
    try vpn.world.after({ try vpn.world.namespace.ip("link set eth0p up") }, "a living one") { $0.supportsIPv6 }
  }

  /// The tunnel is one of two routes: the other one takes over when the tunnel's own are removed.
  @Test func theTunnelGoesAndTheUplinkIsThere() throws {
    let vpn = try VPN(["route add 0.0.0.0/1 dev tun0", "route add 128.0.0.0/1 dev tun0"])
    #expect(vpn.path.explanation.hasPrefix("online via tun0, tunnel over eth0, IPv4"))
    let path = try vpn.world.after({ try vpn.world.namespace.ip("link set tun0 down") }, "the uplink") {
      $0.availableInterfaces.map(\.name) == ["eth0"]
    }
    #expect(path.status == .satisfied)
    #expect(path.explanation.hasPrefix("online via eth0, wired, gateway 192.0.2.1"))
  }

  /// K11: no process holds the tunnel's other end.
  @Test func aTunnelWithoutCarrier() throws {
    let world = try WatchedNamespace { namespace in
      try namespace.addUplink("eth0")
      try namespace.ip(
        "tuntap add tun0 mode tun", "link set tun0 up", "addr add 10.8.0.2/24 dev tun0", "route add 0.0.0.0/1 dev tun0",
        "route add 128.0.0.0/1 dev tun0")
    }
    #expect(world.path.status == .unsatisfied)
    #expect(world.path.reason == .noCarrier)
    #expect(world.path.cause == "tun0 has no carrier")
  }

  /// A tunnel that was moved into a namespace: its packets leave from another one.
  @Test func aTunnelAloneIsJudgedAlone() throws {
    let vpn = try VPN(["route add default dev tun0"], uplink: false)
    #expect(vpn.path.status == .satisfied)
    // Not a candidate: nothing leaves the machine by it.
    try vpn.world.namespace.ip("link add docker0 type bridge", "link set docker0 up")
    try vpn.world.after({ try vpn.world.namespace.ip("link set tun0 down") }, "no way") { $0.status == .unsatisfied }
  }

  /// K24: the uplink of a virtual machine, or of a container, is a tap that is alone.
  @Test(arguments: [true, false]) func aTapAloneIsAnUplink(_ hasContainers: Bool) throws {
    let tap = Recorder<TunDevice>()
    let container = try NetworkNamespace()
    let world = try WatchedNamespace { namespace in
      tap.record(try TunDevice("tap0", isTap: true, in: namespace))
      try namespace.ip("link set tap0 up", "addr add 10.0.2.100/24 dev tap0", "route add default via 10.0.2.2")
      if hasContainers {
        try namespace.ip(
          "link add docker0 type bridge", "link add veth7 type veth peer name veth7p", "link set veth7 master docker0",
          "link set veth7 up", "link set docker0 up", "addr add 172.17.0.1/16 dev docker0")
        try namespace.move("veth7p", to: container)
        try container.ip("link set veth7p up")
      }
    }
    #expect(world.path.status == .satisfied)
    #expect(world.path.gateways.map(\.addressText) == ["10.0.2.2"])
  }
}
