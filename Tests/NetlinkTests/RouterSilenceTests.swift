import Dispatch
import Glibc
import NetworkPath
import OverlineTestSupport
import OverlineTestThread
import OverlineTranscripts
import Testing

/// Real routers behind a real bridge, which the kernel probes faster than usual.
@Suite(.ownThread) struct RouterSilenceTests {
  /// A host, a bridge and routers, each in a namespace of its own: the host's carrier stays while a router is gone.
  final class World {
    let bridge = try! NetworkNamespace()
    private(set) var routers: [NetworkNamespace] = []
    let host: WatchedNamespace
    private var traffic: [DatagramTraffic] = []

    /// - Parameters:
    ///   - addresses: the addresses of each router.
    ///   - host: the host's routes, and what else it needs before the watcher starts.
    ///   - before: what the host needs before these.
    init(
      routers addresses: [[String]], host lines: [String], options: PathOptions = PathOptions(), sends: [String] = [],
      before: (NetworkNamespace) throws -> Void = { _ in }
    ) throws {
      let bridge = bridge
      let routers = Recorder<NetworkNamespace>()
      let sources = Recorder<DatagramTraffic>()
      try bridge.ip("link add br0 type bridge mcast_snooping 0", "link set br0 up")
      host = try WatchedNamespace(options: options) { namespace in
        try namespace.sysctl("net/ipv6/conf/default/accept_dad", "0")
        try namespace.plug("eth0", into: bridge, as: "host0")
        for family in ["ipv4", "ipv6"] {
          try namespace.sysctl("net/\(family)/neigh/eth0/base_reachable_time_ms", "1000")
          try namespace.sysctl("net/\(family)/neigh/eth0/delay_first_probe_time", "1")
          try namespace.sysctl("net/\(family)/neigh/eth0/retrans_time_ms", "200")
        }
        for (number, own) in addresses.enumerated() {
          let router = try NetworkNamespace()
          try router.plug("lan0", into: bridge, as: "r\(number)")
          for address in own { try router.ip("addr add \(address) dev lan0 nodad") }
          routers.record(router)
        }
        try before(namespace)
        for line in lines { try namespace.ip(line) }
        for destination in sends { sources.record(try DatagramTraffic(to: destination, in: namespace)) }
      }
      self.routers = routers.values
      traffic = sources.values
    }

    /// Waits until the host's entry of this router is REACHABLE.
    func hear(_ router: String) throws {
      #expect(
        try eventually { try host.namespace.output("ip neigh show \(router)").contains("REACHABLE") },
        "the kernel does not hear \(router)")
    }
  }

  private static let uplink = ["addr add 192.0.2.10/24 dev eth0", "route add default via 192.0.2.1"]
  private static let uplink6 = [
    "addr add 2001:db8:1::10/64 dev eth0 nodad", "-6 route add default via fe80::1 dev eth0",
  ]
  private static let router = ["192.0.2.1/24", "fe80::1/64"]

  @Test(arguments: [
    (uplink, ["198.51.100.1"], "192.0.2.1"), (uplink6, ["2001:db8:2::1"], "fe80::1"),
    (uplink + uplink6, ["198.51.100.1", "2001:db8:2::1"], "192.0.2.1"),
  ])
  func aSilentRouterIsAnOutageUntilItAnswers(lines: [String], sends: [String], router: String) throws {
    let world = try World(routers: [Self.router], host: lines, sends: sends)
    for destination in sends { try world.hear(destination.contains(":") ? "fe80::1" : "192.0.2.1") }
    let path = try world.host.after(
      { try world.bridge.ip("link set r0 down") }, "the outage", steps: 2
    ) { $0.status == .unsatisfied }
    #expect(path.reason == .routerSilent)
    let words = try #require(path.cause.wholeMatch(of: /the router (.*) does not answer \(last heard (\d+) s ago\)/))
    #expect(words.1 == router)
    #expect(path.silence?.components.seconds == Int64(words.2))
    #expect(path.explanation == "offline: \(path.cause)")
    try world.host.after({ try world.bridge.ip("link set r0 up") }, "its end", steps: 2) { $0.status == .satisfied }
  }

  /// Without traffic the kernel asks nothing, and there is nothing to report. The first packet finds out.
  @Test func anIdleMachineNoticesWithTheFirstPacket() throws {
    let world = try World(routers: [Self.router], host: Self.uplink)
    do {
      let greeting = try DatagramTraffic(to: "198.51.100.1", in: world.host.namespace)
      try world.hear("192.0.2.1")
      greeting.end()
    }
    try world.bridge.ip("link set r0 down")
    let traffic = try DatagramTraffic(to: "198.51.100.1", in: world.host.namespace)
    defer { traffic.end() }
    try world.host.paths.first("the outage") { $0.reason == .routerSilent }
  }

  /// The kernel sends everything into a VPN's tunnel, whose packets leave through the router. The cause names the link under the tunnel.
  @Test(.needsTunDevice) func aSilentRouterUnderATunnelIsAnOutageUntilItAnswers() throws {
    let tunnel = Recorder<TunDevice>()
    let world = try World(
      routers: [Self.router],
      host: ["addr add 192.0.2.10/24 dev eth0"] + [
        "route add 203.0.113.9 via 192.0.2.1", "link set tun0 up", "addr add 10.8.0.2/24 dev tun0",
        "route add default dev tun0",
      ], sends: ["203.0.113.9"], before: { tunnel.record(try TunDevice("tun0", in: $0)) })
    try world.hear("192.0.2.1")
    #expect(world.host.path.usedInterfaces.map(\.name) == ["tun0", "eth0"])
    let path = try world.host.after(
      { try world.bridge.ip("link set r0 down") }, "the outage", steps: 2
    ) { $0.status == .unsatisfied }
    #expect(path.reason == .noUnderlay)
    #expect(path.cause.contains(/^eth0 leads to a router that does not answer \(last heard \d+ s ago\)$/))
    #expect(path.answerAge != nil)
    try world.host.after({ try world.bridge.ip("link set r0 up") }, "its end", steps: 2) { $0.status == .satisfied }
    withExtendedLifetime(tunnel) {}
  }

  @Test func theOtherFamilyKeepsThePath() throws {
    let world = try World(
      routers: [["192.0.2.1/24"], ["fe80::1/64"]], host: Self.uplink + Self.uplink6,
      sends: ["198.51.100.1", "2001:db8:2::1"])
    try world.hear("fe80::1")
    let path = try world.host.after({ try world.bridge.ip("link set r1 down") }, "IPv6's end", steps: 2) {
      !$0.supportsIPv6
    }
    #expect(path.status == .satisfied && path.supportsIPv4)
    try world.host.after({ try world.bridge.ip("link set r1 up") }, "IPv6's return", steps: 2) { $0.supportsIPv6 }
  }

  @Test func theOtherLegOfAMultipathRouteKeepsThePath() throws {
    let world = try World(
      routers: [["192.0.2.1/24"], ["192.0.2.2/24"]],
      host: ["addr add 192.0.2.10/24 dev eth0", "route add default nexthop via 192.0.2.1 nexthop via 192.0.2.2"],
      sends: (1...9).map { "198.51.100.\($0)" })
    try world.hear("192.0.2.1")
    let path = try world.host.after({ try world.bridge.ip("link set r0 down") }, "one router's end", steps: 2) {
      !$0.gateways.map(\.debugDescription).contains { $0.contains("192.0.2.1:") || $0 == "192.0.2.1" }
    }
    #expect(path.status == .satisfied)
  }

  /// In each case packets are sent for as long as a silent router needs, twice.
  @Test(arguments: [
    (["neigh replace 192.0.2.1 lladdr 02:00:00:00:00:99 nud permanent dev eth0"], ["192.0.2.1/24"]),
    // A router that never answered, for some seconds.
    (["neigh flush all"], []),
  ])
  func noClaimWithoutProof(lines: [String], addresses: [String]) throws {
    let world = try World(
      routers: [addresses], host: Self.uplink + lines, sends: ["198.51.100.1"])
    try world.bridge.ip("link set r0 down")
    // Six attempts of the kernel to find a neighbour that does not exist.
    let control = try DatagramTraffic(to: "192.0.2.77", in: world.host.namespace)
    defer { control.end() }
    try control.waitUntilRefused(times: 6)
    #expect(world.host.paths.values.allSatisfy { $0.status == .satisfied })
  }

  @Test func aRouterWithANewHardwareAddressIsNotSilent() throws {
    let world = try World(routers: [Self.router], host: Self.uplink, sends: ["198.51.100.1"])
    try world.hear("192.0.2.1")
    for number in 1...3 {
      try world.routers[0].ip("link set lan0 address 02:00:00:00:00:0\(number)")
      #expect(
        try eventually {
          try world.host.namespace.output("ip neigh show 192.0.2.1").contains("02:00:00:00:00:0\(number) REACHABLE")
        }, "the new address")
    }
    #expect(world.host.paths.values.allSatisfy { $0.status == .satisfied })
  }

  /// A removed entry becomes FAILED first, although the router lives. Twice, before the watcher reads either message.
  @Test(arguments: [
    (uplink, "198.51.100.1", "192.0.2.1", "flush dev eth0", uplink6),
    (uplink6, "2001:db8:2::1", "fe80::1", "flush dev eth0", uplink),
    (uplink, "198.51.100.1", "192.0.2.1", "del 192.0.2.1 dev eth0", uplink6),
  ])
  func anEntryThatAProgramRemovesIsNoSilence(
    lines: [String], send: String, router: String, removal: String, later: [String]
  ) throws {
    let world = try World(routers: [Self.router], host: lines, sends: [send])
    try world.host.queue.sync {
      for _ in 1...3 {
        try world.hear(router)
        try world.host.namespace.ip("neigh \(removal)")
      }
    }
    // The watcher reads these messages after those.
    for line in later { try world.host.namespace.ip(line) }
    try world.host.paths.first("both families") { $0.supportsIPv4 && $0.supportsIPv6 }
    #expect(world.host.paths.values.allSatisfy { $0.status == .satisfied })
  }

  @Test func aProgramMayTurnItOff() throws {
    let world = try World(
      routers: [Self.router], host: Self.uplink, options: PathOptions(detectsSilence: false), sends: ["198.51.100.1"])
    try world.hear("192.0.2.1")
    try world.bridge.ip("link set r0 down")
    #expect(
      try eventually { try world.host.namespace.output("ip neigh show 192.0.2.1").contains("FAILED") },
      "the kernel gives up")
    let control = try DatagramTraffic(to: "192.0.2.77", in: world.host.namespace)
    defer { control.end() }
    try control.waitUntilRefused(times: 3)
    #expect(world.host.paths.values.count == 1)
  }

  /// A scan of the network makes hundreds of entries fail. None wakes the watcher.
  @Test func theFailuresOfOtherHostsCauseNoWork() throws {
    let recorder = Recorder<[UInt8]>()
    let namespace = try NetworkNamespace()
    try namespace.addUplink("eth0", isAsked: true)
    try namespace.sysctl("net/ipv4/neigh/eth0/retrans_time_ms", "20")
    let paths = Recorder<NWPath>()
    let watcher = PathWatcher(
      queue: DispatchQueue(label: "test.scan"),
      recorder: TranscriptRecorder(write: { recorder.record($0) }, onStop: { _ in }),
      open: { () throws(NetlinkError) in try inside(namespace) }, onPath: { paths.record($0) })
    try watcher.start()
    defer { watcher.cancel() }
    try paths.wait("the first path") { !$0.isEmpty }
    let scan = try (10..<100).map { try DatagramTraffic(to: "192.0.2.\($0)", in: namespace) }
    defer { for host in scan { host.end() } }
    for host in scan { try host.waitUntilRefused(times: 1) }
    let text = String(decoding: recorder.values.flatMap(\.self), as: UTF8.self)
    #expect(!text.contains(" neighbours\n"))
  }
}
