import Dispatch
@testable import NetworkPath
import OverlineTestSupport
import OverlineTestThread
import Testing

/// Networks by name, in real namespaces.
@Suite(.ownThread) struct TargetTests {
  private func target(_ name: String, _ network: String) throws -> PathTarget {
    try PathTarget(name: name, network: network)
  }

  /// A change of a target alone is a change of the path: a VPN's routes come and go.
  @Test func changesOfATargetAreReported() throws {
    let targets = [try target("office", "10.20.0.0/16"), try target("lab", "2001:db8:5::/48")]
    let world = try WatchedNamespace(options: PathOptions(targets: targets)) {
      try $0.addUplink("eth0", gateway: nil)
      try $0.ip(
        "addr add 2001:db8::2/64 dev eth0 nodad", "route add 0.0.0.0/1 via 192.0.2.1",
        "route add 128.0.0.0/1 via 192.0.2.1")
      try $0.ip("route add unreachable 10.20.0.0/16")
    }
    #expect(world.path.status == .satisfied)
    #expect(world.path.targets.map(\.reason) == [.unreachable, .noRoute])
    #expect(world.path.explanation.hasSuffix("; not reachable: office, lab"))
    let both = try world.after(
      {
        // The first covers only the first addresses; the second is longer than a word.
        try world.namespace.ip("route add 10.20.0.0/24 via 192.0.2.9", "-6 route add 2001:db8:5::/64 via 2001:db8::9")
      }, "both", steps: 2
    ) { $0.targets.allSatisfy(\.isReachable) }
    #expect(
      both.targets.map(\.explanation) == [
        "office (10.20.0.0/16) is reachable via eth0, gateway 192.0.2.9",
        "lab (2001:db8:5::/48) is reachable via eth0, gateway 2001:db8::9",
      ])
    #expect(!both.explanation.contains("not reachable"))
    // Repeat it more often than late messages of a new namespace could cause a look by chance.
    for _ in 0..<6 {
      try world.after({ try world.namespace.ip("route del 10.20.0.0/24") }, "the end of one") {
        $0.targets.map(\.isReachable) == [false, true]
      }
      try world.after({ try world.namespace.ip("route add 10.20.0.0/24 via 192.0.2.9") }, "its return") {
        $0.targets.allSatisfy(\.isReachable)
      }
    }
    let dark = try world.after({ try world.namespace.ip("link set eth0p down") }, "no carrier", steps: 2) {
      $0.status == .unsatisfied && !$0.targets[1].isReachable
    }
    #expect(dark.targets[1].reason == .noCarrier)
    #expect(
      dark.targets[1].explanation
        == "lab (2001:db8:5::/48) is not reachable: 2001:db8:5::/64 via 2001:db8::9 dev eth0 has no carrier")
  }

  /// As babel and OpenWrt announce it: only packets from the network's own addresses may take the default route.
  @Test func aDefaultRouteForSomeSourcesIsOne() throws {
    let world = try WatchedNamespace { try $0.addUplink("eth0", gateway: nil) }
    let (add, del) = ("-6 route add", "-6 route del")
    let route = "default from 2001:db8:1::/64 via fe80::1 dev eth0"
    try world.after(
      { try world.namespace.ip("-6 addr add 2001:db8:1::2/64 dev eth0 nodad", "\(add) \(route)") }, "IPv6"
    ) {
      $0.status == .satisfied && $0.supportsIPv6 && !$0.supportsIPv4
    }
    try world.after({ try world.namespace.ip("\(del) \(route)") }, "no route") { $0.status == .unsatisfied }
  }

  /// A laboratory without a default route: the user says which network decides.
  @Test func onlineMeansARouteToTheUsersNetworks() throws {
    let networks = [try target("a", "10.0.0.0/8").network, try target("b", "2001:db8:5::/48").network]
    var options = PathOptions()
    options.onlineMeans = networks
    let world = try WatchedNamespace(options: options) {
      try $0.addUplink("eth0", gateway: nil)
      try $0.ip("route add 10.0.0.0/8 via 192.0.2.1")
    }
    #expect(world.path.status == .satisfied)
    #expect(
      world.path.explanation.hasPrefix("online via eth0, wired, gateway 192.0.2.1, IPv4"), "\(world.path.explanation)")
    #expect(!world.path.supportsIPv6)
    let lost = try world.after({ try world.namespace.ip("route del 10.0.0.0/8") }, "no route") {
      $0.status == .unsatisfied
    }
    #expect(lost.explanation == "offline: no route to 10.0.0.1 in 10.0.0.0/8, 2001:db8:5::1 in 2001:db8:5::/48")
    // The kernel's filter passes these routes, however long their prefixes are.
    try world.after({ try world.namespace.ip("route add 10.0.0.0/24 via 192.0.2.1") }, "a route to a part of it") {
      $0.status == .satisfied
    }
    // A default route leads there too.
    try world.after(
      { try world.namespace.ip("route add default via 192.0.2.1", "route del 10.0.0.0/24") }, "the default", steps: 2
    ) { $0.status == .satisfied }
    let dark = try world.after({ try world.namespace.ip("link set eth0p down") }, "no carrier") {
      $0.status == .unsatisfied
    }
    #expect(dark.cause == "eth0 has no carrier")
  }

  @Test func whatTheUserAssumesIsSaid() throws {
    var options = PathOptions()
    options.assumption = .online
    let world = try WatchedNamespace(options: options) { try $0.addUplink("eth0") }
    #expect(world.path.explanation.hasSuffix("; assumed online"), "\(world.path.explanation)")
    let assumed = try world.after({ try world.namespace.ip("link set eth0p down") }, "no carrier") {
      $0.explanation.hasPrefix("online: assumed")
    }
    #expect(assumed.status == .satisfied)
    #expect(assumed.reason == nil)
    #expect(
      assumed.explanation
        == "online: assumed by the configuration; offline: default via 192.0.2.1 dev eth0 has no carrier")
  }

  /// A network of its own, without a route to the internet.
  @Test func aTargetNeedsNoInternet() throws {
    let world = try WatchedNamespace(options: PathOptions(targets: [try target("lan", "192.0.2.0/24")])) {
      try $0.addUplink("eth0", gateway: nil)
    }
    #expect(world.path.status == .unsatisfied)
    #expect(world.path.targets[0].explanation == "lan (192.0.2.0/24) is reachable via eth0")
  }

  /// K30, K40: a VPN's network, to which the default route leads while the VPN is off.
  @Test func aPrivateNetworkByTheDefaultRouteIsReportedSo() throws {
    let targets = [
      try target("office", "10.20.0.0/16"), try target("ula", "fd00:20::/48"), try PathTarget("203.0.113.9"),
    ]
    let world = try WatchedNamespace(options: PathOptions(targets: targets)) {
      try $0.addUplink("eth0")
      try $0.ip("addr add 2001:db8::2/64 dev eth0 nodad", "-6 route add default via 2001:db8::1 dev eth0")
    }
    #expect(world.path.targets.map(\.isReachable) == [false, false, true])
    #expect(world.path.targets.map(\.isByDefaultRoute) == [true, true, false])
    #expect(
      world.path.targets[0].explanation
        == "office (10.20.0.0/16) is not reachable: only the default route leads there")
    #expect(world.path.explanation.hasSuffix("; not reachable: office, ula"))
    let own = try world.after(
      {
        try world.namespace.ip("route add 10.20.0.0/16 via 192.0.2.9", "-6 route add fd00:20::/44 via 2001:db8::9")
      }, "routes of their own", steps: 2
    ) { $0.targets.allSatisfy(\.isReachable) }
    #expect(own.targets[0].explanation == "office (10.20.0.0/16) is reachable via eth0, gateway 192.0.2.9")
    try world.after({ try world.namespace.ip("route del 10.20.0.0/16") }, "the default route again") {
      $0.targets[0].isByDefaultRoute && !$0.targets[0].isReachable
    }
  }

  /// K40: a default route into a tunnel leads to the VPN's network, by each of the three common set-ups.
  @Test(
    .needsTunDevice,
    arguments: [
      ["route add default dev tun0 metric 50"],
      [
        "route add default dev tun0 table 51820", "rule add not fwmark 51820 table 51820",
        "rule add table main suppress_prefixlength 0",
      ], ["route add 0.0.0.0/1 dev tun0", "route add 128.0.0.0/1 dev tun0"],
    ])
  func aDefaultRouteIntoATunnelReachesAPrivateNetwork(_ lines: [String]) throws {
    let targets = [try target("office", "10.20.0.0/16"), try PathTarget("203.0.113.9")]
    let world = try WatchedNamespace(options: PathOptions(targets: targets)) {
      try $0.addUplink("eth0", metric: 600)
    }
    #expect(world.path.targets.map(\.isReachable) == [false, true])
    let tunnel = try TunDevice("tun0", in: world.namespace)
    defer { withExtendedLifetime(tunnel) {} }
    try world.namespace.ip("addr add 10.8.0.2/24 dev tun0", "link set tun0 up", "route add 198.51.100.7 via 192.0.2.1")
    let path = try world.after({ try world.namespace.ip(lines.joined(separator: "\n")) }, "the VPN", steps: 3) {
      $0.targets.map(\.isReachable) == [true, true]
    }
    #expect(path.targets.allSatisfy { !$0.isByDefaultRoute })
  }

  @Test func onlyTheInterfaceThatIsAskedAboutCounts() throws {
    let options = PathOptions(targets: [try target("office", "10.20.0.0/16")], interface: "wlan0")
    let world = try WatchedNamespace(options: options) { try $0.addUplink("eth0") }
    #expect(world.path.explanation == "offline: there is no interface wlan0")
    #expect(world.path.targets[0].explanation == "office (10.20.0.0/16) is not reachable: there is no interface wlan0")
    // The interface may appear later.
    let come = try world.after(
      { try world.namespace.addUplink("wlan0", address: "198.51.100.2/24", gateway: "198.51.100.1", metric: 600) },
      "its own way", steps: 5
    ) { $0.status == .satisfied }
    #expect(come.availableInterfaces.map(\.name) == ["wlan0"])
    #expect(come.gateways.map(\.addressText) == ["198.51.100.1"])
    #expect(come.targets[0].isByDefaultRoute)
    let dark = try world.after({ try world.namespace.ip("link set wlan0p down") }, "no carrier", steps: 2) {
      $0.status == .unsatisfied
    }
    #expect(dark.reason == .noCarrier)
    try world.after({ try world.namespace.ip("link del wlan0") }, "its end", steps: 2) {
      $0.explanation == "offline: there is no interface wlan0"
    }
  }

  @Test func onlyTheFamilyThatIsAskedAboutCounts() throws {
    let world = try WatchedNamespace(options: PathOptions(families: [.ipv6])) { try $0.addUplink("eth0") }
    #expect(world.path.explanation == "offline: no route to the internet")
    let path = try world.after(
      {
        try world.namespace.ip(
          "addr add 2001:db8::2/64 dev eth0 nodad", "-6 route add default via 2001:db8::1 dev eth0")
      }, "IPv6", steps: 2
    ) { $0.status == .satisfied }
    #expect(path.supportsIPv6 && !path.supportsIPv4)
    #expect(path.gateways.map(\.addressText) == ["2001:db8::1"])
  }
}

/// The kernel's filter, message by message.
@Suite(.ownThread) struct TargetFilterTests {
  private let namespace: NetworkNamespace
  private let sockets: NetlinkSockets

  init() throws {
    namespace = try NetworkNamespace()
    sockets = try inside(namespace)
  }

  /// The number of route messages that arrive: the kernel has sent them all when a change is made. The only link is lo,
  /// about which the kernel sends nothing later.
  private func messages(_ lines: [String]) throws -> Int {
    _ = try sockets.events.receive(limit: .max)
    for family in ["-4", "-6"] {
      let lines = lines.filter { $0.hasPrefix(family) }.map { $0.dropFirst(3) }
      if !lines.isEmpty { try namespace.ip("\(family) \(lines.joined(separator: "\n"))") }
    }
    return try sockets.events.receive(limit: .max).events.count { $0 == .routingChanged }
  }

  private func pass(_ targets: String...) throws {
    try sockets.pass(targets.map { try PathTarget($0).network })
  }

  @Test func tenThousandForeignRoutesWakeNothingAndACoveringOneDoes() throws {
    try pass("10.20.0.0/16", "2001:db8:5::/48")
    let foreign = (0..<5000).map { "-4 route add 10.\(40 + $0 / 250).\($0 % 250).0/24 dev lo" }
    let foreign6 = (0..<4750).map { "-6 route add 2001:db8:\(String(0x100 + $0, radix: 16))::/64 dev lo" }
    // Within the targets, but not covering the probed addresses.
    let beside = (1...250).map { "-4 route add 10.20.\($0).0/24 dev lo" }
    #expect(try messages(foreign + foreign6 + beside) == 0)
    #expect(try messages(["-4 route add 10.20.0.0/24 dev lo"]) == 1)
    #expect(try messages(["-4 route del 10.20.0.0/24 dev lo"]) == 1)
    #expect(try messages(["-6 route add 2001:db8:4::/46 dev lo"]) == 1)
    #expect(try messages(["-6 route add 2001:db8:5::/126 dev lo"]) == 1)
    #expect(try messages(["-4 route add default dev lo", "-6 route add 2000::/3 dev lo"]) == 2)
  }

  /// The filter program in the kernel against its specification, over lengths and near misses.
  @Test func theKernelPassesExactlyWhatCoversATarget() throws {
    let texts = [
      "10.20.0.0/16", "10.96.7.8", "10.128.0.0/9", "2001:db8:5::/48", "2001:db8:9:8:7:6:5:4", "2001:db8:a0::/44",
    ]
    let networks = try texts.map { try PathTarget($0).network }
    try sockets.pass(networks)
    var generator = SystemRandomNumberGenerator()
    var routes: Set<IPPrefix> = []
    for network in networks {
      let family = network.address.family
      for length in (family == .ipv4 ? 9 : 32)...family.width {
        let hit = network.firstUsable.value
        let miss =
          hit ^ (1 << UInt128(Int.random(in: 0..<(family.width - (family == .ipv4 ? 8 : 28)), using: &generator)))
        for value in [hit, miss] {
          let route = IPPrefix(address: AnyIPAddress(family: family, value: value), length: length)
          routes.insert(IPPrefix(address: route.base, length: length))
        }
      }
    }
    // The last two bits of a network's first address do not count: it may be this machine's own.
    func covers(_ route: IPPrefix, _ network: IPPrefix) -> Bool {
      let width = network.address.family.width
      let counted = min(route.length, max(network.length, width - 2))
      func base(_ address: AnyIPAddress) -> AnyIPAddress { IPPrefix(address: address, length: counted).base }
      return route.address.family == network.address.family && base(route.base) == base(network.base)
    }
    let passing = routes.filter { route in networks.contains { covers(route, $0) } }
    #expect(passing.count > 200 && routes.count - passing.count > 100)
    func lines(_ routes: some Sequence<IPPrefix>) -> [String] {
      routes.map { "\($0.address.family == .ipv4 ? "-4" : "-6") route add unreachable \($0) metric 77" }
    }
    #expect(try messages(lines(routes.subtracting(passing))) == 0)
    #expect(try messages(lines(passing)) == passing.count)
  }

  /// On a link of two hosts the watcher probes the other address if the first one is this machine's own.
  @Test func bothAddressesOfALinkOfTwoMayBeAskedAbout() throws {
    try pass("192.0.2.0/31", "2001:db8::/127", "198.51.100.1/32")
    #expect(try messages(["-4 route add 192.0.2.0/32 dev lo", "-4 route add 192.0.2.1/32 dev lo"]) == 2)
    #expect(try messages(["-4 route add 192.0.2.2/32 dev lo", "-4 route add 192.0.2.2/31 dev lo"]) == 0)
    #expect(try messages(["-6 route add 2001:db8::/128 dev lo", "-6 route add 2001:db8::1/128 dev lo"]) == 2)
    #expect(try messages(["-6 route add 2001:db8::2/128 dev lo"]) == 0)
    // A single address matches only itself.
    #expect(try messages(["-4 route add 198.51.100.0/32 dev lo", "-4 route add 198.51.100.1/32 dev lo"]) == 1)
  }

  /// The maximum number of targets in a configuration, of the longer family, and of nameservers.
  @Test func theKernelTakesTheLargestFilter() throws {
    let networks = try (0..<PathTarget.maximumTargetCount).map { try PathTarget("2001:db8:\($0)::/48").network }
    let servers = (1...9).map { Nameserver(AnyIPAddress("2001:db8:53::\($0)")!) }.networks
    #expect(servers.count == 3)
    try sockets.pass(networks + servers)
    #expect(try messages(["-6 route add 2001:db8:31::/64 dev lo"]) == 1)
    #expect(try messages(["-6 route add 2001:db8:32::/64 dev lo"]) == 0)
    #expect(try messages(["-6 route add 2001:db8:53::/64 dev lo"]) == 1)
    let short = try (0..<PathTarget.maximumTargetCount).map { try PathTarget("10.\($0).0.0/16").network }
    try sockets.pass(short)
    #expect(try messages(["-4 route add 10.31.0.0/24 dev lo", "-4 route add 10.32.0.0/24 dev lo"]) == 1)
  }
}
