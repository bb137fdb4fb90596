import Dispatch
import NetworkPath
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// The kernel's ordinary cases, each in a network namespace of its own.
@Suite(.ownThread) struct KernelCaseTests {
  @Test func tellsTheWholePathWhenOnline() throws {
    let world = try WatchedNamespace { try $0.addUplink("eth0") }
    let path = world.path
    #expect(path.status == .satisfied)
    #expect(path.reason == nil)
    #expect(path.supportsIPv4 && !path.supportsIPv6)
    #expect(path.availableInterfaces.map(\.name) == ["eth0"])
    #expect(path.availableInterfaces.map(\.type) == [.wiredEthernet])
    #expect(path.gateways.map(\.addressText) == ["192.0.2.1"])
    #expect(path.explanation.hasPrefix("online via eth0, wired, gateway 192.0.2.1, IPv4"))
  }

  /// K1: one link message; the routes stay, flagged linkdown.
  @Test func carrierLostAndBack() throws {
    let world = try WatchedNamespace {
      try $0.addUplink("eth0")
      try $0.ip("addr add 2001:db8::2/64 dev eth0 nodad", "-6 route add default via 2001:db8::1 dev eth0")
    }
    #expect(world.path.supportsIPv4 && world.path.supportsIPv6)
    let lost = try world.after({ try world.namespace.ip("link set eth0p down") }, "unsatisfied") {
      $0.status == .unsatisfied
    }
    #expect(lost.reason == .noCarrier)
    #expect(lost.cause == "eth0 has no carrier")
    #expect(lost.explanation == "offline: default via 192.0.2.1 dev eth0 has no carrier")
    let back = try world.after({ try world.namespace.ip("link set eth0p up") }, "satisfied by both families") {
      $0.status == .satisfied && $0.supportsIPv4 && $0.supportsIPv6
    }
    #expect(back.gateways.map(\.addressText) == ["192.0.2.1", "2001:db8::1"])
  }

  /// K2: the kernel silently removes the IPv4 default at "down", and does not restore it at "up".
  @Test func administrativelyDown() throws {
    let world = try WatchedNamespace { try $0.addUplink("eth0") }
    let down = try world.after({ try world.namespace.ip("link set eth0 down") }, "unsatisfied") {
      $0.status == .unsatisfied
    }
    #expect(down.reason == .linkDown)
    #expect(down.explanation == "offline: eth0 is down")
    let up = try world.after({ try world.namespace.ip("link set eth0 up") }, "another reason after up") {
      $0.reason == .noRoute
    }
    #expect(up.status == .unsatisfied)
    #expect(up.explanation == "offline: no route to the internet")
  }

  /// K2, both in one batch: the link is unchanged, the route is gone.
  @Test func downAndUpAtOnce() throws {
    let world = try WatchedNamespace { try $0.addUplink("eth0") }
    let path = try world.after(
      { try world.namespace.ip("link set eth0 down", "link set eth0 up") }, "no route", steps: 2
    ) { $0.reason == .noRoute }
    #expect(path.status == .unsatisfied)
    #expect(world.path.status == .unsatisfied)
  }

  /// K3: the default is silently removed with the last address.
  @Test func lastAddressDeleted() throws {
    let world = try WatchedNamespace {
      try $0.addUplink("eth0")
      try $0.ip("addr add 2001:db8::2/64 dev eth0 nodad", "-6 route add default via 2001:db8::1 dev eth0")
    }
    let path = try world.after({ try world.namespace.ip("addr del 192.0.2.2/24 dev eth0") }, "IPv6 only") {
      !$0.supportsIPv4
    }
    #expect(path.status == .satisfied)
    #expect(path.supportsIPv6)
  }

  /// K3 for IPv6: the route stays, but there is no source address.
  @Test func lastIPv6AddressDeleted() throws {
    let world = try WatchedNamespace {
      try $0.addUplink("eth0", gateway: nil)
      try $0.ip("addr add 2001:db8::2/64 dev eth0 nodad", "-6 route add default via fe80::1 dev eth0")
    }
    let path = try world.after({ try world.namespace.ip("addr del 2001:db8::2/64 dev eth0") }, "no address") {
      $0.status == .unsatisfied
    }
    #expect(path.reason == .noAddress)
    #expect(path.explanation == "offline: default via fe80::1 dev eth0 has no IPv6 address to send from")
  }

  /// K8 for IPv6: the kernel keeps choosing it.
  @Test func theBetterOfTwoIPv6DefaultsIsDead() throws {
    let world = try WatchedNamespace {
      try $0.addUplink("eth0", address: "2001:db8::2/64", gateway: "2001:db8::1", metric: 100)
      try $0.addUplink("wlan0", address: "2001:db8:1::2/64", gateway: "2001:db8:1::1", metric: 600)
    }
    #expect(world.path.availableInterfaces.map(\.name) == ["eth0", "wlan0"])
    let dead = try world.after({ try world.namespace.ip("link set eth0p down") }, "the dead one") {
      $0.availableInterfaces.first?.name != "eth0"
    }
    #expect(dead.status == .unsatisfied)
    #expect(dead.reason == .noCarrier)
    let second = try world.after(
      { try world.namespace.sysctl("net/ipv6/conf/all/ignore_routes_with_linkdown", "1") }, "the second default"
    ) { $0.status == .satisfied }
    #expect(second.availableInterfaces.map(\.name) == ["wlan0"])
  }

  /// K18: a repeated router advertisement changes nothing that is reported, and a deprecated address still counts.
  @Test func refreshedLifetimesAreNotNews() throws {
    let world = try WatchedNamespace {
      try $0.addUplink("eth0", gateway: nil)
      try $0.ip(
        "addr add 2001:db8::2/64 dev eth0 nodad valid_lft 600 preferred_lft 300",
        "-6 route add default via fe80::1 dev eth0 proto ra expires 600")
    }
    try world.namespace.ip(
      "addr change 2001:db8::2/64 dev eth0 valid_lft 900 preferred_lft 600",
      "-6 route replace default via fe80::1 dev eth0 proto ra expires 900",
      "addr change 2001:db8::2/64 dev eth0 valid_lft 900 preferred_lft 0")
    try world.expectNothingReported()
  }

  /// K8: the kernel still picks the dead default; with the sysctl, set later, it does not.
  @Test func theBetterOfTwoDefaultsIsDead() throws {
    let world = try WatchedNamespace {
      try $0.addUplink("eth0", metric: 100)
      try $0.addUplink("wlan0", address: "198.51.100.2/24", gateway: "198.51.100.1", metric: 600)
    }
    #expect(world.path.availableInterfaces.map(\.name) == ["eth0", "wlan0"])
    let dead = try world.after({ try world.namespace.ip("link set eth0p down") }, "unsatisfied") {
      $0.status == .unsatisfied
    }
    #expect(dead.reason == .noCarrier)
    #expect(
      dead.explanation
        == "offline: default via 192.0.2.1 dev eth0 has no carrier; a second default on wlan0 is shadowed by its metric"
    )
    let second = try world.after(
      { try world.namespace.sysctl("net/ipv4/conf/all/ignore_routes_with_linkdown", "1") }, "the second default"
    ) { $0.status == .satisfied }
    #expect(second.availableInterfaces.map(\.name) == ["wlan0"])
  }

  /// K12: each type of route has its own reason.
  @Test(arguments: [
    ("throw", NWPath.Reason.noRoute), ("unreachable", .unreachable), ("blackhole", .blackhole),
    ("prohibit", .prohibited),
  ])
  func defaultOfAType(_ type: String, _ reason: NWPath.Reason) throws {
    for family in ["-4", "-6"] {
      let world = try WatchedNamespace {
        try $0.addUplink("eth0", gateway: nil)
        try $0.ip("addr add 2001:db8::2/64 dev eth0 nodad")
      }
      #expect(world.path.reason == .noRoute)
      // The route's type must be what changes the path: the default route is there first.
      let gateway = family == "-4" ? "192.0.2.1" : "2001:db8::1"
      try world.after(
        { try world.namespace.ip("\(family) route add default via \(gateway) dev eth0 metric 10") }, "a way"
      ) {
        $0.status == .satisfied
      }
      let path = try world.after({ try world.namespace.ip("\(family) route add \(type) default metric 5") }, "no way") {
        $0.status == .unsatisfied
      }
      #expect(path.reason == reason, "\(family) \(type)")
    }
  }

  /// K13: the route that routers' software adds where there is no IPv6.
  @Test func unreachableIPv6DefaultOfLastResort() throws {
    let world = try WatchedNamespace {
      try $0.addUplink("eth0")
      try $0.ip(
        "addr add 2001:db8::2/64 dev eth0 nodad", "-6 route add unreachable default metric 4294967295 dev lo")
    }
    #expect(world.path.supportsIPv4)
    #expect(!world.path.supportsIPv6)
    let path = try world.after({ try world.namespace.ip("route del default") }, "unsatisfied") {
      $0.status == .unsatisfied
    }
    #expect(path.reason == .unreachable)
  }

  /// K16
  @Test func interfaceDeleted() throws {
    let world = try WatchedNamespace { try $0.addUplink("eth0") }
    let path = try world.after({ try world.namespace.ip("link del eth0") }, "unsatisfied") { $0.status == .unsatisfied }
    #expect(path.availableInterfaces.isEmpty)
  }

  /// K17: an address cannot be a source until duplicate address detection has passed.
  @Test func ipv6AddressTentativeThenFailedThenLinkLocalOnly() throws {
    let neighbour = try NetworkNamespace()
    let world = try WatchedNamespace { namespace in
      try namespace.addUplink("eth0", gateway: nil, isAsked: true)
      try namespace.move("eth0p", to: neighbour)
      try neighbour.ip(
        "link set eth0p up", "addr add 2001:db8::7/64 dev eth0p nodad", "addr add fe80::1/64 dev eth0p nodad",
        "addr add 192.0.2.1/24 dev eth0p")
      // Detection that takes two seconds: long enough to be observed.
      try namespace.sysctl("net/ipv6/conf/eth0/dad_transmits", "2")
      try namespace.ip("addr add 2001:db8::2/64 dev eth0", "-6 route add default via fe80::1 dev eth0")
    }
    #expect(!world.path.supportsIPv6)
    #expect(world.path.reason == .noAddress)
    #expect(world.path.cause == "eth0 has no IPv6 address to send from")
    try world.after({}, "IPv6 when detection has passed") { $0.supportsIPv6 }
    // The neighbour already has this one: detection fails, and the address does not count when it is the only one left.
    try world.namespace.ip("addr add 2001:db8::7/64 dev eth0")
    try world.after({ try world.namespace.ip("addr del 2001:db8::2/64 dev eth0") }, "tentative") { !$0.supportsIPv6 }
    let failed = Recorder<Bool>()
    DispatchQueue.global().async {
      while (try? world.namespace.inside { try Subprocess.run("ip", ["addr", "show", "dadfailed"]).output.isEmpty })
        == true
      {}
      failed.record(true)
    }
    try failed.wait("the failure of detection") { !$0.isEmpty }
    #expect(!world.path.supportsIPv6)
    // Only the link-local address is left.
    try world.namespace.ip("addr del 2001:db8::7/64 dev eth0")
    // The next path follows from another change: none of the changes above was reported.
    let next = try world.after({ try world.namespace.ip("route add default via 192.0.2.1") }, "IPv4") { _ in true }
    #expect(next.supportsIPv4 && !next.supportsIPv6)
  }

  /// A deprecated address still counts, and so does the local end of a point-to-point link (K20).
  @Test func deprecatedAndPointToPointAddressesCount() throws {
    let world = try WatchedNamespace {
      try $0.ip(
        "link add ppp7 type veth peer name ppp7p", "link set ppp7p up", "link set ppp7 up",
        "addr add 192.0.2.9 peer 198.51.100.9 dev ppp7", "route add default dev ppp7",
        "addr add 2001:db8::9/64 dev ppp7 nodad preferred_lft 0", "-6 route add default via fe80::1 dev ppp7")
    }
    #expect(world.path.supportsIPv4 && world.path.supportsIPv6)
    let path = try world.after({ try world.namespace.ip("addr del 192.0.2.9 peer 198.51.100.9 dev ppp7") }, "IPv6 only")
    {
      !$0.supportsIPv4
    }
    #expect(path.supportsIPv6)
  }

  /// The same address towards two peers exists twice: when one is removed, the other stays (K20).
  @Test func oneAddressTowardsTwoPeersIsTwo() throws {
    let world = try WatchedNamespace {
      try $0.ip(
        "link add ppp7 type veth peer name ppp7p", "link set ppp7p up", "link set ppp7 up",
        "addr add 192.0.2.9 peer 198.51.100.8/32 dev ppp7", "addr add 192.0.2.9 peer 198.51.100.9/32 dev ppp7",
        "route add default dev ppp7")
    }
    let path = try world.after(
      {
        try world.namespace.ip(
          "addr del 192.0.2.9 peer 198.51.100.9/32 dev ppp7", "addr add 2001:db8::9/64 dev ppp7 nodad",
          "-6 route add default via fe80::1 dev ppp7")
      }, "IPv6 too", steps: 2
    ) { $0.supportsIPv6 }
    #expect(path.supportsIPv4)
    #expect(!world.paths.values.contains { $0.status != .satisfied })
  }

  /// K24: the uplink has no address of its own; the kernel chooses the one on lo.
  @Test func anUnnumberedUplink() throws {
    let world = try WatchedNamespace { namespace in
      try namespace.addUplink("eth0", gateway: nil)
      try namespace.ip(
        "addr flush dev eth0", "addr add 203.0.113.7/32 dev lo",
        "route add default via 192.0.2.1 dev eth0 onlink src 203.0.113.7")
    }
    #expect(world.path.status == .satisfied)
    let path = try world.after({ try world.namespace.ip("addr del 203.0.113.7/32 dev lo") }, "no address") {
      $0.status == .unsatisfied
    }
    #expect(path.reason == .noRoute || path.reason == .noAddress)
  }

  /// K38: each batch removes the default route, or the address with it, and adds it again.
  @Test(arguments: [
    ["route del default", "route add default via 192.0.2.1"],
    [
      "route del default", "addr del 192.0.2.2/24 dev eth0", "addr add 192.0.2.2/24 dev eth0",
      "route add default via 192.0.2.1",
    ],
  ])
  func aRenewalIsNoOutage(_ lines: [String]) throws {
    let world = try WatchedNamespace { try $0.addUplink("eth0") }
    var quickRounds = 0
    for _ in 0..<200 where quickRounds < 20 {
      var count = world.watcher.counters.evaluations
      let (paths, start) = (world.paths.values.count, BootClock.now)
      try world.namespace.ip(lines.joined(separator: "\n"))
      let end = BootClock.now
      // Looks follow for at most a tenth of a second. The next batch belongs to no earlier burst.
      while eventually(within: .milliseconds(150), { world.watcher.counters.evaluations != count }) {
        count = world.watcher.counters.evaluations
      }
      // What a busy machine cuts into two is an outage.
      guard end - start < .milliseconds(50) else { continue }
      quickRounds += 1
      #expect(world.paths.values.count == paths, "\(world.paths.values[(paths - 1)...].map(\.explanation))")
    }
    #expect(quickRounds > 0, "COULD NOT RUN: no batch of ip(8) took less than 50 ms")
    try world.after({ try world.namespace.ip("route del default") }, "the loss") { $0.reason == .noRoute }
  }

  /// K39: the kernel looks up IPv4 as UDP.
  @Test("a rule against UDP alone is no outage", arguments: ["prohibit", "unreachable", "blackhole"])
  func aRuleAgainstUDP(_ type: String) throws {
    let world = try WatchedNamespace { try $0.addUplink("eth0") }
    let before = world.watcher.counters.evaluations
    try world.namespace.ip("rule add pref 40 ipproto udp \(type)")
    #expect(eventually { world.watcher.counters.evaluations > before })
    // A nameserver is asked by UDP, so the first rule may end DNS.
    try world.after({ try world.namespace.ip("rule add pref 41 \(type)") }, "the refusal of all", steps: 2) {
      $0.status == .unsatisfied
    }
    #expect(world.paths.values.dropLast().allSatisfy { $0.status == .satisfied })
  }

  /// K19: none of these changes where the kernel would send a packet.
  @Test func noiseIsNotNews() throws {
    let world = try WatchedNamespace { try $0.addUplink("eth0") }
    try world.namespace.ip(
      "link set eth0 mtu 1400", "link set eth0 mtu 1500", "link set eth0 up", "link set eth0 alias noise",
      "maddr add 33:33:00:00:00:05 dev eth0", "addr change 192.0.2.2/24 dev eth0",
      "link add docker0 type bridge", "link set docker0 up", "addr add 172.17.0.1/16 dev docker0",
      "link add veth12 type veth peer name veth12p", "link set veth12 master docker0", "link set veth12 up",
      "link set veth12p up", "link set veth12 nomaster", "link del veth12", "link del docker0",
      "link add mac0 link eth0 type macvlan mode bridge", "link set mac0 up", "link del mac0")
    try world.expectNothingReported()
  }

  /// K19 for an unused tunnel.
  @Test(.needsTunDevice) func anUnusedTunnelIsNotNews() throws {
    let world = try WatchedNamespace { try $0.addUplink("eth0") }
    try world.namespace.ip("tuntap add tun7 mode tun", "link set tun7 up", "link del tun7")
    try world.expectNothingReported()
  }
}
