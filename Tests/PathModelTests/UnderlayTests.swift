import NetworkPath
import OverlineTestThread
import Testing

/// Underlays of a tunnel, for kinds of links and routes that are hard to create in a namespace.
@Suite(.ownThread) struct UnderlayTests {
  private static let up: UInt32 = 0x1_1043
  private static let noCarrier: UInt32 = 0x1003

  /// A link without a kind is a network card.
  private func link(
    _ index: Int, _ name: String, _ kind: String = "", flags: UInt32 = up, type: UInt16 = 1, lower: Int = 0,
    master: Int = 0, elsewhere: Bool = false
  ) -> LinkChange {
    LinkChange(
      index: index, flags: flags, hardwareType: type, name: name, operationalState: .up, kind: kind, lowerIndex: lower,
      masterIndex: master, isLowerElsewhere: elsewhere, hasParentDevice: kind.isEmpty)
  }

  private func used(_ index: Int, _ name: String) -> NWInterface { NWInterface(name: name, index: index, type: .other) }

  /// The path of a tunnel over these links. Each has an address, except ports and those in `without`.
  ///
  /// - Parameter under: the link that the monitor has seen carry the tunnel.
  private func path(
    _ links: [LinkChange], tunnel: LinkChange? = nil, kernel: TunnelOracle = TunnelOracle(), without: Set<Int> = [],
    under: NWInterface? = nil, word: TunnelWord? = nil, options: PathOptions = PathOptions()
  ) -> NWPath {
    evaluation(links, tunnel: tunnel, kernel: kernel, without: without, under: under, word: word, options: options)
      .path
  }

  private func evaluation(
    _ links: [LinkChange], tunnel: LinkChange? = nil, kernel: TunnelOracle = TunnelOracle(), without: Set<Int> = [],
    under: NWInterface? = nil, word: TunnelWord? = nil, options: PathOptions = PathOptions(), endsOutage: Bool = false
  ) -> PathEvaluation {
    var tables = NetworkTables()
    for link in links + [tunnel ?? self.link(9, "wg0", "wireguard", type: 65534)] {
      tables.apply(.linkChanged(link))
      let isPort = link.masterIndex != 0 && links.first { $0.index == link.masterIndex }?.kind != "vrf"
      if isPort || without.contains(link.index) { continue }
      let address = AnyIPAddress(family: .ipv4, value: 0xc000_0200 + UInt128(link.index))
      tables.apply(
        .addressChanged(InterfaceAddress(key: .init(index: link.index, address: address, prefixLength: 24))))
    }
    let lower = under.map { TunnelMemory.Lower(index: $0.index, name: $0.name) }
    let tunnels = TunnelKnowledge(memories: lower.map { [9: TunnelMemory(lower: $0)] } ?? [:], word: word)
    let lastUsed = under.map { [used(9, "wg0"), $0] } ?? []
    return PathDecision(
      tables: tables, options: options, lastUsed: lastUsed, tunnels: tunnels, endsOutage: endsOutage, oracle: kernel
    ).evaluation()
  }

  private func route(_ prefix: String, _ length: Int, by interface: Int, via gateway: String?, flags: UInt32 = 0)
    -> RouteMatch
  {
    RouteMatch(
      prefix: IPPrefix(address: AnyIPAddress(prefix)!, length: length),
      legs: [.init(interface: interface, gateway: gateway.flatMap { AnyIPAddress($0) }, flags: flags)])
  }

  // MARK: In words

  @Test func aVPNIsNamedWithTheLinkBelowIt() {
    let found = path([link(2, "wlan0")], kernel: TunnelOracle(ways: [2]))
    #expect(found.tunnels.map(\.use) == [.carries])
    #expect(found.tunnels.first?.underlay?.name == "wlan0")
    #expect(found.tunnels.map(\.explanation) == ["VPN wg0 over wlan0"])
    #expect(found.explanation.hasPrefix("online via wg0, tunnel over wlan0, "), "\(found.explanation)")
    #expect(found.tunnels.first?.bypassing == [])
    // Its packets leave from another namespace.
    #expect(path([]).tunnels.map(\.explanation) == ["VPN wg0"])
  }

  @Test func aDeadVPNIsDown() {
    let found = path([link(2, "wlan0", flags: Self.noCarrier)], kernel: TunnelOracle(), under: used(2, "wlan0"))
    #expect(found.tunnels.map(\.use) == [.down])
    #expect(found.tunnels.map(\.explanation) == ["VPN wg0 is dead: wlan0 has no carrier"])
  }

  /// Only what a VPN has set up: no tunnel of containers, and none without an address.
  @Test func anUnusedVPNIsBypassedOrDown() {
    let others = [
      link(3, "tun1", "tun", type: 65534), link(4, "wg1", "wireguard", flags: 0x1002, type: 65534),
      link(5, "tun2", "tun", type: 65534), link(6, "flannel.1", "vxlan"), link(7, "sit0", "sit", type: 776),
    ]
    let found = path([link(2, "eth0")] + others, kernel: TunnelOracle(ways: [2]), without: [5])
    #expect(
      found.tunnels.map(\.explanation) == [
        "VPN wg0 over eth0", "VPN tun1 is up, but the default route bypasses it", "VPN wg1 is down",
      ])
    #expect(found.tunnels.map(\.use) == [.carries, .bypassed, .down])
    let ignoring = path(
      [link(2, "eth0")] + others, kernel: TunnelOracle(ways: [2]),
      options: PathOptions(ignored: [try! InterfaceGlob("tun*")])
    )
    #expect(ignoring.tunnels.map(\.interface.name) == ["wg0", "wg1"])
  }

  @Test func aVPNIsNamedWhileNothingLeadsAnywhere() {
    let found = path([link(2, "eth0", flags: Self.noCarrier)], kernel: TunnelOracle(isUsed: false))
    #expect(found.status == .unsatisfied)
    #expect(found.tunnels.map(\.explanation) == ["VPN wg0 is up, but no route to the internet leads into it"])
  }

  // MARK: Alone

  @Test func aloneItIsJudgedAlone() {
    #expect(path([]).status == .satisfied)
    #expect(path([link(2, "dummy0", "dummy"), link(3, "tunl0", "ipip", type: 768)]).status == .satisfied)
  }

  /// A bridge of containers or of virtual machines leads nowhere, and does not imply a link that does.
  @Test(arguments: ["veth", "netkit", "tap"]) func besideABridgeOfContainersItIsAlone(_ kind: String) {
    let bridge = link(3, "docker0", "bridge")
    #expect(path([bridge]).status == .satisfied)
    #expect(path([link(2, "port0", kind, master: 3, elsewhere: true), bridge]).status == .satisfied)
    let uplink = link(2, "eth0", master: 3)
    #expect(path([uplink, bridge]).status == .satisfied)
    #expect(path([uplink, bridge], under: used(3, "docker0")).cause == "docker0 has no route")
    #expect(path([link(4, "eth0", flags: Self.noCarrier), bridge]).cause == "eth0 has no carrier")
    // A bridge over a network card can lead out, whatever another card does.
    #expect(path([uplink, bridge, link(4, "wlan0", flags: Self.noCarrier)]).status == .satisfied)
  }

  @Test func aTunnelOfAnotherNamespaceIsJudgedAlone() {
    let tunnel = link(9, "gre1", "gre", type: 778, elsewhere: true)
    #expect(path([link(2, "eth0", flags: Self.noCarrier)], tunnel: tunnel).status == .satisfied)
  }

  @Test func whatTheUserIgnoresIsNotThere() throws {
    let options = PathOptions(ignored: [try InterfaceGlob("eth*")])
    #expect(path([link(2, "eth0", flags: Self.noCarrier)], options: options).status == .satisfied)
  }

  /// It carried the tunnel's packets a moment ago; then the device was unplugged.
  @Test func oneThatHasLostItsLinkIsNotAlone() {
    let last = used(2, "usb0")
    let dead = path([], under: last)
    #expect(dead.reason == .noUnderlay)
    #expect(dead.cause == "usb0 has been removed")
    #expect(path([link(3, "wlan0", flags: 0x1002)], under: last).cause == "usb0 has been removed")
    // It is there again, under the same name.
    #expect(path([link(4, "usb0")], under: last).cause == "usb0 has no route")
    #expect(path([link(4, "usb0")], kernel: TunnelOracle(ways: [4]), under: last).status == .satisfied)
  }

  // MARK: Routes

  /// 0.1 counted hardware, and links to another namespace, as an underlay: a dead VPN was online beside any of them.
  @Test(arguments: ["", "veth", "netkit", "bond", "vlan"]) func anInterfaceWithoutARouteIsNone(_ kind: String) {
    let lan = link(2, "lan0", kind, elsewhere: kind == "veth")
    #expect(path([lan], under: used(2, "lan0")).reason == .noUnderlay)
    #expect(path([lan], kernel: TunnelOracle(ways: [2])).status == .satisfied)
    let eth0 = link(3, "eth0", flags: Self.noCarrier)
    #expect(path([lan, eth0], kernel: TunnelOracle(ways: [3]), under: used(3, "eth0")).cause == "eth0 has no carrier")
    #expect(
      path([lan, link(3, "eth0")], kernel: TunnelOracle(ways: [3])).usedInterfaces.map(\.name) == ["wg0", "eth0"])
  }

  @Test(arguments: ["wireguard", "tun", "tap", "ovpn", "ovpn-dco", "gretap", "vti6", "vxlan"])
  func kindsOfTunnels(_ kind: String) {
    let tunnel = link(9, "wg0", kind)
    #expect(path([link(2, "eth0", flags: Self.noCarrier)], tunnel: tunnel).reason == .noUnderlay)
    // As a port it is a virtual machine's, or a switch's.
    if ["tap", "vxlan"].contains(kind) {
      let port = link(9, "wg0", kind, master: 3)
      let bridge = link(3, "br0", "vrf", flags: Self.noCarrier)
      #expect(path([link(2, "eth0", flags: Self.noCarrier), bridge], tunnel: port, without: [3]).status == .satisfied)
    }
  }

  @Test func aRouteBeyondTheLinkIsEnough() {
    func status(_ route: RouteMatch, flags: UInt32 = Self.up) -> NWPath.Status {
      path([link(2, "eth0", flags: flags)], kernel: TunnelOracle(routes: [2: [route]]), under: used(2, "eth0")).status
    }
    #expect(status(route("203.0.113.9", 32, by: 2, via: "192.0.2.1")) == .satisfied)
    #expect(status(route("10.8.0.1", 32, by: 2, via: "192.0.2.1")) == .satisfied)
    #expect(status(route("203.0.113.0", 24, by: 2, via: "192.0.2.1")) == .satisfied)
    // A default in a table that a rule selects by the sender.
    #expect(status(route("0.0.0.0", 0, by: 2, via: "192.0.2.1")) == .satisfied)
    // The link's own network, and private ones, which lead to no server on the internet.
    #expect(status(route("203.0.113.0", 24, by: 2, via: nil)) == .unsatisfied)
    #expect(status(route("10.0.0.0", 8, by: 2, via: "192.0.2.1")) == .unsatisfied)
    #expect(status(route("203.0.113.9", 32, by: 2, via: "192.0.2.1", flags: 16)) == .unsatisfied)
    #expect(status(route("203.0.113.9", 32, by: 3, via: "192.0.2.1")) == .unsatisfied)
    // A point-to-point link has no gateway address.
    #expect(status(route("203.0.113.9", 32, by: 2, via: nil), flags: Self.up | 0x10) == .satisfied)
  }

  /// The kernel filter hides changes of routes as long as those to a server.
  @Test func whereARouteToAServerDecidesThePathMayChangeUnannounced() {
    let server = TunnelOracle(routes: [2: [route("203.0.113.9", 32, by: 2, via: "192.0.2.1")]])
    for kernel in [server, TunnelOracle()] {
      #expect(evaluation([link(2, "eth0")], kernel: kernel).mayChangeUnannounced)
    }
    #expect(!evaluation([link(2, "eth0")], kernel: TunnelOracle(ways: [2])).mayChangeUnannounced)
    #expect(!evaluation([link(2, "eth0", flags: Self.noCarrier)]).mayChangeUnannounced)
  }

  /// The dump walks the kernel's whole table.
  @Test func routesAreReadOnlyWhenNothingElseAnswers() {
    for kernel in [TunnelOracle(ways: [2]), TunnelOracle(marked: [8: 2], ruleMarks: [7, 8])] {
      #expect(path([link(2, "eth0")], kernel: kernel).status == .satisfied)
      #expect(kernel.asked.dumps == 0)
    }
    let dead = TunnelOracle()
    _ = path([link(2, "eth0", flags: Self.noCarrier)], kernel: dead)
    #expect(dead.asked.dumps == 0)
    var tables = NetworkTables()
    tables.apply(.linkChanged(link(2, "eth0")))
    let plain = TunnelOracle()
    _ = PathDecision(tables: tables, oracle: plain).path()
    #expect(plain.asked.dumps == 0)
  }

  // MARK: Marks

  @Test func aMarkOfTheRulesIsTheTunnelsOwnWay() {
    let (eth0, wlan0) = (link(2, "eth0"), link(3, "wlan0"))
    #expect(path([eth0], kernel: TunnelOracle(marked: [8: 2], ruleMarks: [7, 8])).status == .satisfied)
    // Other links could carry a packet, but those with the mark leave by this one.
    let kernel = TunnelOracle(ways: [3], marked: [8: 2], ruleMarks: [8])
    #expect(path([eth0, wlan0], kernel: kernel).usedInterfaces.map(\.name) == ["wg0", "eth0"])
    #expect(path([link(2, "eth0", flags: Self.noCarrier), wlan0], kernel: kernel).cause == "eth0 has no carrier")
    let refused = TunnelOracle(ways: [3], ruleMarks: [8])
    #expect(path([eth0, wlan0], kernel: refused, under: used(2, "eth0")).reason == .noUnderlay)
  }

  /// A second uplink, or a proxy on this machine: their marks do not tell where the tunnel's packets go.
  @Test func aMarkForSomethingElseDecidesNothing() {
    let links = [link(2, "eth0"), link(3, "eth1", flags: Self.noCarrier), link(1, "lo", flags: 0x1_0049)]
    // The tunnel's routes are beside the uplink's, in table main.
    let main = TunnelOracle(ways: [2], marked: [7: 3], ruleMarks: [7, 8], table: RouteMatch.mainTable)
    #expect(path(links, kernel: main).status == .satisfied)
    for interface in [1, 9] {
      #expect(path(links, kernel: TunnelOracle(ways: [2], marked: [7: interface], ruleMarks: [7])).status == .satisfied)
    }
  }

  @Test func aMarkThatIsBoundToALinkFindsTheWay() {
    // Unbound, marked packets go into the tunnel like all others.
    var kernel = TunnelOracle(ruleMarks: [8], table: RouteMatch.mainTable)
    kernel.marked = [8: 2]
    #expect(path([link(2, "eth0")], kernel: kernel).status == .satisfied)
  }

  // MARK: Stacked links

  @Test func membersOfAVRFAreLinksOfTheirOwn() {
    let links = [link(2, "eth0", master: 3), link(3, "red", "vrf")]
    #expect(path(links, kernel: TunnelOracle(ways: [2])).status == .satisfied)
    #expect(path(links, under: used(2, "eth0")).reason == .noUnderlay)
  }

  /// The other end may be on the link itself: no route beyond it is needed.
  @Test func aVXLANGoesByTheLinkItWasMadeFor() {
    let tunnel = link(9, "vx0", "vxlan", lower: 2)
    #expect(path([link(2, "eth0")], tunnel: tunnel).usedInterfaces.map(\.name) == ["vx0", "eth0"])
    #expect(path([link(2, "eth0")], tunnel: tunnel, without: [2]).cause == "eth0 has no IPv4 address to send from")
    let other = link(3, "wlan0")
    let dead = path([link(2, "eth0", flags: Self.noCarrier), other], tunnel: tunnel, kernel: TunnelOracle(ways: [3]))
    #expect(dead.cause == "eth0 has no carrier")
    // A vxlan that leaves by a tunnel works if that tunnel works.
    let wireguard = link(2, "wg1", "wireguard", type: 65534)
    #expect(path([wireguard, other], tunnel: tunnel, kernel: TunnelOracle(ways: [3])).status == .satisfied)
    #expect(path([wireguard, link(3, "wlan0", flags: 0x1002)], tunnel: tunnel).reason == .noUnderlay)
    // A vxlan that is bound to no link may leave by any.
    #expect(path([other], tunnel: link(9, "vx0", "vxlan"), kernel: TunnelOracle(ways: [3])).status == .satisfied)
  }

  /// In a container's namespace a tap may be the only link (slirp4netns, pasta).
  @Test func underOtherTunnelsALoneTapIsALink() {
    let tap = link(2, "tap0", "tap")
    #expect(path([], tunnel: link(9, "tap0", "tap")).status == .satisfied)
    #expect(path([tap], kernel: TunnelOracle(ways: [2])).usedInterfaces.map(\.name) == ["wg0", "tap0"])
    let dead = path([link(2, "tap0", "tap", flags: Self.noCarrier)], under: used(2, "tap0"))
    #expect(dead.cause == "tap0 has no carrier")
    // Beside an uplink a tap counts as another tunnel, not as a link.
    #expect(
      path([tap, link(3, "eth0", flags: Self.noCarrier)], kernel: TunnelOracle(ways: [2])).cause
        == "eth0 has no carrier")
  }

  // MARK: The fault

  @Test func theOneThatIsSetUpIsNamed() {
    #expect(path([link(2, "eth0", flags: Self.noCarrier)]).cause == "eth0 has no carrier")
    let two = [link(2, "eth0", flags: Self.noCarrier), link(3, "wlan0", flags: 0x1002)]
    #expect(path(two).cause == "wg0 is a tunnel without a link under it")
    #expect(path(two).explanation == "offline: default dev wg0 is a tunnel without a link under it")
    #expect(path(two, without: [3]).cause == "eth0 has no carrier")
    #expect(path(two + [link(4, "docker0", "bridge")], without: [3]).cause == "eth0 has no carrier")
  }

  /// The cause names the link that carried the last path, not the first that is down.
  @Test func theOneThatChangedIsNamed() {
    let last = used(4, "wlan0")
    let down = [link(2, "eth0", flags: Self.noCarrier), link(3, "eth1", flags: 0x1002)]
    #expect(path(down + [link(4, "wlan0", flags: 0x1002)], under: last).cause == "wlan0 is down")
    #expect(path(down + [link(4, "wlan0")], under: last).cause == "wlan0 has no route")
  }

  // MARK: Evidence

  @Test("without a memory only hardware without carrier proves a tunnel dead")
  func withoutAMemory() {
    for kind in ["veth", "bridge", "macvlan", "ipoib"] {
      #expect(path([link(2, "x0", kind, flags: Self.noCarrier)]).status == .satisfied)
    }
    let cable = link(2, "eth0", flags: Self.noCarrier)
    #expect(path([cable]).cause == "eth0 has no carrier")
    #expect(path([cable, link(3, "veth0", "veth")]).cause == "eth0 has no carrier")
    #expect(path([cable, link(3, "wlan0", flags: 0x1002)]).reason == .noUnderlay)
    // It may lead to the VPN's server on its own network.
    #expect(path([cable, link(3, "lan0")]).status == .satisfied)
    let vlan = link(4, "eth0.7", "vlan", flags: Self.noCarrier, lower: 2)
    #expect(path([cable, vlan], without: [2]).reason == .noUnderlay)
    let bond = [link(2, "eth0", flags: Self.noCarrier, master: 5), link(5, "bond0", "bond", flags: Self.noCarrier)]
    #expect(path(bond).cause == "bond0 has no carrier")
  }

  @Test("the running monitor's word counts where this process remembers nothing")
  func theMonitorsWord() throws {
    let lan = link(2, "eth0")
    let dead = try #require(path([lan], under: used(2, "eth0")).deadTunnel)
    #expect(dead == DeadTunnel(name: "wg0", cause: "eth0 has no route", isLooping: false))
    let word = TunnelWord.dead(dead, since: "12:04")
    let path = path([lan], word: word)
    #expect(path.reason == .noUnderlay)
    #expect(path.cause == "eth0 has no route (seen by the monitor at 12:04)")
    // The monitor cannot have seen yet that the link carries the tunnel again.
    #expect(self.path([lan], kernel: TunnelOracle(ways: [2]), word: word).status == .satisfied)
    let other = TunnelWord.dead(DeadTunnel(name: "tun7", cause: "", isLooping: false), since: "12:04")
    #expect(self.path([lan], word: other).status == .satisfied)
    let cable = link(2, "eth0", flags: Self.noCarrier)
    #expect(self.path([cable], word: .alive(tunnel: "wg0")).status == .satisfied)
    #expect(self.path([cable], word: .alive(tunnel: "tun7")).reason == .noUnderlay)
    let loop = TunnelWord.dead(
      DeadTunnel(name: "wg0", cause: "eth0 has lost the route to the VPN's server", isLooping: true), since: "12:04")
    #expect(self.path([lan], kernel: TunnelOracle(ways: [2]), word: loop).reason == .noUnderlay)
    let server = TunnelOracle(ways: [2], routes: [2: [route("203.0.113.9", 32, by: 2, via: "192.0.2.1")]])
    #expect(self.path([lan], kernel: server, word: loop).status == .satisfied)
  }

  @Test("a look that may end an outage awaits only the router of the tunnel's server")
  func theAwaitedRouterOfATunnel() {
    let spare = TunnelOracle(ways: [2], gateway: "192.0.2.1")
    #expect(evaluation([link(2, "eth0")], kernel: spare, endsOutage: true).neededRouters == [])
    let server = TunnelOracle(
      ways: [2], gateway: "192.0.2.1", routes: [2: [route("203.0.113.9", 32, by: 2, via: "192.0.2.1")]])
    #expect(
      evaluation([link(2, "eth0")], kernel: server, endsOutage: true).neededRouters
        == [Gateway(AnyIPAddress("192.0.2.1")!, on: 2)])
    #expect(evaluation([link(2, "eth0")], kernel: server).neededRouters == [])
  }

  // MARK: Cost

  /// A thousand containers' interfaces must not cost a thousand questions, even if the uplink is dead and none of them leads anywhere.
  @Test(arguments: [true, false]) func aThousandContainersAreNotAskedAbout(_ arePorts: Bool) {
    let bridge = link(5, "docker0", "bridge")
    let containers = (10..<1010).map { link($0, "veth\($0)", "veth", master: arePorts ? 5 : 0, elsewhere: true) }
    for flags in [Self.up, Self.noCarrier] {
      let kernel = TunnelOracle(ways: flags == Self.up ? [2] : [], marked: [7: 2], ruleMarks: [7])
      let path = path(
        [link(2, "eth0", flags: flags), bridge] + containers, kernel: kernel, without: Set(containers.map(\.index)))
      #expect(path.status == (flags == Self.up ? .satisfied : .unsatisfied))
      // Some 3 µs each.
      #expect(kernel.asked.lookUps < 150, "\(kernel.asked.lookUps)")
      #expect(kernel.asked.dumps <= 9, "\(kernel.asked.dumps)")
    }
  }

  /// The cost of a usual VPN: four look-ups for the path, and a few for its own packets.
  @Test func aLivingTunnelCostsAFewQuestions() {
    for kernel in [TunnelOracle(ways: [2]), TunnelOracle(ways: [2], marked: [7: 2], ruleMarks: [7])] {
      _ = path([link(2, "eth0")], kernel: kernel)
      #expect(kernel.asked.lookUps <= 10, "\(kernel.asked.lookUps)")
    }
  }

  @Test func aProhibitedTypeCarriesNoTunnelEither() {
    let options = PathOptions(prohibitedInterfaceTypes: [.cellular])
    let kernel = TunnelOracle(ways: [2], modems: ["wwan0"])
    #expect(path([link(2, "wwan0")], kernel: kernel, options: options).reason == .noUnderlay)
    #expect(path([link(2, "eth0")], kernel: kernel, options: options).status == .satisfied)
  }
}
