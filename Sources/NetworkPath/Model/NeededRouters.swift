extension PathDecision {
  /// The routers of which one must answer before packets can leave by these ways. Empty if one of the ways needs no answer.
  ///
  /// Call this before other interfaces are looked up: nothing needs their routers.
  func neededRouters(of ways: [Way]) -> Set<Gateway> {
    var needed: Set<Gateway> = []
    for way in ways {
      let routers = nextRouters(of: way).filter { tables.links[$0.interface]?.resolvesAddresses ?? true }
      if routers.isEmpty { return [] }
      needed.formUnion(routers)
    }
    return needed
  }

  private func nextRouters(of way: Way) -> Set<Gateway> {
    guard tables.links[way.leg.interface]?.isTunnel ?? false else {
      return Set(way.leg.gateway.map { [Gateway($0, on: way.leg.interface)] } ?? [])
    }
    // Only a route to the server names the router that the tunnel's packets need. Another router of the link may be a spare one.
    guard let link = underlay(under: way.leg.interface).link.flatMap({ tables.links[$0] }) else { return [] }
    let servers = routersOfServers(by: link)
    let routers = (routers.value ?? []).intersection(servers)
    return routers.contains { silentRouters[$0] != nil } ? [] : routers
  }
}
