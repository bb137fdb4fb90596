extension PathDecision {
  /// The tunnels by which the ways lead, then the VPNs that are dead, bypassed or down. Call this after the ways were decided.
  func tunnels(_ ways: [Way], _ obstacles: [Obstacle]) -> [NWPath.Tunnel] {
    let links = tables.links.values.filter { $0.isTunnel && !options.ignored.match($0.name) }
    if links.isEmpty { return [] }
    let tunnels = links.sorted { $0.index < $1.index }.compactMap { tunnel($0, ways, obstacles) }
    return tunnels.filter { $0.use == .carries } + tunnels.filter { $0.use != .carries }
  }

  private func tunnel(_ link: Link, _ ways: [Way], _ obstacles: [Obstacle]) -> NWPath.Tunnel? {
    let own = interface(link.index)
    if ways.contains(where: { $0.leg.interface == link.index }) {
      let underlay = underlay(under: link.index).link.map(interface)
      // A tunnel for one family only, such as 6in4, leaves the other one to the link below.
      let others = link.isVPN ? familiesOutside(ways) : []
      let words = PathWords.tunnel(link, over: underlay?.name, bypassedBy: others)
      return .init(interface: own, use: .carries, underlay: underlay, bypassing: others, explanation: words)
    }
    if let verdict = judged.value?[link.index], !verdict.isViable {
      let words = PathWords.deadTunnel(link, verdict.fault, links: tables.links)
      return .init(interface: own, use: .down, explanation: words)
    }
    // Any other tunnel counts only if a VPN has set it up.
    guard link.isVPN, isAddressed(link) else { return nil }
    let fault = obstacles.first { $0.way?.leg.interface == link.index }?.reason ?? link.obstacle
    if let fault { return .init(interface: own, use: .down, explanation: PathWords.tunnel(link, fault)) }
    let words = ways.isEmpty ? PathWords.unusedTunnel(link) : PathWords.bypassedTunnel(link)
    return .init(interface: own, use: .bypassed, explanation: named(words))
  }

  /// The families whose packets go into no tunnel.
  private func familiesOutside(_ ways: [Way]) -> [AddressFamily] {
    AddressFamily.allCases.filter { family in
      let ways = ways.filter { $0.family == family }
      return !ways.isEmpty && !ways.contains { tables.links[$0.leg.interface]?.isTunnel ?? false }
    }
  }
}
