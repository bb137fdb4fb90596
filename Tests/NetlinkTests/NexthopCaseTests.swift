import NetworkPath
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// Routes with several legs, and routes whose legs are objects of their own.
@Suite(.ownThread) struct NexthopCaseTests {
  private static let families = ["-4", "-6"]

  /// eth0 and eth1 with addresses of both families and no route.
  private func links(_ namespace: NetworkNamespace) throws {
    try namespace.addUplink("eth0", gateway: nil)
    try namespace.addUplink("eth1", address: "198.51.100.2/24", gateway: nil)
    try namespace.ip("addr add 2001:db8::2/64 dev eth0 nodad", "addr add 2001:db8:1::2/64 dev eth1 nodad")
  }

  private func gateway(_ family: String, _ link: Int) -> String {
    family == "-4" ? ["192.0.2.1", "198.51.100.1"][link] : ["2001:db8::1", "2001:db8:1::1"][link]
  }

  private func byNexthop(_ family: String, compatible: Bool = true) throws -> WatchedNamespace {
    try WatchedNamespace { namespace in
      try links(namespace)
      if !compatible { try namespace.sysctl("net/ipv4/nexthop_compat_mode", "0") }
      try namespace.ip(
        "nexthop add id 7 via \(gateway(family, 0)) dev eth0", "\(family) route add default nhid 7")
    }
  }

  /// K4: only the object's own message is sent; the route goes silently.
  @Test(arguments: families) func nexthopDeleted(_ family: String) throws {
    let world = try byNexthop(family)
    #expect(world.path.status == .satisfied)
    #expect(world.path.gateways.map(\.addressText) == [gateway(family, 0)])
    let path = try world.after({ try world.namespace.ip("nexthop del id 7") }, "no way") { $0.status == .unsatisfied }
    #expect(path.reason == .noRoute)
    #expect(path.explanation == "offline: no route to the internet")
  }

  /// K5
  @Test(arguments: families) func nexthopReplacedByABlackhole(_ family: String) throws {
    let world = try byNexthop(family)
    let path = try world.after({ try world.namespace.ip("\(family) nexthop replace id 7 blackhole") }, "no way") {
      $0.status == .unsatisfied
    }
    #expect(path.reason == .blackhole)
    #expect(path.explanation == "offline: the default route is of type blackhole")
  }

  /// K6: the kernel removes the object, and silently its route.
  @Test(arguments: families) func carrierOfANexthopLost(_ family: String) throws {
    let world = try byNexthop(family)
    let path = try world.after({ try world.namespace.ip("link set eth0p down") }, "no way", steps: 2) {
      $0.status == .unsatisfied
    }
    #expect(path.reason == .noCarrier)
    #expect(path.cause == "eth0 has no carrier")
  }

  /// Keys of the kernel's multipath hash (Linux 6.11), each equivalent to a boot: with some of them the hash prefers eth0, with others
  /// eth1. The kernel names the preferred leg of an IPv6 route first; those of an IPv4 route keep the route's order.
  private static let hashSeeds = Array(1...12)

  /// K7
  @Test(arguments: families, hashSeeds) func oneLegOfTwoIsEnough(_ family: String, _ seed: Int) throws {
    let world = try WatchedNamespace { namespace in
      // An older kernel has the key of its boot.
      try? namespace.sysctl("net/ipv4/fib_multipath_hash_seed", "\(seed)")
      try links(namespace)
      try namespace.ip(
        "\(family) route add default nexthop via \(gateway(family, 0)) dev eth0 nexthop via \(gateway(family, 1)) dev eth1"
      )
    }
    let first = world.path.availableInterfaces.map(\.name)
    #expect((family == "-4" ? first : first.sorted()) == ["eth0", "eth1"])
    // In any order, each gateway is at its interface's position.
    #expect(world.path.gateways.map(\.addressText) == first.map { gateway(family, $0 == "eth0" ? 0 : 1) })
    let one = try world.after({ try world.namespace.ip("link set eth0p down") }, "the other leg", steps: 2) {
      $0.availableInterfaces.map(\.name) == ["eth1"]
    }
    #expect(one.status == .satisfied)
    let none = try world.afterCarrierLoss(of: "eth1")
    #expect(none.explanation.contains("has no carrier"))
  }

  /// K14: an interface without a route out is not available, though a plain look-up by it would succeed.
  @Test func anInterfaceWithoutARouteIsNotAvailable() throws {
    let world = try WatchedNamespace { namespace in
      try links(namespace)
      try namespace.ip("route add default via 192.0.2.1 dev eth0", "-6 route add default via 2001:db8::1 dev eth0")
    }
    #expect(world.path.availableInterfaces.map(\.name) == ["eth0"])
    let path = try world.after(
      { try world.namespace.ip("route add default via 198.51.100.1 dev eth1 metric 900") }, "two ways"
    ) { $0.availableInterfaces.count == 2 }
    #expect(path.availableInterfaces.map(\.name) == ["eth0", "eth1"])
    #expect(path.gateways.map(\.addressText) == ["192.0.2.1", "2001:db8::1", "198.51.100.1"])
  }

  /// K15: the answer holds only the object's id.
  @Test(arguments: families) func answersByIdAreResolved(_ family: String) throws {
    let world = try byNexthop(family, compatible: false)
    #expect(world.path.status == .satisfied)
    #expect(world.path.availableInterfaces.map(\.name) == ["eth0"])
    #expect(world.path.gateways.map(\.addressText) == [gateway(family, 0)])
    #expect(try world.afterCarrierLoss(of: "eth0").cause == "eth0 has no carrier")
  }

  /// A group of objects, with and without the compatible answer: one leg without carrier leaves the other.
  @Test(arguments: families, [true, false]) func groupOfNexthops(_ family: String, _ compatible: Bool) throws {
    let world = try WatchedNamespace { namespace in
      try links(namespace)
      if !compatible { try namespace.sysctl("net/ipv4/nexthop_compat_mode", "0") }
      try namespace.ip(
        "nexthop add id 1 via \(gateway(family, 0)) dev eth0", "nexthop add id 2 via \(gateway(family, 1)) dev eth1",
        "nexthop add id 10 group 1/2", "\(family) route add default nhid 10")
    }
    #expect(Set(world.path.availableInterfaces.map(\.name)) == ["eth0", "eth1"])
    let one = try world.after({ try world.namespace.ip("link set eth0p down") }, "the other leg", steps: 2) {
      $0.availableInterfaces.map(\.name) == ["eth1"]
    }
    #expect(one.status == .satisfied)
    try world.after({ try world.namespace.ip("nexthop del id 2") }, "no leg") { $0.status == .unsatisfied }
  }

  /// RFC 5549: an IPv4 route by an IPv6 router.
  @Test func ipv4ByAnIPv6Router() throws {
    let world = try WatchedNamespace { namespace in
      try links(namespace)
      try namespace.ip("-4 route add default via inet6 fe80::1 dev eth0")
    }
    #expect(world.path.supportsIPv4)
    #expect(world.path.gateways.map(\.addressText) == ["fe80::1"])
  }
}
