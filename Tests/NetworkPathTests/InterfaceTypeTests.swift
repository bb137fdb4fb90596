import Dispatch
import NetworkPath
import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// Monitors that require or prohibit interface types, in a namespace with a wired uplink and a virtual machine's bridge, of
/// type `other`.
@Suite(.ownThread, .needsTunDevice) struct InterfaceTypeTests {
  private typealias InterfaceType = NWInterface.InterfaceType

  /// The kernel prefers the wired uplink for IPv4, and has IPv6 only there.
  private final class TwoUplinks {
    let namespace: NetworkNamespace
    private let tap: TunDevice

    init() throws {
      namespace = try NetworkNamespace()
      tap = try TunDevice("tap0", isTap: true, in: namespace)
      try namespace.addUplink("eth0")
      try namespace.ip(
        "link set tap0 up", "link add br0 type bridge", "link set tap0 master br0", "link set br0 up",
        "addr add 198.51.100.2/24 dev br0", "route add default via 198.51.100.1 metric 900",
        "addr add 2001:db8::2/64 dev eth0 nodad", "-6 route add default via 2001:db8::1 dev eth0")
    }

    func path(_ options: PathOptions) throws -> NWPath { try World.path(in: namespace, options) }
  }

  @Test func aRequiredTypeIsAllThereIs() throws {
    let uplinks = try TwoUplinks()
    let any = try uplinks.path(PathOptions())
    #expect(any.availableInterfaces.map(\.name) == ["eth0", "br0"])

    let wired = try uplinks.path(PathOptions(requiredInterfaceType: .wiredEthernet))
    #expect(wired.debugDescription == "satisfied (Path is satisfied), interface: eth0, ipv4, ipv6")
    #expect(wired.availableInterfaces.map(\.name) == ["eth0"])
    #expect(wired.gateways.map(\.addressText) == ["192.0.2.1", "2001:db8::1"])

    let other = try uplinks.path(PathOptions(requiredInterfaceType: .other))
    #expect(other.debugDescription == "satisfied (Path is satisfied), interface: br0, ipv4")
    #expect(other.gateways.map(\.addressText) == ["198.51.100.1"])
    #expect(other.usesInterfaceType(.other) && !other.usesInterfaceType(.wiredEthernet))
  }

  @Test(arguments: [NWInterface.InterfaceType.wifi, .cellular, .loopback])
  func aRequiredTypeThatIsNotThere(_ type: NWInterface.InterfaceType) throws {
    let path = try TwoUplinks().path(PathOptions(requiredInterfaceType: type))
    #expect(path.status == .unsatisfied)
    #expect(path.reason == .excluded)
    #expect(path.availableInterfaces.isEmpty && path.gateways.isEmpty)
    #expect(!path.supportsIPv4 && !path.supportsIPv6 && !path.usesInterfaceType(type))
    #expect(
      path.explanation == "offline: default via 192.0.2.1 dev eth0 is of a type that the program does not use")
  }

  @Test func prohibitedTypesAreLeftOut() throws {
    let uplinks = try TwoUplinks()
    let noWire = try uplinks.path(PathOptions(prohibitedInterfaceTypes: [.wiredEthernet, .wifi]))
    #expect(noWire.availableInterfaces.map(\.name) == ["br0"])
    #expect(noWire.status == .satisfied)
    // Prohibiting an absent type, or none, changes nothing.
    #expect(try uplinks.path(PathOptions(prohibitedInterfaceTypes: [.wifi, .cellular])) == uplinks.path(PathOptions()))
    #expect(try uplinks.path(PathOptions(prohibitedInterfaceTypes: [])) == uplinks.path(PathOptions()))
    let nothing = try uplinks.path(
      PathOptions(prohibitedInterfaceTypes: [.wifi, .cellular, .wiredEthernet, .loopback, .other]))
    #expect(nothing.status == .unsatisfied && nothing.reason == .excluded)
  }

  /// The public interface cannot request both at once; it is still defined.
  @Test func aTypeThatIsRequiredAndProhibitedIsNeverThere() throws {
    let path = try TwoUplinks().path(
      PathOptions(requiredInterfaceType: .wiredEthernet, prohibitedInterfaceTypes: [.wiredEthernet]))
    #expect(path.status == .unsatisfied)
  }

  /// IPv6 leaves by the tap, IPv4 by the wire; the tap's IPv6 route takes precedence over a wired one.
  @Test func oneInterfaceMayTakeThePlaceOfAnotherForOneFamily() throws {
    let uplinks = try TwoUplinks()
    try uplinks.namespace.ip(
      "addr add 2001:db8:1::2/64 dev br0 nodad", "-6 route add default via 2001:db8:1::1 dev br0 metric 1")
    #expect(try uplinks.path(PathOptions()).gateways.map(\.addressText) == ["192.0.2.1", "2001:db8:1::1"])
    let wired = try uplinks.path(PathOptions(requiredInterfaceType: .wiredEthernet))
    #expect(wired.debugDescription == "satisfied (Path is satisfied), interface: eth0, ipv4, ipv6")
    #expect(wired.gateways.map(\.addressText) == ["192.0.2.1", "2001:db8::1"])
  }

  /// The program's sockets are bound, and so are the look-ups for its nameservers.
  @Test func nameserversAreLookedUpByTheRequiredInterface() throws {
    let file = "/tmp/overline-test-resolver-\(ProcessEnvironment.processID)"
    _ = try Subprocess.run("tee", [file], input: Array("nameserver 203.0.113.53\n".utf8))
    defer { try? Files.remove(file) }
    let uplinks = try TwoUplinks()
    func path(_ options: PathOptions) throws -> NWPath {
      try World.path(in: uplinks.namespace, options, resolverConfiguration: file)
    }
    #expect(try path(PathOptions()).supportsDNS)
    #expect(try path(PathOptions(requiredInterfaceType: .other)).supportsDNS)
    try uplinks.namespace.ip("route add 203.0.113.0/24 dev eth0", "route add unreachable default metric 7000")
    #expect(try path(PathOptions(requiredInterfaceType: .wiredEthernet)).supportsDNS)
  }

  @Test func aMonitorReportsOnlyChangesOfItsInterfaceType() throws {
    let wired = try World(PathOptions(requiredInterfaceType: .wiredEthernet)) { try $0.addUplink("eth0") }
    let wifi = World.monitor(in: wired.namespace, PathOptions(requiredInterfaceType: .wifi))
    let told = Recorder<NWPath>()
    wifi.pathUpdateHandler = { told.record($0) }
    wifi.start(queue: DispatchQueue(label: "test.wifi"))
    try told.wait("no Wi-Fi") { !$0.isEmpty }
    try wired.start()
    try wired.after("link set eth0p down") { $0.status == .unsatisfied && $0.reason == .noCarrier }
    try wired.after("link set eth0p up") { $0.status == .satisfied }
    #expect(told.values.allSatisfy { $0.status == .unsatisfied })
    wifi.cancel()
  }
}
