/// The links that could carry a tunnel's packets.
struct Underlay {
  /// The fault of the link that last carried the packets, or else of the only link that is configured to carry them.
  struct Fault {
    /// The link's index in the kernel's table.
    var link: Int
    var reason: NWPath.Reason
    /// The name of a link that the kernel has removed.
    var removed: String?
    /// How long the link's silent router has not answered.
    var silence: RouterSilence?
    /// Whether the link has lost the route to the VPN's server, so that the tunnel's packets lead into the tunnel.
    var isLoop = false
    /// The running monitor's word, in place of a fault that this process has seen.
    var word: TunnelWord?
  }

  var isViable: Bool
  /// A link that can carry them.
  var link: Int?
  var fault: Fault?

  /// The value for a tunnel whose packets leave from another namespace: only the tunnel's own state counts.
  static let elsewhere = Underlay(isViable: true)
}

extension PathDecision {
  /// The underlay of a tunnel, by the tunnel's index.
  func underlay(under index: Int) -> Underlay {
    guard let tunnel = tables.links[index] else { return .elsewhere }
    return underlay(of: tunnel, depth: 8)
  }

  /// The links that carry the tunnels among the ways.
  func underlays(of ways: [Way]) -> [Int] {
    ways.compactMap { way in
      let isTunnel = tables.links[way.leg.interface]?.isTunnel ?? false
      return isTunnel ? underlay(under: way.leg.interface).link : nil
    }
  }

  /// - Parameter depth: the limit for stacked links. Stacks are a few levels deep; a loop (which the kernel forbids) must not hang us.
  private func underlay(of tunnel: Link, depth: Int) -> Underlay {
    if tunnel.isLowerElsewhere || depth == 0 { return .elsewhere }
    if tunnel.kind == "vxlan", let lower = tables.links[tunnel.lowerIndex] { return underlay(by: lower, depth: depth) }
    if let known = judged.value?[tunnel.index] { return known }
    let found = judge(tunnel, (tunnel.isTap ? searchUnderTaps : search).value { findUnderlay(of: tunnel) })
    judged.value = (judged.value ?? [:]).merging([tunnel.index: found]) { $1 }
    return found
  }

  /// A vxlan's packets leave by the link that it was made for. The other end may be on the same link, so no route beyond it is needed.
  private func underlay(by lower: Link, depth: Int) -> Underlay {
    if let reason = obstacle(under: lower) ?? (isAddressed(lower) || hasRoute(by: lower) ? nil : .noAddress) {
      return Underlay(isViable: false, fault: .init(link: lower.index, reason: reason))
    }
    return lower.isTunnel ? underlay(of: lower, depth: depth - 1) : Underlay(isViable: true, link: lower.index)
  }

  /// Looks for a link by which packets like a tunnel's own can leave.
  private func findUnderlay(of tunnel: Link) -> UnderlaySearch {
    var candidates = tables.links.filter { isCandidate($0.value) }
    // In a container a tap may be the only link under a tunnel of another kind.
    if candidates.isEmpty && !tunnel.isTap {
      candidates = tables.links.filter { $0.value.isTap && !options.ignored.match($0.value.name) }
    }
    var search = UnderlaySearch(candidates: candidates)
    var ready: [Link] = []
    for (index, link) in candidates {
      if let reason = obstacle(under: link) {
        search.faults.append(.init(link: index, reason: reason))
      } else {
        ready.append(link)
      }
    }
    let marks = candidates.isEmpty ? [] : oracle.marks()
    switch wayOfMarked(marks, among: candidates) {
    case .leads(let link):
      search.way = tables.links[link].map { .init(link: $0, proof: .mark) }
      return search
    case .ends(let fault): search.endOfMarked = .some(fault)
    case .unsaid:
      search.way = way(by: ready, marks)
      if search.way != nil { return search }
    }
    search.faults += ready.map { link in
      if let silence = silenceOfServersRouter(by: link) {
        return .init(link: link.index, reason: .routerSilent, silence: silence)
      }
      return .init(link: link.index, reason: isAddressed(link) ? .noRoute : .noAddress)
    }
    return search
  }

  // MARK: Candidates

  /// Whether the link's kind can lead out of the machine, whatever its state. Called for each of possibly a thousand containers' ports, so
  /// the check that excludes ports comes first.
  private func isCandidate(_ link: Link) -> Bool {
    // A port sends through its bridge or bond. A VRF only groups its members, which keep their addresses.
    if link.masterIndex != 0, let master = tables.links[link.masterIndex], master.kind != "vrf" { return false }
    switch link.kind {
    case "dummy", "ifb", "nlmon", "vcan", "vxcan", "vrf": return false
    default: return !link.isLoopback && !link.isTunnel && !options.ignored.match(link.name)
    }
  }

  /// False for a bridge of containers or of virtual machines only: a tunnel beside it counts as alone.
  func mayLeadOut(_ link: Link) -> Bool {
    guard link.kind == "bridge" else { return true }
    return tables.links.values.contains { $0.masterIndex == link.index && !$0.isPair && $0.kind != "tap" }
  }

  /// The reason why a link can carry nothing, whatever the route; nil when it can.
  func obstacle(under link: Link) -> NWPath.Reason? {
    if let reason = link.obstacle { return reason }
    let prohibited = options.prohibitedInterfaceTypes
    if prohibited.isEmpty { return nil }
    return prohibited.contains(tables.interfaceType(of: link.index, oracle: oracle)) ? .excluded : nil
  }

  /// Whether the link has an address from which packets for other networks can be sent.
  func isAddressed(_ link: Link) -> Bool {
    AddressFamily.allCases.contains { tables.isRoutable(from: link.index, $0) }
  }

  // MARK: The fault

  /// The link to name as the cause: the link that last carried the tunnel's packets, else the only faulty link, else the only faulty link
  /// with an address.
  func culprit(_ faults: [Underlay.Fault]) -> Underlay.Fault? {
    for last in lastUsed {
      if let fault = faults.first(where: { $0.link == last.index || tables.links[$0.link]?.name == last.name }) {
        return fault
      }
    }
    if let removed = removed() { return removed }
    if faults.count == 1 { return faults[0] }
    let addressed = faults.filter { (tables.addresses[$0.link] ?? [:]).values.contains(where: \.isRoutable) }
    let dead = addressed.filter { $0.reason != .noRoute }
    let suspects = dead.isEmpty ? addressed : dead
    return suspects.count == 1 ? suspects[0] : nil
  }

  /// The link of the last satisfied path that the kernel has removed since, unless another one has its name.
  private func removed() -> Underlay.Fault? {
    let gone = lastUsed.first { last in
      tables.links[last.index] == nil && !tables.links.values.contains { $0.name == last.name }
    }
    return gone.map { .init(link: $0.index, reason: .linkDown, removed: $0.name) }
  }
}
