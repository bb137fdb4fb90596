import NetworkPath
import OverlineTestThread
import Testing

/// Decisions from answers that are hard to produce in a namespace.
@Suite(.ownThread) struct PathDecisionTests {
  /// The kernel as one function.
  private struct Kernel: PathOracle {
    var answer: @Sendable (RouteProbe) -> RouteAnswer = { _ in .refused(.networkUnreachable) }
    var hardware: [String: InterfaceHardware] = [:]
    var servers: [Nameserver] = []

    var ruleMarks: [UInt32] = []

    func route(_ probe: RouteProbe) -> RouteAnswer { answer(probe) }
    func marks() -> [UInt32] { ruleMarks }
    func routes(by interface: Int) -> [RouteMatch] { [] }
    func hardware(of interface: String) -> InterfaceHardware { hardware[interface] ?? InterfaceHardware() }
    func nameservers() -> [Nameserver] { servers }
    var refused: Set<AddressFamily> = []
    func refusesConnections(_ family: AddressFamily) -> Bool { refused.contains(family) }
  }

  private let gateway = AnyIPAddress("192.0.2.1")!
  private let anywhere = IPPrefix(address: AnyIPAddress("0.0.0.0")!, length: 0)
  private let carrier: UInt32 = 0x1_1043

  private func tables(_ events: KernelEvent...) -> NetworkTables {
    var tables = NetworkTables()
    for event in events { tables.apply(event) }
    return tables
  }

  private func link(
    _ index: Int, _ name: String, flags: UInt32 = 0x1_1043, state: OperationalState = .up, kind: String = "",
    type: UInt16 = 1, lower: Int = 0, master: Int = 0
  ) -> KernelEvent {
    .linkChanged(
      LinkChange(
        index: index, flags: flags, hardwareType: type, name: name, operationalState: state, kind: kind,
        lowerIndex: lower, masterIndex: master, hasParentDevice: kind.isEmpty))
  }

  private func address(_ index: Int, _ text: String, flags: UInt32 = 0, scope: UInt8 = 0) -> KernelEvent {
    .addressChanged(
      InterfaceAddress(
        key: .init(index: index, address: AnyIPAddress(text)!, prefixLength: 24), flags: flags, scope: scope))
  }

  /// A kernel in which IPv4 leaves by these legs, and IPv6 by none.
  private func kernel(_ legs: RouteMatch.Leg..., source: AnyIPAddress? = nil) -> Kernel {
    let prefix = anywhere
    return Kernel { probe in
      guard probe.destination.family == .ipv4 else { return .refused(.networkUnreachable) }
      let usable = legs.filter { probe.outputInterface == nil || probe.outputInterface == $0.interface }
      if usable.isEmpty { return .refused(.networkUnreachable) }
      return .route(RouteMatch(prefix: prefix, legs: usable, preferredSource: probe.kind == .resolve ? source : nil))
    }
  }

  @Test func oneLivingLegOfTwoIsEnough() {
    let tables = tables(
      link(2, "eth0", flags: 0x1003), link(3, "eth1"), address(2, "192.0.2.2"), address(3, "198.51.100.2"))
    let kernel = kernel(.init(interface: 2, gateway: gateway, flags: 16), .init(interface: 3))
    let path = PathDecision(tables: tables, oracle: kernel).path()
    #expect(path.status == .satisfied)
    #expect(path.availableInterfaces.map(\.name) == ["eth1"])
  }

  @Test("the kernel's answer names a link whose message has not been read: that may be a gap")
  func aLinkThatTheTablesCallDown() {
    for events in [[link(2, "eth0")], [link(2, "eth0"), link(3, "tun0", flags: 0x1090, state: .down, kind: "tun")]] {
      var tables = tables(address(2, "192.0.2.2"))
      for event in events { tables.apply(event) }
      let evaluation = PathDecision(tables: tables, oracle: kernel(.init(interface: 3))).evaluation()
      #expect(evaluation.path.reason == .linkDown && evaluation.gaps.contains(.ipv4))
    }
  }

  @Test(arguments: [
    (OperationalState.dormant, NWPath.Reason.dormant), (.testing, .dormant), (.lowerLayerDown, .noCarrier),
    (.down, .noCarrier),
  ])
  func aLinkThatIsNotUpCarriesNothing(_ state: OperationalState, _ reason: NWPath.Reason) {
    let tables = tables(link(2, "wlan0", state: state), address(2, "192.0.2.2"))
    let path = PathDecision(tables: tables, oracle: kernel(.init(interface: 2))).path()
    #expect(path.status == .unsatisfied)
    #expect(path.reason == reason)
  }

  /// Three places decide on a link that carries nothing: the link, a leg that the kernel marks (`RTNH_F_LINKDOWN`), and the search
  /// without a route.
  @Test(
    "a link that carries nothing has the same reason on each way",
    arguments: [0x1002, 0x1003, 0x11043], (0...6).compactMap(OperationalState.init))
  func aLinkThatCarriesNothingHasOneReason(_ flags: UInt32, _ state: OperationalState) {
    for (kind, lower) in [("", 0), ("vlan", 3)] {
      let tables = tables(
        link(2, "eth0", flags: flags, state: state, kind: kind, lower: lower), address(2, "192.0.2.2"))
      guard let reason = tables.links[2]?.obstacle else { continue }
      for kernel in [kernel(.init(interface: 2)), kernel(.init(interface: 2, flags: 16)), Kernel()] {
        #expect(PathDecision(tables: tables, oracle: kernel).path().reason == reason)
      }
    }
  }

  /// A reason that nothing decides is dead. For a new one the compiler asks for its scene.
  @Test("each reason is decided", arguments: NWPath.Reason.allCases) func eachReasonIsDecided(_ reason: NWPath.Reason)
    throws
  {
    let (eth0, own) = (link(2, "eth0"), address(2, "192.0.2.2"))
    let byEth0 = kernel(.init(interface: 2, gateway: gateway))
    let path =
      switch reason {
      case .noRoute: decided([eth0, own], by: Kernel())
      case .unreachable: decided([eth0, own], by: Kernel { _ in .refused(.hostUnreachable) })
      case .blackhole: decided([eth0, own], by: Kernel { _ in .refused(.blackhole) })
      case .prohibited: decided([eth0, own], by: Kernel { _ in .refused(.prohibited) })
      case .linkDown: decided([link(2, "eth0", flags: 0x1002), own], by: byEth0)
      case .noCarrier: decided([link(2, "eth0", flags: 0x1003), own], by: byEth0)
      case .dormant: decided([link(2, "eth0", state: .dormant), own], by: byEth0)
      case .noAddress: decided([eth0], by: byEth0)
      case .noUnderlay:
        decided([link(2, "wg0", kind: "wireguard", type: 65534), own, link(3, "eth0", flags: 0x1003)], by: byEth0)
      case .routerSilent: decided([eth0, own], by: byEth0, silent: [Gateway(gateway, on: 2): .heard(ago: .seconds(5))])
      case .blocked: decided([eth0, own], by: Kernel(answer: byEth0.answer, refused: [.ipv4]))
      case .loopback: decided([link(2, "lo", flags: 0x10049), own], by: byEth0)
      case .ignored: decided([eth0, own], PathOptions(ignored: [try InterfaceGlob("eth0")]), by: byEth0)
      case .excluded: decided([eth0, own], PathOptions(requiredInterfaceType: .cellular), by: byEth0)
      case .noNetlink: decided([eth0, own], by: Kernel { _ in .refused(.failed(errno: 22)) })
      }
    #expect(path.reason == reason)
    let silence: Duration? = reason == .routerSilent ? .seconds(5) : nil
    #expect(path.silence == silence && path.answerAge == silence)
    if reason == .routerSilent {
      #expect(path.cause == "the router \(gateway) does not answer (last heard 5 s ago)")
      // The time grows; what is claimed stays the same.
      #expect(path.claim == "the router \(gateway) does not answer")
      #expect(path.explanation == "offline: \(path.cause)")
    }
  }

  private func decided(
    _ events: [KernelEvent], _ options: PathOptions = PathOptions(), by kernel: Kernel,
    silent: [Gateway: RouterSilence] = [:]
  ) -> NWPath {
    var tables = NetworkTables()
    for event in events { tables.apply(event) }
    return PathDecision(tables: tables, options: options, silentRouters: silent, oracle: kernel).path()
  }

  /// The kernel gives no route before the link is authenticated, with or without `--interface`.
  @Test(arguments: [nil, "wlan0"]) func aLinkThatWaitsForAuthenticationIsTheReasonWithoutARoute(_ interface: String?) {
    let tables = tables(
      link(2, "eth0", flags: 0x1003, state: .down), link(4, "wlan1", state: .dormant),
      link(3, "wlan0", state: .dormant))
    let path = PathDecision(tables: tables, options: PathOptions(interface: interface), oracle: Kernel()).path()
    #expect(path.reason == .dormant)
    #expect(path.cause == "wlan0 waits for authentication (dormant)")
  }

  @Test func anUnknownStateIsThatOfATunnelAndCounts() {
    let tables = tables(link(2, "tun0", state: .unknown, type: 65534), address(2, "10.8.0.2"))
    let path = PathDecision(tables: tables, oracle: kernel(.init(interface: 2))).path()
    #expect(path.status == .satisfied)
    #expect(path.usesInterfaceType(.other))
  }

  /// An uplink without an address of its own sends from one that the kernel chooses elsewhere.
  @Test func anUnnumberedUplinkSendsFromAnotherInterfacesAddress() {
    let tables = tables(link(1, "lo", flags: 0x10049), link(2, "ppp0"), address(1, "203.0.113.7"))
    let chosen = kernel(.init(interface: 2), source: AnyIPAddress("203.0.113.7"))
    #expect(PathDecision(tables: tables, oracle: chosen).path().status == .satisfied)
    let gone = kernel(.init(interface: 2), source: AnyIPAddress("203.0.113.8"))
    #expect(PathDecision(tables: tables, oracle: gone).path().reason == .noAddress)
  }

  /// A tunnel's packets may also leave by an uplink without an address of its own, or with a link-local one that a router translates.
  @Test(arguments: ["203.0.113.7", "169.254.7.7"]) func aTunnelOverAnUplinkThatSendsSo(_ source: String) {
    let isOwn = source.hasPrefix("169")
    let tables = tables(
      link(1, "lo", flags: 0x10049), link(2, "usb0"), link(9, "wg0", kind: "wireguard", type: 65534),
      address(9, "10.8.0.2"), isOwn ? address(2, source, scope: 253) : address(1, source))
    let (anywhere, gateway) = (anywhere, gateway)
    var kernel = Kernel { probe in
      guard probe.destination.family == .ipv4 else { return .refused(.networkUnreachable) }
      let leg = probe.outputInterface == 2 ? RouteMatch.Leg(interface: 2, gateway: gateway) : .init(interface: 9)
      let chosen = probe.kind == .resolve ? AnyIPAddress(source) : nil
      return .route(RouteMatch(prefix: anywhere, legs: [leg], preferredSource: chosen))
    }
    #expect(PathDecision(tables: tables, oracle: kernel).path().usedInterfaces.map(\.name) == ["wg0", "usb0"])
    kernel.answer = { probe in
      guard probe.outputInterface == nil, probe.destination.family == .ipv4 else {
        return .refused(.networkUnreachable)
      }
      return .route(RouteMatch(prefix: anywhere, legs: [.init(interface: 9)]))
    }
    let seen = TunnelKnowledge(memories: [9: TunnelMemory(lower: .init(index: 2, name: "usb0"))])
    let dead = PathDecision(tables: tables, tunnels: seen, oracle: kernel).path()
    #expect(dead.cause == "usb0 has no IPv4 address to send from")
  }

  /// A VPN costs as much as the link under it.
  @Test func aTunnelOverAModemIsExpensive() {
    let tables = tables(
      link(2, "wwan0", type: 519), link(9, "wg0", kind: "wireguard", type: 65534), address(2, "192.0.2.2"),
      address(9, "10.8.0.2"))
    var kernel = kernel(.init(interface: 9), .init(interface: 2))
    kernel.answer = { [answer = kernel.answer] probe in
      answer(probe.outputInterface == nil ? with(probe, by: 9) : probe)
    }
    kernel.hardware = ["wwan0": .init(hasDevice: true, deviceType: "wwan")]
    let path = PathDecision(tables: tables, oracle: kernel).path()
    #expect(path.isExpensive && path.availableInterfaces.first?.name == "wg0")
  }

  @Test func anIPv4LinkLocalAddressCountsWithAGatewayOnly() {
    let tables = tables(link(2, "usb0"), address(2, "169.254.7.7", scope: 253))
    #expect(
      PathDecision(tables: tables, oracle: kernel(.init(interface: 2, gateway: gateway))).path().status == .satisfied)
    #expect(PathDecision(tables: tables, oracle: kernel(.init(interface: 2))).path().reason == .noAddress)
  }

  @Test func aRouteIntoLoopbackLeadsNowhere() {
    let tables = tables(link(1, "lo", flags: 0x10049), address(1, "127.0.0.1", scope: 254))
    #expect(PathDecision(tables: tables, oracle: kernel(.init(interface: 1))).path().reason == .loopback)
  }

  @Test func theInterfaceLastUsedIsTheCauseWhenItsRouteHasGoneWithIt() {
    let used = NWInterface(name: "eth0", index: 2, type: .wiredEthernet)
    let tables = tables(link(2, "eth0", flags: 0x1002), link(3, "docker0", flags: 0x1003))
    let path = PathDecision(tables: tables, lastUsed: [used], oracle: Kernel()).path()
    #expect(path.reason == .linkDown)
    #expect(path.explanation == "offline: eth0 is down")
    #expect(PathDecision(tables: tables, oracle: Kernel()).path().explanation == "offline: no link has a carrier")
  }

  @Test func typesComeFromHardwareAndThroughWhatIsStacked() {
    let tables = tables(
      link(2, "eth0", master: 5), link(3, "wlan9"), link(4, "wwan0", type: 519), link(5, "bond0", kind: "bond"),
      link(6, "bond0.7", kind: "vlan", lower: 5), address(6, "192.0.2.2"))
    var kernel = kernel(.init(interface: 6), .init(interface: 3), .init(interface: 4))
    kernel.hardware = [
      "eth0": .init(hasDevice: true), "wlan9": .init(hasDevice: true, hasWirelessPhy: true),
      "wwan0": .init(hasDevice: true, deviceType: "wwan"),
    ]
    var all = tables
    for event in [address(3, "192.0.2.3"), address(4, "192.0.2.4")] { all.apply(event) }
    let path = PathDecision(tables: all, oracle: kernel).path()
    #expect(path.availableInterfaces.map(\.type) == [.wiredEthernet, .wifi, .cellular])
    // Some packets leave by the modem.
    #expect(path.isExpensive)
    let wwan = self.kernel(.init(interface: 4))
    var oracle = wwan
    oracle.hardware = kernel.hardware
    #expect(PathDecision(tables: all, oracle: oracle).path().isExpensive)
  }

  /// The first port that has a carrier decides, or the first.
  @Test(arguments: [(UInt32(0x1_1043), NWInterface.InterfaceType.wiredEthernet), (0x1003, .wifi)])
  func aBondIsOfTheTypeOfItsPort(_ flags: UInt32, _ type: NWInterface.InterfaceType) {
    let tables = tables(
      link(4, "wwan0", flags: flags, type: 519, master: 5), link(3, "eth0", flags: flags, master: 5),
      link(2, "wlan0", flags: 0x1003, master: 5), link(5, "bond0", kind: "bond"), address(5, "192.0.2.2"))
    var kernel = kernel(.init(interface: 5))
    kernel.hardware = [
      "eth0": .init(hasDevice: true), "wlan0": .init(hasDevice: true, hasWirelessPhy: true),
      "wwan0": .init(hasDevice: true, deviceType: "wwan"),
    ]
    #expect(PathDecision(tables: tables, oracle: kernel).path().availableInterfaces.map(\.type) == [type])
  }

  @Test func whatTheUserSaysOfInterfaces() throws {
    let tables = tables(link(2, "eth0"), address(2, "192.0.2.2"))
    let globs = [try InterfaceGlob("eth*")]
    let options = PathOptions(expensive: globs, constrained: globs)
    let path = PathDecision(tables: tables, options: options, oracle: kernel(.init(interface: 2))).path()
    #expect(path.isExpensive && path.isConstrained)
    let ignored = PathDecision(
      tables: tables, options: PathOptions(ignored: globs), oracle: kernel(.init(interface: 2)))
    #expect(ignored.path().reason == .ignored)
  }

  @Test func dnsIsThereWhenANameserverCanBeReached() {
    let tables = tables(link(2, "eth0"), address(2, "192.0.2.2"))
    var kernel = kernel(.init(interface: 2))
    #expect(!PathDecision(tables: tables, oracle: kernel).path().supportsDNS)
    kernel.servers = [Nameserver("2001:db8::53")!]
    #expect(!PathDecision(tables: tables, oracle: kernel).path().supportsDNS)
    kernel.servers.append(Nameserver("192.0.2.53")!)
    #expect(PathDecision(tables: tables, oracle: kernel).path().supportsDNS)
    kernel.servers = [Nameserver("127.0.0.1")!]
    #expect(PathDecision(tables: tables, oracle: kernel).path().supportsDNS)
  }

  /// K35: a router's link-local address needs its link. The resolver ignores the scope of any other address.
  @Test(
    "a link-local nameserver is there by its link alone",
    arguments: [
      ("fe80::1%eth0", true), ("fe80::1%2", true), ("fe80::1", false), ("fe80::1%", false), ("fe80::1%nosuch", false),
      ("fe80::1%9", false), ("fe80::1%eth1", false), ("fe80::1%eth2", false), ("192.0.2.53%nosuch", true),
    ])
  func aLinkLocalNameserver(_ text: String, _ isThere: Bool) throws {
    let tables = tables(
      link(2, "eth0"), address(2, "192.0.2.2"), address(2, "fe80::2", scope: 253), link(3, "eth1", flags: 0x1003),
      address(3, "fe80::3", scope: 253), link(4, "eth2"), address(4, "198.51.100.2"))
    var kernel = kernel(.init(interface: 2))
    kernel.servers = [try #require(Nameserver(text))]
    #expect(PathDecision(tables: tables, oracle: kernel).path().supportsDNS == isThere)
    let ignored = PathOptions(ignored: [try InterfaceGlob("eth0")])
    if text.hasPrefix("fe80") {
      #expect(!PathDecision(tables: tables, options: ignored, oracle: kernel).path().supportsDNS)
    }
  }

  /// K39: one family that is refused is no outage, and a program that chose an interface is not judged by the unbound question.
  @Test("a refused family is not there; the path is, by the other") func aRefusedFamily() {
    let tables = tables(link(2, "eth0"), address(2, "192.0.2.2"), address(2, "2001:db8::2"))
    let prefixes = (anywhere, IPPrefix(address: AnyIPAddress("::")!, length: 0))
    var kernel = Kernel { probe in
      .route(
        RouteMatch(
          prefix: probe.destination.family == .ipv4 ? prefixes.0 : prefixes.1, legs: [.init(interface: 2)]))
    }
    kernel.refused = [.ipv4]
    let path = PathDecision(tables: tables, oracle: kernel).path()
    #expect(path.status == .satisfied && path.supportsIPv6 && !path.supportsIPv4)
    kernel.refused = [.ipv4, .ipv6]
    let blocked = PathDecision(tables: tables, oracle: kernel).path()
    #expect(blocked.reason == .blocked)
    #expect(blocked.explanation == "offline: this machine refuses connections to the internet")
    #expect(PathDecision(tables: tables, options: PathOptions(interface: "eth0"), oracle: kernel).path().supportsIPv4)
  }

  /// A question that the kernel rejects is a bug of ours, never an outage.
  @Test func aFailedQuestionIsNotAnOutage() {
    let tables = tables(link(2, "eth0"), address(2, "192.0.2.2"))
    let broken = Kernel { _ in .refused(.failed(errno: 22)) }
    #expect(PathDecision(tables: tables, oracle: broken).path().isKnown == false)
    // A kernel without IPv6 rejects its questions.
    let withoutIPv6 = Kernel { $0.destination.family == .ipv6 ? .refused(.failed(errno: 95)) : .refused(.blackhole) }
    #expect(PathDecision(tables: tables, oracle: withoutIPv6).path().reason == .blackhole)
    // A sandbox without look-ups rejects all questions.
    let withoutRoutes = Kernel { _ in .refused(.failed(errno: 95)) }
    #expect(PathDecision(tables: tables, oracle: withoutRoutes).path().isKnown == false)
  }

  /// A thousand interfaces of containers must not cost a thousand look-ups.
  @Test func anInterfaceWithoutAnAddressIsNotAskedAbout() {
    var events: [KernelEvent] = [link(2, "eth0"), address(2, "192.0.2.2")]
    for index in 10..<1010 { events.append(link(index, "veth\(index)", kind: "veth")) }
    var tables = NetworkTables()
    for event in events { tables.apply(event) }
    let asked = Asked()
    let legs = kernel(.init(interface: 2, gateway: gateway))
    let counting = Kernel { probe in
      asked.count += 1
      return legs.route(probe)
    }
    _ = PathDecision(tables: tables, oracle: counting).path()
    #expect(asked.count < 10)
  }

  /// K29: the earliest expiry of the routes that the path uses.
  @Test func thePathNamesTheEarliestExpiryOfARoute() {
    let tables = tables(
      link(2, "eth0"), link(3, "wlan0"), address(2, "2001:db8::2"), address(3, "2001:db8:1::3"))
    func lifetime(_ ends: [Int: Duration]) -> Duration? {
      let kernel = Kernel { probe in
        guard probe.destination.family == .ipv6, probe.kind == .match else { return .refused(.networkUnreachable) }
        let interface = probe.outputInterface ?? 2
        let anywhere = IPPrefix(address: AnyIPAddress("::")!, length: 0)
        return .route(RouteMatch(prefix: anywhere, legs: [.init(interface: interface)], lifetime: ends[interface]))
      }
      return PathDecision(tables: tables, oracle: kernel).evaluation().lifetime
    }
    #expect(lifetime([:]) == nil)
    #expect(lifetime([2: .seconds(1800)]) == .seconds(1800))
    #expect(lifetime([2: .seconds(1800), 3: .seconds(30)]) == .seconds(30))
  }

  private final class Asked: @unchecked Sendable {
    var count = 0
  }

  /// A program that avoids cellular data must not use it through a tunnel either.
  @Test func aTunnelOverAProhibitedTypeIsProhibited() {
    let tables = tables(
      link(2, "tun0", state: .unknown, kind: "tun", type: 65534), address(2, "10.8.0.2"), link(3, "wwan0"),
      address(3, "192.0.2.2"))
    var kernel = kernel(.init(interface: 2), .init(interface: 3, gateway: gateway))
    kernel.answer = { [answer = kernel.answer] probe in
      // Unbound, everything goes into the tunnel.
      answer(probe.outputInterface == nil ? with(probe, by: 2) : probe)
    }
    kernel.hardware["wwan0"] = InterfaceHardware(hasDevice: true, deviceType: "wwan")
    let any = PathDecision(tables: tables, oracle: kernel).path()
    #expect(any.usesInterfaceType(.cellular) && any.usesInterfaceType(.other))
    #expect(any.availableInterfaces.map(\.name) == ["tun0", "wwan0"])
    let path = PathDecision(tables: tables, options: PathOptions(prohibitedInterfaceTypes: [.cellular]), oracle: kernel)
      .path()
    #expect(path.status == .unsatisfied && path.reason == .noUnderlay)
    // For a program that requires the tunnel the underlay does not matter.
    let tunnel = PathDecision(tables: tables, options: PathOptions(requiredInterfaceType: .other), oracle: kernel)
      .path()
    #expect(tunnel.availableInterfaces.map(\.name) == ["tun0"])
    // One that requires the cellular link binds its sockets past the tunnel.
    let past = PathDecision(tables: tables, options: PathOptions(requiredInterfaceType: .cellular), oracle: kernel)
      .path()
    #expect(past.status == .satisfied && past.availableInterfaces.map(\.name) == ["wwan0"])
  }

  /// Only a machine without a default route must look again by itself: the filter hides the routes that decide there.
  @Test func tellsWhenThePathMayChangeWithoutAnAnnouncement() {
    let alive = tables(link(2, "eth0"), address(2, "192.0.2.2"))
    func mayChange(_ tables: NetworkTables, _ prefix: String?, _ length: Int = 0, flags: UInt32 = 0) -> Bool {
      let kernel = Kernel { probe in
        guard let prefix, probe.destination.family == .ipv4 else { return .refused(.networkUnreachable) }
        let match = IPPrefix(address: AnyIPAddress(prefix)!, length: length)
        return .route(RouteMatch(prefix: match, legs: [.init(interface: 2, flags: flags)]))
      }
      return PathDecision(tables: tables, oracle: kernel).evaluation().mayChangeUnannounced
    }
    #expect(!mayChange(alive, "0.0.0.0", 0))
    #expect(!mayChange(alive, "64.0.0.0", 8))
    #expect(mayChange(alive, "64.0.0.0", 9))
    // A route whose link is dead counts as a match too.
    #expect(!mayChange(alive, "0.0.0.0", 0, flags: 16))
    #expect(mayChange(alive, "64.0.0.0", 16, flags: 16))
    // Nothing matches.
    #expect(mayChange(alive, nil))
    #expect(!mayChange(tables(), nil))
    #expect(!mayChange(tables(link(2, "eth0")), nil))
    #expect(!mayChange(tables(link(2, "eth0", flags: 0x1003), address(2, "192.0.2.2")), nil))
    #expect(!mayChange(tables(link(2, "eth0"), address(2, "169.254.0.2")), nil))
    #expect(!mayChange(tables(link(1, "lo", flags: 0x1_0049), address(1, "192.0.2.2")), nil))
  }
}

private func with(_ probe: RouteProbe, by interface: Int) -> RouteProbe {
  var probe = probe
  probe.outputInterface = interface
  return probe
}
