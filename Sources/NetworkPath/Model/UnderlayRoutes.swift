/// The result of the look-ups with firewall marks: the way that a tunnel's own packets take.
enum MarkedWay {
  /// Out of the machine, by this link.
  case leads(Int)
  /// Nowhere. The fault is that of the route's link; nil without a route.
  case ends(Underlay.Fault?)
  /// No rule identifies the tunnel's packets by a mark.
  case unsaid
}

extension PathDecision {
  /// Finds the way of a tunnel's own packets by look-ups with the firewall marks. A VPN may use a rule with a mark to keep its own packets
  /// out of its tunnel.
  func wayOfMarked(_ marks: [UInt32], among candidates: [Int: Link]) -> MarkedWay {
    if marks.isEmpty { return .unsaid }
    var fault: Underlay.Fault?
    var isDecided = false
    for destination in outerDestinations {
      let answers = marks.map { ask(RouteProbe(destination: destination, mark: $0)) }
      var isDeadEnd = false
      for (mark, answer) in zip(marks, answers) {
        switch answer {
        case .route(let match):
          // A leg into a tunnel or back to this machine shows that the tunnel's own packets do not carry this mark.
          for leg in match.legs {
            guard let link = candidates[leg.interface] else { continue }
            guard let reason = obstacle(of: leg, by: link, among: candidates, to: destination, mark: mark) else {
              return .leads(link.index)
            }
            let silence = reason == .routerSilent ? silence(of: leg) : nil
            fault = fault ?? Underlay.Fault(link: link.index, reason: reason, silence: silence)
            isDeadEnd = true
          }
        case .refused(.networkUnreachable): isDeadEnd = true
        // A refusing route was set up on purpose, for packets that must not leave.
        case .refused(.hostUnreachable), .refused(.blackhole), .refused(.prohibited), .refused(.failed): break
        }
      }
      if isDeadEnd && isSentIntoTunnelByRule(destination) { isDecided = true }
    }
    return isDecided ? .ends(fault) : .unsaid
  }

  /// The addresses to which a tunnel's own packets may be sent: to a server on the internet, or in the networks that decide.
  private var outerDestinations: [AnyIPAddress] {
    AddressFamily.allCases.flatMap { family in
      RouteProbe.destinations(family) + (options.onlineMeans.isEmpty ? [] : destinations(family))
    }
  }

  /// Whether a policy rule, and not table main, sends packets into a tunnel. Only then does a mark identify the tunnel's own packets.
  /// Otherwise the mark may belong to a second uplink.
  private func isSentIntoTunnelByRule(_ destination: AnyIPAddress) -> Bool {
    guard case .route(let match) = ask(RouteProbe(destination: destination)), match.table != RouteMatch.mainTable else {
      return false
    }
    return match.legs.contains { tables.links[$0.interface]?.isTunnel ?? false }
  }

  private func obstacle(
    of leg: RouteMatch.Leg, by link: Link, among candidates: [Int: Link], to destination: AnyIPAddress, mark: UInt32
  ) -> NWPath.Reason? {
    if let reason = obstacle(under: link) { return reason }
    if leg.isLinkDown { return .noCarrier }
    if leg.isDead { return .linkDown }
    guard canSend(leg, to: destination, mark: mark) else { return .noAddress }
    return isSilent(leg) && provesSilence(of: leg, by: link, candidates) ? .routerSilent : nil
  }

  /// Whether a silent router of a look-up with a mark ends the tunnel. Where a route leads to the server, only its router does. Otherwise a
  /// router that was never heard proves nothing: no packet but this program's own may have asked it.
  private func provesSilence(of leg: RouteMatch.Leg, by link: Link, _ candidates: [Int: Link]) -> Bool {
    let servers = candidates.values.map { routersOfServers(by: $0) }.reduce(into: Set()) { $0.formUnion($1) }
    guard servers.isEmpty else { return leadsToServer(leg, by: link) }
    return silence(of: leg)?.age != nil
  }

  // MARK: By one link

  /// Look at eight veth or netkit links at most: a container's uplink is among the first of them, and a thousand containers must not cost
  /// a thousand look-ups.
  private var maximumPairCount: Int { 8 }

  /// The first link by which a tunnel's packets can leave.
  func way(by links: [Link], _ marks: [UInt32]) -> UnderlaySearch.Way? {
    let ranked = links.map { (rank($0), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    let links = ranked.filter { !$0.isPair } + ranked.filter(\.isPair).prefix(maximumPairCount)
    if let link = links.first(where: { hasRoute(by: $0) }) { return .init(link: link, proof: .route) }
    // Under an unreachable default only the VPN's own packets have a route.
    if let link = links.first(where: { link in marks.contains { hasRoute(by: link, mark: $0) } }) {
      return .init(link: link, proof: .mark)
    }
    var other: Link?
    for link in links where mayLeadOut(link) {
      mustLookAgain.value = true
      let routes = routesBeyond(link)
      let hosts = routes.filter { isHostRoute($0) }.map(\.prefix)
      if !hosts.isEmpty { return .init(link: link, proof: .hostRoute(hosts)) }
      if !routes.isEmpty { other = other ?? link }
    }
    return other.map { .init(link: $0, proof: nil) }
  }

  /// The links of the last path first, then links with an address, then in the kernel's order.
  private func rank(_ link: Link) -> (Int, Int, Int) {
    let last = lastUsed.firstIndex { $0.index == link.index } ?? lastUsed.count
    return (last, isAddressed(link) ? 0 : 1, link.index)
  }

  /// Whether the kernel would send a packet for the internet by this link if its socket were bound to the link.
  func hasRoute(by link: Link, mark: UInt32 = 0) -> Bool {
    outerDestinations.contains { destination in
      let probe = RouteProbe(destination: destination, outputInterface: link.index, mark: mark)
      guard case .route(let match) = ask(probe) else { return false }
      return match.legs.contains { leg in
        guard isAlive(leg, on: link), canSend(leg, to: destination, mark: mark) else { return false }
        return !isSilent(leg) || (mark == 0 && !leadsToServer(leg, by: link))
      }
    }
  }

  /// Whether a route to a single host leads by the leg's router. The route of a bound look-up may be a spare one, which no packet of the
  /// tunnel takes: then the router's silence proves nothing.
  private func leadsToServer(_ leg: RouteMatch.Leg, by link: Link) -> Bool {
    serverRoutes(by: link).contains { route in
      route.legs.contains { $0.interface == leg.interface && $0.gateway == leg.gateway }
    }
  }

  /// How long a silent router has not answered by which a route to a single host leads, the longest time known; nil if there is none.
  func silenceOfServersRouter(by link: Link) -> RouterSilence? {
    let silent = silentRouters.filter { $0.key.interface == link.index }
    if silent.isEmpty { return nil }
    let routers = routersOfServers(by: link)
    return silent.filter { routers.contains($0.key) }.values.max { ($0.age ?? .zero) < ($1.age ?? .zero) }
  }

  /// The routers of the link by which routes to single hosts lead.
  func routersOfServers(by link: Link) -> Set<Gateway> {
    Set(serverRoutes(by: link).flatMap(\.legs).compactMap { leg in leg.gateway.map { Gateway($0, on: leg.interface) } })
  }

  /// The routes that lead beyond the link's own network, such as the route to the VPN's server. A route to a private network does not
  /// count: a NAS or an office's router advertises such routes even where nothing leads to the internet.
  private func routesBeyond(_ link: Link) -> [RouteMatch] {
    oracle.routes(by: link.index).filter { match in
      guard isHostRoute(match) || match.prefix.privateNetwork == nil else { return false }
      let family = match.prefix.address.family
      let destination = match.prefix.length == 0 ? RouteProbe.destinations(family)[0] : match.prefix.firstUsable
      return match.legs.contains { leg in
        (leg.gateway != nil || link.isPointToPoint) && isAlive(leg, on: link) && canSend(leg, to: destination)
          && !(isSilent(leg) && leadsToServer(leg, by: link))
      }
    }
  }

  /// The single hosts to which routes lead beyond the link, as to a VPN's server.
  ///
  /// A route to a nameserver is none: DHCP clients set one, and take it away with the lease.
  func servers(by link: Link) -> [IPPrefix] {
    let nameservers = oracle.nameservers().map(\.address)
    return routesBeyond(link).filter { isHostRoute($0) && !nameservers.contains($0.prefix.address) }.map(\.prefix)
  }

  /// The routes to single hosts by routers of the link, also by silent ones.
  private func serverRoutes(by link: Link) -> [RouteMatch] {
    oracle.routes(by: link.index).filter { isHostRoute($0) }
  }

  private func isHostRoute(_ match: RouteMatch) -> Bool { match.prefix.length == match.prefix.address.family.width }

  private func isAlive(_ leg: RouteMatch.Leg, on link: Link) -> Bool {
    leg.interface == link.index && !leg.isDead && !leg.isLinkDown
  }
}
