/// A ``RoutedNetwork`` whose far servers are behind a ``SlowLink``.
package final class SlowNetwork: Sendable {
  /// How packets get to the far servers.
  package enum Way: Sendable {
    /// By the router; the slow link is behind it.
    case router
    /// By a VPN of the host, whose tunnel is the slow link.
    case tunnel
  }

  package static let canRun = RoutedNetwork.canRun && TunDevice.canBeMade
  package static let far = (1...6).map { "198.51.100.\($0)" }
  package static let far6 = (1...4).map { "2001:db8:2::\($0)" }

  package let network: RoutedNetwork
  package let link: SlowLink

  package init(_ way: Way = .router, seed: UInt64 = 1) throws {
    network = try RoutedNetwork(usesDefaultTimers: true)
    let (router, farSide) = (network.router, network.farSide)
    for address in Self.far.dropFirst(RoutedNetwork.far.count) { try farSide.ip("addr add \(address)/24 dev eth0") }
    for address in Self.far6.dropFirst(RoutedNetwork.far6.count) {
      try farSide.ip("addr add \(address)/64 dev eth0 nodad")
    }
    switch way {
    case .router:
      link = try SlowLink("slow0", in: router, "slow1", in: farSide, seed: seed)
      for address in Self.far { try router.ip("route add \(address)/32 dev slow0") }
      for address in Self.far6 { try router.ip("-6 route add \(address)/128 dev slow0") }
      try farSide.ip("route add 192.0.2.0/24 dev slow1", "-6 route add 2001:db8:1::/64 dev slow1")
    case .tunnel:
      link = try SlowLink("tun0", in: network.host, "vpn0", in: farSide, seed: seed)
      try network.host.ip(
        "addr add 10.8.0.2/24 dev tun0", "route replace default dev tun0", "route add 203.0.113.1/32 via 192.0.2.1")
      try farSide.ip("addr add 10.8.0.1/24 dev vpn0")
    }
    // Each connection begins without what the kernel remembers of the hosts.
    for namespace in [network.host, farSide] { try namespace.sysctl("net/ipv4/tcp_no_metrics_save", "1") }
  }

  /// The congestion control of the connections that begin from now on, such as `bbr`.
  package func setCongestionControl(_ name: String) throws {
    for namespace in [network.host, network.farSide] {
      try namespace.sysctl("net/ipv4/tcp_congestion_control", name)
    }
  }

  /// Programs that are used: each sends a few bytes now and then, and gets them back. They run while the result lives.
  package func use(_ addresses: [String] = Array(far.prefix(4)), every interval: Duration = .milliseconds(400)) throws
    -> [EchoClients]
  {
    try addresses.enumerated().map { number, address in
      try EchoClients(in: network.host, to: [address], interval: interval * (number + 3) / 4, bytes: 20 + number)
    }
  }
}
