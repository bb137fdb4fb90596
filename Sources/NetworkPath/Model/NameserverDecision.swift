extension PathDecision {
  /// Whether the resolver's question would leave for this nameserver.
  func isReachable(_ nameserver: Nameserver, by interfaces: [NWInterface]) -> Bool {
    let address = nameserver.address
    // A resolver on this machine asks other servers. It is reachable whenever the path is satisfied.
    if address.isLoopback { return true }
    if address.needsScope { return isReachableOnLink(nameserver) }
    let obstacles = obstacles(to: address)
    if obstacles.contains(.excluded) {
      return interfaces.contains { self.obstacles(to: address, by: $0.index).contains(nil) }
    }
    return obstacles.contains { $0 == nil || $0 == .loopback }
  }

  /// A router may announce its link-local address as the nameserver (RFC 8106). The scope names the link, and the question needs no route
  /// beyond it.
  private func isReachableOnLink(_ nameserver: Nameserver) -> Bool {
    guard let scope = nameserver.scope,
      let link = tables.links.values.first(where: { $0.name == scope }) ?? Int(scope).flatMap({ tables.links[$0] }),
      link.obstacle == nil, !options.ignored.match(link.name),
      !options.areSelective || options.admit(tables.interfaceType(of: link.index, oracle: oracle))
    else { return false }
    return tables.addresses(on: link.index, .ipv6).contains { $0.isUsable }
  }

  /// The obstacle of each leg to a destination, nil for a viable leg; empty when no route leads there.
  private func obstacles(to destination: AnyIPAddress, by interface: Int? = nil) -> [NWPath.Reason?] {
    guard case .route(let match) = ask(RouteProbe(destination: destination, outputInterface: interface)) else {
      return []
    }
    return match.legs.map { obstacle(of: $0, to: destination) }
  }
}
