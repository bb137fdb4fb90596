/// The decision in words.
package enum PathWords {
  /// `online via eth0, wired, gateway 192.0.2.1, IPv4, IPv6, DNS`, and the targets that are not reachable: `; not reachable: vpn`
  ///
  /// - Parameter gateway: the router of the way that the kernel would take first.
  package static func online(_ path: NWPath, gateway: AnyIPAddress?) -> String {
    var words: [String] = []
    if let interface = path.availableInterfaces.first {
      let tunnel = path.tunnels.first { $0.interface.index == interface.index }
      let over = tunnel?.underlay.map { " over \($0.name)" } ?? ""
      words += ["via \(interface.name)", tunnel == nil ? interface.type.word : "tunnel" + over]
    }
    if let gateway { words.append("gateway \(gateway)") }
    if path.supportsIPv4 { words.append("IPv4") }
    if path.supportsIPv6 { words.append("IPv6") }
    words.append(path.supportsDNS ? "DNS" : "no DNS")
    if path.isExpensive { words.append("expensive") }
    if path.isConstrained { words.append("constrained") }
    let bypassed = path.tunnels.filter { !$0.bypassing.isEmpty }.map { tunnel in
      "; \(tunnel.bypassing.map(Self.name).joined(separator: " and ")) bypasses \(tunnel.interface.name)"
    }
    return "online " + words.joined(separator: ", ") + bypassed.joined() + unreachable(path.targets)
  }

  private static func name(_ family: AddressFamily) -> String { family == .ipv4 ? "IPv4" : "IPv6" }

  /// `VPN tun0`; `tunnel sit1` for one that is no VPN.
  private static func named(_ tunnel: Link) -> String { (tunnel.isVPN ? "VPN " : "tunnel ") + tunnel.name }

  /// `VPN tun0 over wlan0`, and the families that do not use it: `, but IPv6 bypasses it`
  static func tunnel(_ tunnel: Link, over underlay: String?, bypassedBy families: [AddressFamily]) -> String {
    let others = families.map(name).joined(separator: " and ")
    return named(tunnel) + (underlay.map { " over \($0)" } ?? "")
      + (others.isEmpty ? "" : ", but \(others) bypasses it")
  }

  static func bypassedTunnel(_ tunnel: Link) -> String { "\(named(tunnel)) is up, but the default route bypasses it" }

  static func unusedTunnel(_ tunnel: Link) -> String {
    "\(named(tunnel)) is up, but no route to the internet leads into it"
  }

  /// `VPN tun0 has no carrier`
  static func tunnel(_ tunnel: Link, _ obstacle: NWPath.Reason) -> String {
    "\(named(tunnel)) \(obstacle.facts.predicate)"
  }

  /// `VPN tun0 is dead: eth0 has no carrier`
  static func deadTunnel(_ tunnel: Link, _ fault: Underlay.Fault?, links: [Int: Link]) -> String {
    "\(named(tunnel)) is dead" + (fault.map { ": " + sentence($0, .ipv4, links) } ?? "")
  }

  /// A sentence about the internet, with networks in its place and the addresses that stand for them: `no route to 10.0.0.1 in
  /// 10.0.0.0/8`.
  static func about(_ networks: [(network: IPPrefix, address: AnyIPAddress?)], _ sentence: String) -> String {
    let names = networks.map { network, address in
      guard let address, network.length < address.family.width else {
        return address?.description ?? network.description
      }
      return "\(address) in \(network)"
    }.joined(separator: ", ")
    // `replacing(_:with:)` would link the library for regular expressions.
    var words = sentence.split(separator: " ", omittingEmptySubsequences: false).map(String.init)[...]
    var result: [String] = []
    while let word = words.popFirst() {
      if word == "the", words.first == "internet" {
        words.removeFirst()
        result.append(names)
      } else if word == "the", words.starts(with: ["default", "route"]) {
        words.removeFirst(2)
        result.append("the route to \(names)")
      } else {
        result.append(word)
      }
    }
    return result.joined(separator: " ")
  }

  /// Names the first few; ``NWPath/targets`` describes each.
  private static func unreachable(_ targets: [NWPath.Target]) -> String {
    let names = targets.filter { !$0.isReachable }.map(\.name)
    if names.isEmpty { return "" }
    let others = names.count > 3 ? " and \(names.count - 3) more" : ""
    return "; not reachable: " + names.prefix(3).joined(separator: ", ") + others
  }

  /// `offline: default via 192.0.2.1 dev eth0 has no carrier; a second default on wlan0 is shadowed by its metric`
  static func offline(_ obstacle: Obstacle, links: [Int: Link], shadowed: [NWInterface]) -> String {
    var text = "offline: " + sentence(obstacle, links: links)
    if let way = obstacle.way {
      let shadow = way.match.prefix.length == 0 ? "its metric" : "the longer prefix"
      for interface in shadowed { text += "; a second default on \(interface.name) is shadowed by \(shadow)" }
    }
    return text
  }

  /// The words for a default route by one router that is dead for a reason, as the kernel's would be.
  package static func outage(
    _ reason: NWPath.Reason, by interface: NWInterface, router: AnyIPAddress
  ) -> (explanation: String, cause: String) {
    var obstacle = Obstacle(reason: reason, family: router.family)
    var link = Link(index: interface.index)
    link.name = interface.name
    if reason == .routerSilent || reason.facts.liesInLink && reason != .noRoute {
      let leg = RouteMatch.Leg(interface: interface.index, gateway: router)
      let all = IPPrefix(address: AnyIPAddress(family: router.family, value: 0), length: 0)
      obstacle.way = Way(match: RouteMatch(prefix: all, legs: [leg]), leg: leg)
    }
    let links = [interface.index: link]
    return (offline(obstacle, links: links, shadowed: []), cause(obstacle, links: links))
  }

  /// A few words for a banner: `eth0 has no carrier`.
  static func cause(_ obstacle: Obstacle, links: [Int: Link]) -> String {
    // For a tunnel, name the link under it: the user can act on that link.
    if let under = obstacle.under { return sentence(under, obstacle.family, links) }
    if let router = obstacle.silentRouter { return silence(of: router, obstacle, links) }
    if let way = obstacle.way { return "\(name(way.leg.interface, links)) \(predicate(obstacle))" }
    return sentence(obstacle, links: links)
  }

  /// The verdict on a target to which no route is known: `office (10.20.0.0/16) is not reachable: no route leads there`.
  package static func unreachable(_ target: PathTarget, _ reason: NWPath.Reason) -> String {
    let obstacle = Obstacle(reason: reason, family: target.network.address.family)
    return "\(target) is not reachable: \(targetObstacle(obstacle, links: [:]))"
  }

  /// The reason why a target is not reachable: `10.20.0.0/16 via 10.8.0.1 dev tun0 has no carrier`.
  static func targetObstacle(_ obstacle: Obstacle, links: [Int: Link]) -> String {
    if obstacle.way == nil, obstacle.link == nil, obstacle.missing == nil {
      if let type = obstacle.reason.facts.routeType { return "its route is of type \(type)" }
      if obstacle.reason == .noRoute { return "no route leads there" }
    }
    return sentence(obstacle, links: links)
  }

  private static func sentence(_ obstacle: Obstacle, links: [Int: Link]) -> String {
    if let missing = obstacle.missing { return "there is no interface \(missing)" }
    if let way = obstacle.way {
      if let router = obstacle.silentRouter { return silence(of: router, obstacle, links) }
      let gateway = way.leg.gateway.map { " via \($0)" } ?? ""
      let under = obstacle.under.map { ": " + sentence($0, obstacle.family, links) }
      return
        "\(way.match.prefix)\(gateway) dev \(name(way.leg.interface, links)) \(predicate(obstacle))\(under ?? "")"
    }
    let facts = obstacle.reason.facts
    guard facts.liesInLink, let link = obstacle.link else { return facts.sentence }
    return "\(name(link, links)) \(predicate(obstacle))"
  }

  /// `the router 192.0.2.1 does not answer (last heard 43 s ago)`, `192.0.2.1 has not answered since eth0 came up`
  private static func silence(of router: AnyIPAddress, _ obstacle: Obstacle, _ links: [Int: Link]) -> String {
    if obstacle.silence == .sinceLinkUp, let link = obstacle.way?.leg.interface {
      return "\(router) has not answered since \(name(link, links)) came up"
    }
    return "the router \(router) does not answer" + heard(obstacle.silence?.age)
  }

  /// The time since the last answer, which ends a cause that has one.
  package static func heard(_ age: Duration?) -> String {
    age.map { " (last heard \($0.components.seconds) s ago)" } ?? ""
  }

  private static func sentence(_ fault: Underlay.Fault, _ family: AddressFamily, _ links: [Int: Link]) -> String {
    if case .dead(let dead, let since) = fault.word {
      return (dead.cause.isEmpty ? "no link carries it" : dead.cause) + " (seen by the monitor at \(since))"
    }
    if let removed = fault.removed { return "\(removed) has been removed" }
    if fault.isLoop { return "\(name(fault.link, links)) has lost the route to the VPN's server" }
    return "\(name(fault.link, links)) \(predicate(fault.reason, family))" + heard(fault.silence?.age)
  }

  private static func predicate(_ obstacle: Obstacle) -> String { predicate(obstacle.reason, obstacle.family) }

  private static func predicate(_ reason: NWPath.Reason, _ family: AddressFamily) -> String {
    if reason == .noAddress { return "has no \(family == .ipv4 ? "IPv4" : "IPv6") address to send from" }
    return reason.facts.predicate
  }

  private static func name(_ index: Int, _ links: [Int: Link]) -> String {
    links[index]?.name ?? "interface \(index)"
  }
}

extension Obstacle {
  /// The router of the route, if its silence is the obstacle.
  fileprivate var silentRouter: AnyIPAddress? { reason == .routerSilent ? way?.leg.gateway : nil }
}
