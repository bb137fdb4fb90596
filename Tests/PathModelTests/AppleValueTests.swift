import NetworkPath
import OverlineTestThread
import Testing

/// The values of Apple's framework that programs make themselves.
@Suite(.ownThread) struct AppleValueTests {
  @Test(
    arguments: [
      ("192.0.2.1", "192.0.2.1"), ("2001:db8::1", "2001:db8::1"), ("::ffff:192.0.2.1", "192.0.2.1"),
      ("example.com", "example.com"), ("fe80::1%eth0", "fe80::1%eth0"),
    ])
  func aHostIsAnAddressOrAName(_ text: String, _ name: String) {
    let host = NWEndpoint.Host(text)
    #expect(host.debugDescription == name)
    #expect(host.interface == nil)
    switch host {
    case .ipv4: #expect(name == "192.0.2.1")
    case .ipv6: #expect(name == "2001:db8::1")
    case .name: #expect(name.contains("%") || name.contains("example"))
    }
    #expect(NWEndpoint.hostPort(host: "192.0.2.1", port: 80).debugDescription == "192.0.2.1:80")
  }

  @Test(
    arguments: [
      ("80", 80), ("0", 0), ("http", 80), ("https", 443), ("65536", nil), ("+80", nil), ("", nil), ("no such", nil),
    ] as [(String, UInt16?)])
  func aPortIsANumberOrAService(_ text: String, _ number: UInt16?) {
    #expect(NWEndpoint.Port(text)?.rawValue == number)
  }

  @Test func wellKnownPorts() {
    let ports: [NWEndpoint.Port] = [.any, .ssh, .smtp, .http, .pop, .imap, .https, .imaps, .socks]
    #expect(ports.map(\.rawValue) == [0, 22, 25, 80, 110, 143, 443, 993, 1080])
    #expect(NWEndpoint.Port(rawValue: 8080) == 8080)
  }

  @Test func addressesThatHaveNames() {
    let groups: [IPv4Address] = [
      .any, .broadcast, .loopback, .allHostsGroup, .allRoutersGroup, .allReportsGroup, .mdnsGroup,
    ]
    #expect(
      groups.map(\.debugDescription)
        == ["0.0.0.0", "255.255.255.255", "127.0.0.1", "224.0.0.1", "224.0.0.2", "224.0.0.22", "224.0.0.251"])
    #expect(groups.map(\.isMulticast) == [false, false, false, true, true, true, true])
    let six: [IPv6Address] = [.any, .broadcast, .loopback, .nodeLocalNodes, .linkLocalNodes, .linkLocalRouters]
    #expect(six.map(\.debugDescription) == ["::", "::", "::1", "ff01::1", "ff02::1", "ff02::2"])
    #expect(six.map(\.isMulticast) == [false, false, false, true, true, true])
    #expect(six.map(\.multicastScope) == [nil, nil, nil, .nodeLocal, .linkLocal, .linkLocal])
    #expect(six.map(\.isAny) == [true, true, false, false, false, false])
    #expect(IPv4Address.loopback.isLoopback && IPv6Address.loopback.isLoopback)
  }

  @Test func anAddressIsMadeFromItsBytes() {
    let eth0 = NWInterface(name: "eth0", index: 2, type: .wiredEthernet)
    #expect(IPv4Address([192, 0, 2, 1])?.rawValue == [192, 0, 2, 1])
    #expect(IPv4Address([169, 254, 0, 1], eth0)?.interface == eth0)
    #expect(IPv4Address([1, 2, 3]) == nil && IPv4Address([UInt8](repeating: 0, count: 16)) == nil)
    #expect(IPv6Address([UInt8](repeating: 0, count: 15) + [1]) == .loopback)
    #expect(IPv6Address([1, 2, 3, 4]) == nil)
  }

  /// As programs that read the configuration of a VPN do.
  @Test(
    arguments: [
      ("192.0.2.1", [192, 0, 2, 1]), ("::1", Array(repeating: 0, count: 15) + [1]), ("example.com", nil),
      ("fe80::1%eth0", nil),
    ] as [(String, [UInt8]?)])
  func anAddressOfEitherFamily(_ text: String, _ bytes: [UInt8]?) {
    func parse(_ text: String) -> (any IPAddress)? { IPv4Address(text) ?? IPv6Address(text) }
    let address = parse(text)
    #expect(address?.rawValue == bytes)
    #expect(address.map { $0 is IPv4Address } == bytes.map { $0.count == 4 })
    #expect(address.map { "\($0)" } == bytes.map { _ in text })
    #expect(address?.isLoopback == bytes.map { $0.count == 16 })
  }

  @Test func aMaskedAddressIsMadeFromBytes() throws {
    func masked<Address: IPAddress>(_ address: Address, by mask: [UInt8]) -> Address? {
      Address(zip(address.rawValue, mask).map { $0 & $1 }, address.interface)
    }
    let address = try #require(IPv4Address("192.0.2.77"))
    #expect(masked(address, by: [255, 255, 255, 0])?.debugDescription == "192.0.2.0")
  }

  @Test func anIPv6AddressMayContainAnIPv4Address() {
    let mapped = IPv6Address("::ffff:192.0.2.1")!
    #expect(mapped.isIPv4Mapped && !mapped.isIPv4Compatabile && mapped.asIPv4 == IPv4Address("192.0.2.1"))
    let compatible = IPv6Address("::192.0.2.1")!
    #expect(!compatible.isIPv4Mapped && compatible.isIPv4Compatabile && compatible.asIPv4 == IPv4Address("192.0.2.1"))
    #expect(IPv6Address.loopback.asIPv4 == nil && !IPv6Address.loopback.isIPv4Compatabile)
    #expect(IPv6Address("2002:c000:201::1")!.is6to4 && !mapped.is6to4)
  }

  @Test(
    arguments: [
      ("fc00::", true), ("fdff:ffff::1", true), ("fbff::1", false), ("fe00::1", false), ("fe80::1", false),
      ("2001:db8::1", false),
    ])
  func anAddressOfAPrivateNetworkIsUniqueLocal(_ text: String, _ isUniqueLocal: Bool) {
    #expect(IPv6Address(text)?.isUniqueLocal == isUniqueLocal)
  }

  @Test func anEndpointKnowsItsInterface() {
    let eth0 = NWInterface(name: "eth0", index: 2, type: .wiredEthernet)
    let router = NWEndpoint.hostPort(host: .ipv4(IPv4Address([169, 254, 0, 1], eth0)!), port: .any)
    let printer = NWEndpoint.service(name: "Printer", type: "_ipp._tcp", domain: "local.", interface: eth0)
    let others: [NWEndpoint] = [.unix(path: "/a"), .url(.init("https://example.com/")), .hostPort(host: "a", port: 1)]
    #expect([router, printer].map(\.interface) == [eth0, eth0])
    #expect(others.allSatisfy { $0.interface == nil })
    #expect(printer.debugDescription == "Printer._ipp._tcplocal.%eth0")
    #expect(others.map(\.debugDescription) == ["/a", "https://example.com/", "a:1"])
  }

  /// The kernel cannot say.
  @Test func aPathHasNoEndpointsAndNoMeasure() {
    let path = NWPath(status: .satisfied)
    #expect(path.localEndpoint == nil && path.remoteEndpoint == nil)
    #expect(!path.isUltraConstrained && path.linkQuality == .unknown)
  }
}
