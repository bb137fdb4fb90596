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
    // The tunnel's packets leave by the routers of the link under it. One that is silent is not needed: the tunnel is alive without it.
    guard let link = underlay(under: way.leg.interface).link else { return [] }
    let routers = (routers.value ?? []).filter { $0.interface == link }
    return routers.contains { silentRouters[$0] != nil } ? [] : routers
  }
}
