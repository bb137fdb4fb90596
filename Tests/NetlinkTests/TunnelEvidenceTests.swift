import NetworkPath
import OverlineTestSupport
import OverlineTestThread
import OverlineTranscripts
import Testing

/// Tunnels that work although the links beside them look dead or lead nowhere.
@Suite(.ownThread, .needsTunDevice) struct TunnelEvidenceTests {
  /// K31: tools that run a program inside a VPN make the tunnel in one namespace and move it into another. A veth beside it, in any state,
  /// carries none of its packets.
  @Test(arguments: ["", "link set vp up", "link set vp up,addr add 10.127.0.2/24 dev vp", "peer"])
  func aTunnelFromAnotherNamespaceBesideAVeth(_ state: String) throws {
    let home = try NetworkNamespace()
    let tunnel = try TunDevice("tun0", in: home)
    let world = try WatchedNamespace { namespace in
      try home.move("tun0", to: namespace)
      try namespace.ip("addr add 10.8.0.2/24 dev tun0", "link set tun0 up", "route add default dev tun0")
      try home.ip("link add vi type veth peer name vp")
      try home.move("vp", to: namespace)
      if state == "peer" {
        try namespace.ip("addr add 10.127.0.2/24 dev vp", "link set vp up")
        try home.ip("link set vi up")
      } else {
        for line in state.split(separator: ",") { try namespace.ip(String(line)) }
      }
    }
    #expect(world.path.status == .satisfied, "\(world.path.explanation)")
    withExtendedLifetime(tunnel) {}
  }

  /// K32: the tap of pasta or slirp4netns is the uplink of a rootless container.
  @Test(arguments: ["ifb", "veth peer name x1", "bridge", "vxlan id 7 dstport 4789"])
  func aRootlessContainersTapBesideAnyLink(_ kind: String) throws {
    let tap = Recorder<TunDevice>()
    let world = try WatchedNamespace { namespace in
      tap.record(try TunDevice("tap0", isTap: true, in: namespace))
      try namespace.ip("link set tap0 up", "addr add 10.0.2.100/24 dev tap0", "route add default via 10.0.2.2")
    }
    try world.namespace.ip(
      "link add x0 type \(kind)", "link set x0 up", "addr add 172.30.0.1/24 dev x0", "link set x0 down")
    try world.expectNoOutage("tap0")
  }

  /// K41: the server is on the local network, and no route leads beyond it.
  @Test func aServerOnALocalNetworkWithoutADefaultRoute() throws {
    let vpn = try VPN(["route add default dev tun0"])
    #expect(vpn.world.path.status == .satisfied, "\(vpn.world.path.explanation)")
  }

  /// K41: the VPN leaves out a network; its route goes.
  @Test(arguments: [true, false]) func aNetworkThatTheVPNLeavesOut(_ hasServerRoute: Bool) throws {
    let server = hasServerRoute ? ["route add 203.0.113.7 via 192.0.2.1"] : []
    let vpn = try VPN(["route add default dev tun0", "route add 198.51.100.0/24 via 192.0.2.1"] + server)
    #expect(vpn.world.path.status == .satisfied)
    try vpn.world.namespace.ip("route del 198.51.100.0/24 via 192.0.2.1")
    try vpn.world.expectNoOutage("tun0")
  }

  /// A link that carried the tunnel has lost its carrier, and packets arrive: the server is elsewhere.
  @Test func aTunnelThatReceivesIsAlive() throws {
    let vpn = try VPN(["route add default via 192.0.2.1 metric 600", "route add default dev tun0"])
    try vpn.world.after({ try vpn.world.namespace.ip("link set v0p down") }, "the dead link", steps: 2) {
      $0.reason == .noUnderlay
    }
    let isAlive = try eventually {
      try vpn.tunnel.deliver()
      return vpn.world.path.status == .satisfied
    }
    #expect(isAlive)
  }

  /// K33: after an outage the route to the server is missing, so that the tunnel's own packets lead into the tunnel.
  @Test func aTunnelWhosePacketsLeadIntoItself() throws {
    let routes = ["route add default via 192.0.2.1 metric 600", "route add 203.0.113.7 via 192.0.2.1"]
    let record = Recorder<[UInt8]>()
    let recorder = TranscriptRecorder(write: { record.record($0) }, onStop: { _ in })
    let vpn = try VPN(routes + ["route add default dev tun0"], recorder: recorder)
    try vpn.world.after({ try vpn.world.namespace.ip("link set v0 down") }, "the outage", steps: 2) {
      $0.reason == .noUnderlay
    }
    let router = "neigh replace 192.0.2.1 lladdr 02:00:00:00:00:01 dev v0 nud permanent"
    try vpn.world.after({ try vpn.world.namespace.ip("link set v0 up", router, routes[0]) }, "the link", steps: 3) {
      $0.status == .satisfied
    }
    let traffic = try DatagramTraffic(to: "198.51.100.1", in: vpn.world.namespace)
    let isDead = try eventually {
      try vpn.tunnel.take()
      return vpn.world.path.status == .unsatisfied
    }
    #expect(isDead)
    let dead = vpn.world.path
    traffic.end()
    #expect(dead.reason == .noUnderlay)
    #expect(dead.cause == "v0 has lost the route to the VPN's server")
    // The client sets its route again: the kernel's filter passes the message, and the watcher waits for no timer.
    try vpn.world.after({ try vpn.world.namespace.ip(routes[1]) }, "the route") { $0.status == .satisfied }
    let lines = String(decoding: record.values.flatMap(\.self), as: UTF8.self).split(separator: "\n")
    let outage = try #require(lines.lastIndex { $0.contains(" told unsatisfied") })
    #expect(lines[outage...].contains { $0.hasSuffix(" read") })
  }

  /// K42: only device-bound traffic uses the spare default route; its router dies.
  @Test func aSpareRouterThatDies() throws {
    let tunnel = Recorder<TunDevice>()
    let world = try RouterSilenceTests.World(
      routers: [["192.0.2.1/24"]],
      host: [
        "addr add 192.0.2.10/24 dev eth0", "route add default via 192.0.2.1 metric 600", "link set tun0 up",
        "addr add 10.8.0.2/24 dev tun0", "route add default dev tun0 metric 50",
      ], sends: ["192.0.2.1"], before: { tunnel.record(try TunDevice("tun0", in: $0)) })
    try world.hear("192.0.2.1")
    let path = try world.host.after({ try world.bridge.ip("link set r0 down") }, "the spare router's end", steps: 2) {
      !$0.availableInterfaces.contains { $0.name == "eth0" }
    }
    #expect(path.status == .satisfied, "\(path.explanation)")
    withExtendedLifetime(tunnel) {}
  }

  /// The same router is the way to the VPN's server. Then its silence is the tunnel's end, also where a default route leads by it too.
  @Test func theRouterOfTheServerThatDies() throws {
    let tunnel = Recorder<TunDevice>()
    let world = try RouterSilenceTests.World(
      routers: [["192.0.2.1/24"]],
      host: [
        "addr add 192.0.2.10/24 dev eth0", "route add default via 192.0.2.1", "route add 203.0.113.9 via 192.0.2.1",
        "link set tun0 up", "addr add 10.8.0.2/24 dev tun0", "route add 0.0.0.0/1 dev tun0",
        "route add 128.0.0.0/1 dev tun0",
      ], sends: ["203.0.113.9"], before: { tunnel.record(try TunDevice("tun0", in: $0)) })
    try world.hear("192.0.2.1")
    let path = try world.host.after({ try world.bridge.ip("link set r0 down") }, "the outage", steps: 2) {
      $0.status == .unsatisfied
    }
    #expect(path.cause.hasPrefix("eth0 leads to a router that does not answer"))
    withExtendedLifetime(tunnel) {}
  }

  /// A namespace with a tunnel beside a veth to another link, whose other end is v0p.
  private final class VPN {
    let tunnel: TunDevice
    let world: WatchedNamespace

    init(_ lines: [String], recorder: TranscriptRecorder? = nil) throws {
      let tunnel = Recorder<TunDevice>()
      world = try WatchedNamespace(recorder: recorder) { namespace in
        try namespace.ip(
          "link add v0 type veth peer name v0p", "link set v0p up", "link set v0 up", "addr add 192.0.2.2/24 dev v0")
        tunnel.record(try TunDevice("tun0", in: namespace))
        try namespace.ip("link set tun0 up", "addr add 10.8.0.2/24 dev tun0")
        for line in lines { try namespace.ip(line) }
      }
      self.tunnel = tunnel.values[0]
    }
  }
}

extension WatchedNamespace {
  /// Expects that the watcher has seen all earlier changes, and that none of them was an outage. IPv6 by the tunnel comes after them.
  fileprivate func expectNoOutage(_ tunnel: String) throws {
    try namespace.ip("addr add 2001:db8:8::2/64 dev \(tunnel) nodad", "-6 route add default dev \(tunnel)")
    try paths.first("IPv6") { $0.supportsIPv6 }
    #expect(paths.values.allSatisfy { $0.status == .satisfied }, "\(paths.values.map(\.explanation))")
  }
}
