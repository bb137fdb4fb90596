import Foundation
import NetworkPath
import OverlineTestThread
import Testing

@Suite(.ownThread) struct PathTargetTests {
  @Test(arguments: [
    ("10.20.0.0/16", "10.20.0.1", "10.20.0.2"), ("10.20.0.7", "10.20.0.7", nil), ("10.20.0.7/32", "10.20.0.7", nil),
    // Links of two hosts have no network address.
    ("10.20.0.6/31", "10.20.0.6", "10.20.0.7"), ("10.20.0.4/30", "10.20.0.5", "10.20.0.6"),
    ("2001:db8::/32", "2001:db8::1", "2001:db8::2"), ("2001:db8::7", "2001:db8::7", nil),
    ("2001:db8::6/127", "2001:db8::6", "2001:db8::7"), ("2000::/3", "2000::1", "2000::2"),
    ("128.0.0.0/1", "128.0.0.1", "128.0.0.2"),
  ])
  func theFirstUsableAddressIsAskedAbout(_ text: String, _ first: String, _ second: String?) throws {
    let network = try PathTarget(text).network
    #expect(network.firstUsable == AnyIPAddress(first))
    #expect(network.secondUsable == second.flatMap { AnyIPAddress($0) })
    #expect(try PathTarget(network.description).network == network)
  }

  @Test(arguments: [
    "", "/", "10.0.0.0/", "/8", "10.0.0.0/8/8", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/٨", "10.0.0.0/33",
    "2001:db8::/129", "10.0.0.0/99999999999999999999", "10.0.0.1/8", "2001:db8::1/64", "0.0.0.0/0", "::/0", "::",
    "::/8",
    "0.0.0.0", "127.0.0.0/8", "127.0.0.1", "::1", "169.254.0.0/16", "fe80::/10", "fe80::1%eth0", "224.0.0.0/4",
    "ff00::/8", "255.255.255.255", "example.org", "10", "10.0.0", " 10.0.0.0/8", "10.0.0.0/8 ",
  ])
  func whatNoRouteCanLeadToIsRefused(_ text: String) {
    #expect(throws: PathTarget.Invalid.self) { try PathTarget(text) }
  }

  @Test func aNameIsNeverTakenForANetwork() {
    for name in ["office", "O", "a-b_c9", "cafe", String(repeating: "x", count: 63)] {
      #expect(PathTarget.isName(name))
      #expect(throws: PathTarget.Invalid.self) { try PathTarget(name) }
    }
    for name in [
      "", "7up", "-x", "_x", "a b", "a.b", "a:b", "a/b", "ä", "a\n", "a=b", "10.0.0.0",
      String(repeating: "x", count: 64),
    ] {
      #expect(!PathTarget.isName(name))
    }
  }
}

/// The verdict on a target, from answers of a kernel that is one function.
@Suite(.ownThread) struct TargetDecisionTests {
  private struct Kernel: PathOracle {
    var answer: @Sendable (RouteProbe) -> RouteAnswer
    var hardware = InterfaceHardware()
    func route(_ probe: RouteProbe) -> RouteAnswer { answer(probe) }
    func hardware(of interface: String) -> InterfaceHardware { hardware }
    func nameservers() -> [Nameserver] { [] }
    func marks() -> [UInt32] { [] }
    func routes(by interface: Int) -> [RouteMatch] { [] }
  }

  private func tables(kind: String = "") -> NetworkTables {
    var tables = NetworkTables()
    tables.apply(
      .linkChanged(LinkChange(index: 2, flags: 0x1_1043, name: "eth0", operationalState: .up, kind: kind)))
    tables.apply(
      .addressChanged(
        InterfaceAddress(key: .init(index: 2, address: AnyIPAddress("10.20.0.1")!, prefixLength: 16))))
    return tables
  }

  private func target(_ network: String, _ answer: @escaping @Sendable (RouteProbe) -> RouteAnswer) throws
    -> NWPath.Target
  {
    let options = PathOptions(targets: [try PathTarget(name: "office", network: network)])
    return PathDecision(tables: tables(), options: options, oracle: Kernel(answer: answer)).path().targets[0]
  }

  @Test(arguments: [
    (RouteRefusal.networkUnreachable, NWPath.Reason.noRoute, "no route leads there"),
    (.hostUnreachable, .unreachable, "its route is of type unreachable"),
    (.blackhole, .blackhole, "its route is of type blackhole"),
    (.prohibited, .prohibited, "its route is of type prohibit"),
  ])
  func aRefusalSaysWhy(_ refusal: RouteRefusal, _ reason: NWPath.Reason, _ words: String) throws {
    let target = try target("192.0.2.0/24") { _ in .refused(refusal) }
    #expect(target.status == .unsatisfied)
    #expect(target.reason == reason)
    #expect(target.explanation == "office (192.0.2.0/24) is not reachable: \(words)")
  }

  /// The look-up's errno becomes a refusal in a switch with a default: without this test it could lack a new case.
  @Test("an errno gives each refusal") func eachRefusalHasAnErrno() throws {
    let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
    let text = try String(contentsOfFile: "\(root)/Sources/NetworkPath/Model/RouteLookup.swift", encoding: .utf8)
    let lines = text.split(separator: "\n")
    let cases = lines.drop { !$0.hasPrefix("package enum RouteRefusal") }.prefix { $0 != "}" }
      .filter { $0.hasPrefix("  case ") }.map { String($0.dropFirst(7).prefix(while: \.isLetter)) }
    #expect(cases.count > 4)
    let refusals = (Int32(1)...133).map { "\(RouteRefusal(errno: $0, hasText: false))" }
    let given = Set(refusals.map { String($0.prefix(while: \.isLetter)) })
    #expect(cases.filter { !given.contains($0) } == [], "RouteRefusal.init in QuerySocket.swift gives none of these")
  }

  /// In a kernel without IPv6 no route of it leads anywhere.
  @Test func aKernelWithoutAFamilyHasNoRouteOfIt() throws {
    let target = try target("2001:db8::/32") { probe in
      .refused(probe.destination.family == .ipv6 ? .failed(errno: 95) : .networkUnreachable)
    }
    #expect(target.isKnown)
    #expect(target.reason == .noRoute)
  }

  /// A rejected question is no outage.
  @Test func aQuestionThatFailedSaysNothing() throws {
    let target = try target("192.0.2.0/24") { probe in
      probe.destination == AnyIPAddress("192.0.2.1") ? .refused(.failed(errno: 22)) : .refused(.networkUnreachable)
    }
    #expect(!target.isKnown)
    #expect(target.isReachable)
  }

  @Test func theSentenceNamesAFewThatAreNotReachable() throws {
    func sentence(_ count: Int) throws -> String {
      let targets = try (0..<count).map { try PathTarget(name: "t\($0)", network: "192.0.2.\($0)") }
      let leg = RouteMatch.Leg(interface: 2)
      let kernel = Kernel { probe in
        probe.destination.value >> 8 == 0xc0_0002
          ? .refused(.networkUnreachable)
          : .route(RouteMatch(prefix: IPPrefix(address: AnyIPAddress("0.0.0.0")!, length: 0), legs: [leg]))
      }
      return PathDecision(
        tables: tables(), options: PathOptions(targets: targets, families: [.ipv4]), oracle: kernel
      ).path().explanation
    }
    #expect(try sentence(0) == "online via eth0, other, IPv4, no DNS")
    #expect(try sentence(3).hasSuffix("no DNS; not reachable: t0, t1, t2"))
    #expect(try sentence(5).hasSuffix("no DNS; not reachable: t0, t1, t2 and 2 more"))
  }

  /// K30: a route that leads to a private network as to anywhere else does not make it reachable.
  @Test(arguments: [
    ("10.20.0.0/16", "0.0.0.0", 0, true), ("10.20.0.0/16", "0.0.0.0", 1, true), ("10.20.0.0/16", "8.0.0.0", 7, true),
    ("10.20.0.0/16", "10.0.0.0", 8, false), ("10.20.0.0/16", "10.20.0.0", 16, false),
    ("172.16.3.0/24", "128.0.0.0", 1, true),
    ("172.16.3.0/24", "172.16.0.0", 12, false), ("192.168.7.7", "0.0.0.0", 0, true),
    ("100.64.0.0/10", "0.0.0.0", 0, true),
    ("192.168.7.7", "192.168.7.0", 24, false), ("192.0.2.0/24", "0.0.0.0", 0, false), ("fd00:20::/48", "::", 0, true),
    ("fd00:20::/48", "fd00:20::", 48, false), ("2001:db8:5::/48", "::", 0, false),
  ])
  func aPrivateNetworkByTheDefaultRouteIsMarked(
    _ network: String, _ prefix: String, _ length: Int, _ isDefault: Bool
  )
    throws
  {
    let route = RouteMatch(
      prefix: IPPrefix(address: AnyIPAddress(prefix)!, length: length), legs: [.init(interface: 2)])
    let options = PathOptions(targets: [try PathTarget(name: "office", network: network)])
    var tables = tables()
    tables.apply(
      .addressChanged(
        InterfaceAddress(key: .init(index: 2, address: AnyIPAddress("2001:db8::2")!, prefixLength: 64))))
    let target = PathDecision(tables: tables, options: options, oracle: Kernel { _ in .route(route) }).path().targets[0]
    #expect(target.isReachable == !isDefault && target.isByDefaultRoute == isDefault)
    #expect(target.reason == (isDefault ? .noRoute : nil))
    #expect(
      target.explanation.hasSuffix(isDefault ? "is not reachable: only the default route leads there" : "via eth0"))
    let inside = PathOptions(targets: [try PathTarget(name: "office", network: network, byRoute: .any)])
    let any = PathDecision(tables: tables, options: inside, oracle: Kernel { _ in .route(route) }).path().targets[0]
    #expect(any.isReachable && any.isByDefaultRoute == isDefault && any.reason == nil)
    #expect(any.explanation.hasSuffix(isDefault ? "is reachable via eth0, by the default route" : "via eth0"))
  }

  @Test("a default route into a tunnel makes a private network reachable")
  func aTunnelsDefaultRouteCounts() throws {
    let route = RouteMatch(prefix: IPPrefix(address: AnyIPAddress("0.0.0.0")!, length: 0), legs: [.init(interface: 2)])
    let options = PathOptions(targets: [try PathTarget(name: "office", network: "10.99.0.0/16")])
    let path = PathDecision(
      tables: tables(kind: "wireguard"), options: options, oracle: Kernel { _ in .route(route) }
    ).path()
    #expect(path.targets[0].isReachable && !path.targets[0].isByDefaultRoute)
  }

  /// The kernel delivers packets for its own addresses to itself, even without a carrier.
  @Test func thisMachinesOwnAddressIsNotAskedAbout() throws {
    let others = try target("10.20.0.0/16") { probe in
      #expect(probe.destination != AnyIPAddress("10.20.0.1"))
      return .refused(.networkUnreachable)
    }
    #expect(others.status == .unsatisfied)
    let own = try target("10.20.0.1") { _ in .refused(.networkUnreachable) }
    #expect(own.status == .satisfied)
    #expect(own.explanation == "office (10.20.0.1/32) is this machine")
  }

  @Test func aTetherOverBluetoothIsExpensiveAndNoCable() {
    let leg = RouteMatch.Leg(interface: 2)
    let anywhere = IPPrefix(address: AnyIPAddress("0.0.0.0")!, length: 0)
    func path(_ hardware: InterfaceHardware, kind: String = "") -> NWPath {
      let kernel = Kernel(
        answer: {
          $0.destination.family == .ipv4
            ? .route(RouteMatch(prefix: anywhere, legs: [leg])) : .refused(.networkUnreachable)
        }, hardware: hardware)
      return PathDecision(tables: tables(kind: kind), oracle: kernel).path()
    }
    let tether = path(InterfaceHardware(hasDevice: true, deviceType: "bluetooth"))
    #expect(tether.isExpensive && tether.usesInterfaceType(.other))
    for kind in ["wwan", "rmnet"] {
      let modem = path(InterfaceHardware(), kind: kind)
      #expect(modem.isExpensive && modem.usesInterfaceType(.cellular))
    }
    let cable = path(InterfaceHardware(hasDevice: true))
    #expect(!cable.isExpensive && cable.usesInterfaceType(.wiredEthernet))
  }
}
