import NetworkPath
import OverlineTestThread
import Testing

/// The text of a path, for programs and logs.
@Suite(.ownThread) struct PathValueTests {
  private let wlan0 = NWInterface(name: "wlan0", index: 3, type: .wifi)

  @Test func logsReadLikeApples() {
    let path = NWPath(
      status: .satisfied, availableInterfaces: [wlan0], usedInterfaces: [wlan0], supportsIPv4: true, supportsIPv6: true,
      supportsDNS: true)
    #expect("\(path)" == "satisfied (Path is satisfied), interface: wlan0[802.11], ipv4, ipv6, dns")
    let tether = NWPath(
      status: .satisfied, availableInterfaces: [NWInterface(name: "wwan0", index: 4, type: .cellular)],
      supportsIPv4: true, isExpensive: true, isConstrained: true)
    #expect("\(tether)" == "satisfied (Path is satisfied), interface: wwan0, ipv4, expensive, constrained")
    #expect(
      "\(NWPath(status: .unsatisfied, reason: .noRoute, cause: "no route to the internet"))"
        == "unsatisfied (No network route)")
    #expect("\(NWPath(status: .unsatisfied, reason: .linkDown, cause: "eth0 is down"))" == "unsatisfied (eth0 is down)")
    #expect("\(NWPath(status: .requiresConnection))" == "satisfiable (Path needs a connection)")
    #expect("\(NWPath(status: .satisfied, isKnown: false))" == "satisfied (Path is unknown)")
    #expect("\(wlan0)" == "wlan0")
  }

  @Test func addressesAreOfOneFamilyAndKeepTheirScope() {
    #expect(IPv4Address("192.0.2.1")?.rawValue == [192, 0, 2, 1])
    #expect(IPv4Address("2001:db8::1") == nil && IPv6Address("192.0.2.1") == nil && IPv4Address("192.0.2") == nil)
    #expect(IPv6Address("fe80::1%wlan0") == nil)
    #expect(IPv6Address("::1")?.isLoopback == true && IPv4Address("169.254.1.1")?.isLinkLocal == true)
    #expect(IPv6Address("fe80::1").map { "\($0)" } == "fe80::1")
    #expect("\(NWEndpoint.hostPort(host: .ipv6(IPv6Address("2001:db8::1")!), port: 443))" == "2001:db8::1.443")
    #expect("\(NWEndpoint.hostPort(host: .name("example.org", wlan0), port: .any))" == "example.org%wlan0:0")
  }
}
