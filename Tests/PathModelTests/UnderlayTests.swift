import PathModel
import Testing

/// What may be under a tunnel, for kinds of links that a namespace cannot be given.
@Suite struct UnderlayTests {
  /// The kernel sends everything into the tunnel, and by no other link.
  private struct Kernel: PathOracle {
    var devices: Set<String> = []
    /// Links by which the kernel has a way, and the mark it wants to see.
    var ways: [Int: UInt32] = [:]
    let asked = Asked()

    func route(_ probe: RouteProbe) -> RouteAnswer {
      guard probe.destination.family == .ipv4 else { return .refused(.networkUnreachable) }
      let interface = probe.outputInterface ?? 9
      guard interface == 9 || ways[interface] == probe.mark else { return .refused(.networkUnreachable) }
      let anywhere = IPPrefix(address: IPAddress("0.0.0.0")!, length: 0)
      return .route(RouteMatch(prefix: anywhere, legs: [.init(interface: interface)]))
    }

    func hardware(of interface: String) -> InterfaceHardware {
      asked.names.insert(interface)
      return InterfaceHardware(hasDevice: devices.contains(interface))
    }

    func nameservers() -> [IPAddress] { [] }
    func marks() -> [UInt32] { [7, 8] }
  }

  /// The interfaces whose hardware was looked for.
  private final class Asked {
    var names: Set<String> = []
  }

  private static let up: UInt32 = 0x1_1043

  private func link(
    _ index: Int, _ name: String, _ kind: String = "", flags: UInt32 = up, type: UInt16 = 1, lower: Int = 0,
    master: Int = 0, elsewhere: Bool = false
  ) -> LinkChange {
    LinkChange(
      index: index, flags: flags, hardwareType: type, name: name, operationalState: .up, kind: kind, lowerIndex: lower,
      masterIndex: master, isLowerElsewhere: elsewhere)
  }

  /// The path of a wireguard tunnel over these links, each with an address unless it is a port.
  private func path(
    _ links: LinkChange..., tunnel: String = "wireguard", kernel: Kernel = Kernel(),
    ignoring ignored: [InterfaceGlob] = []
  ) -> NWPath {
    var tables = NetworkTables()
    for link in links + [self.link(9, "wg0", tunnel, type: 65534)] {
      tables.apply(.linkChanged(link))
      guard link.masterIndex == 0 || links.first(where: { $0.index == link.masterIndex })?.kind == "vrf" else {
        continue
      }
      tables.apply(
        .addressChanged(
          InterfaceAddress(
            key: .init(index: link.index, address: IPAddress("192.0.2.\(link.index)")!, prefixLength: 24))))
    }
    return PathDecision(tables: tables, options: PathOptions(ignored: ignored), oracle: kernel).path()
  }

  @Test func aloneItIsJudgedAlone() {
    #expect(path().status == .satisfied)
    #expect(path(link(2, "dummy0", "dummy"), link(3, "tunl0", "ipip", type: 768)).status == .satisfied)
  }

  @Test func hardwareIsEnough() {
    let kernel = Kernel(devices: ["eth0"])
    #expect(path(link(2, "eth0"), kernel: kernel).status == .satisfied)
    #expect(path(link(2, "eth0", flags: 0x1003), kernel: kernel).reason == .noUnderlay)
    #expect(path(link(2, "eth0")).reason == .noUnderlay)
    #expect(path(link(2, "ppp0", type: 512)).status == .satisfied)
  }

  @Test func hardwareBelowAVlanABondAndABridge() {
    let kernel = Kernel(devices: ["eth0"])
    #expect(path(link(2, "eth0", master: 3), link(3, "bond0", "bond"), kernel: kernel).status == .satisfied)
    #expect(
      path(
        link(2, "eth0", master: 3), link(3, "br0", "bridge"), link(4, "br0.7", "vlan", lower: 3), kernel: kernel
      ).status == .satisfied)
    let dead = path(link(2, "eth0", flags: 0x1003, master: 3), link(3, "bond0", "bond"), kernel: kernel)
    #expect(dead.reason == .noUnderlay)
    #expect(dead.cause == "bond0 has no route")
  }

  @Test(arguments: ["wireguard", "tun", "ovpn", "ovpn-dco", "gretap", "vti6"]) func kindsOfTunnels(_ kind: String) {
    #expect(path(link(2, "eth0", flags: 0x1003), tunnel: kind).reason == .noUnderlay)
  }

  /// A container's veth leads out of its namespace; a bridge of containers leads nowhere.
  @Test func containers() {
    for pair in ["veth", "netkit"] {
      #expect(path(link(2, "eth0", pair, elsewhere: true)).status == .satisfied)
    }
    #expect(
      path(link(2, "veth12", "veth", master: 3, elsewhere: true), link(3, "docker0", "bridge")).reason == .noUnderlay)
  }

  /// Hardware is looked for with a few system calls, and a bridge may have a thousand ports.
  @Test func theHardwareOfAContainersVethIsNotLookedFor() {
    let kernel = Kernel()
    let path = path(
      link(2, "veth12", "veth", master: 4), link(3, "eth1", master: 4), link(4, "docker0", "bridge"), kernel: kernel)
    #expect(path.reason == .noUnderlay)
    #expect(kernel.asked.names == ["docker0", "eth1"])
  }

  @Test func aMarkOfTheRulesFindsTheWay() {
    #expect(path(link(2, "eth0"), kernel: Kernel(ways: [2: 8])).status == .satisfied)
    #expect(path(link(2, "eth0"), kernel: Kernel(ways: [2: 6])).reason == .noUnderlay)
  }

  @Test func membersOfAVRFAreLinksOfTheirOwn() {
    let kernel = Kernel(devices: ["eth0"])
    #expect(path(link(2, "eth0", master: 3), link(3, "red", "vrf"), kernel: kernel).status == .satisfied)
  }

  @Test func whatTheUserIgnoresIsNotThere() {
    #expect(path(link(2, "docker0", "bridge"), ignoring: [try! InterfaceGlob("docker*")]).status == .satisfied)
  }

  @Test func theOneThatIsSetUpIsNamed() {
    #expect(path(link(2, "eth0", flags: 0x1003)).cause == "eth0 has no carrier")
    let two = path(link(2, "eth0", flags: 0x1003), link(3, "wlan0", flags: 0x1002))
    #expect(two.cause == "wg0 is a tunnel without a link under it")
    #expect(two.explanation == "offline: default dev wg0 is a tunnel without a link under it")
  }
}
