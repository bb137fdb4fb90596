/// The decision in words.
enum PathWords {
  /// `online via eth0, wired, gateway 192.0.2.1, IPv4, IPv6, DNS`, and the targets that are not reachable: `; not reachable: vpn`
  static func online(_ path: NWPath) -> String {
    var words: [String] = []
    if let interface = path.availableInterfaces.first { words += ["via \(interface.name)", interface.type.rawValue] }
    if let gateway = path.gateways.first { words.append("gateway \(gateway)") }
    if path.supportsIPv4 { words.append("IPv4") }
    if path.supportsIPv6 { words.append("IPv6") }
    words.append(path.supportsDNS ? "DNS" : "no DNS")
    if path.isExpensive { words.append("expensive") }
    if path.isConstrained { words.append("constrained") }
    let away = path.targets.filter { !$0.isReachable }.map(\.name)
    return "online " + words.joined(separator: ", ")
      + (away.isEmpty ? "" : "; not reachable: " + away.joined(separator: ", "))
  }

  /// `offline: default via 192.0.2.1 dev eth0 has no carrier; a second default on wlan0 is shadowed by its metric`
  static func offline(_ obstacle: Obstacle, links: [Int: Link], shadowed: [NWInterface]) -> String {
    var text = "offline: " + sentence(obstacle, links: links)
    if obstacle.way != nil {
      for interface in shadowed { text += "; a second default on \(interface.name) is shadowed by its metric" }
    }
    return text
  }

  /// A few words for a banner: `eth0 has no carrier`.
  static func cause(_ obstacle: Obstacle, links: [Int: Link]) -> String {
    if let way = obstacle.way { return "\(name(way.leg.interface, links)) \(predicate(obstacle))" }
    return sentence(obstacle, links: links)
  }

  /// Why a target is not reachable: `10.20.0.0/16 via 10.8.0.1 dev tun0 has no carrier`.
  static func targetObstacle(_ obstacle: Obstacle, links: [Int: Link]) -> String {
    if obstacle.way == nil, obstacle.link == nil, obstacle.missing == nil {
      switch obstacle.reason {
      case .unreachable, .blackhole: return "its route is of type \(obstacle.reason.rawValue)"
      case .prohibited: return "its route is of type prohibit"
      case .noRoute: return "no route leads there"
      case .linkDown, .noCarrier, .dormant, .noAddress, .loopback, .ignored, .noNetlink: break
      }
    }
    return sentence(obstacle, links: links)
  }

  private static func sentence(_ obstacle: Obstacle, links: [Int: Link]) -> String {
    if let missing = obstacle.missing { return "there is no interface \(missing)" }
    if let way = obstacle.way {
      let gateway = way.leg.gateway.map { " via \($0)" } ?? ""
      return "\(way.match.prefix)\(gateway) dev \(name(way.leg.interface, links)) \(predicate(obstacle))"
    }
    switch obstacle.reason {
    case .linkDown, .noCarrier:
      if let link = obstacle.link { return "\(name(link, links)) \(predicate(obstacle))" }
      return obstacle.reason == .linkDown ? "every link is down" : "no link has a carrier"
    case .unreachable, .prohibited, .blackhole:
      return "the default route is of type \(obstacle.reason == .prohibited ? "prohibit" : obstacle.reason.rawValue)"
    case .noRoute, .dormant, .noAddress, .loopback, .ignored, .noNetlink:
      if let link = obstacle.link { return "\(name(link, links)) \(predicate(obstacle))" }
      return "no route to the internet"
    }
  }

  private static func predicate(_ obstacle: Obstacle) -> String {
    switch obstacle.reason {
    case .linkDown: "is down"
    case .noCarrier: "has no carrier"
    case .dormant: "waits to be let in (dormant)"
    case .noAddress: "has no \(obstacle.family == .ipv4 ? "IPv4" : "IPv6") address to send from"
    case .loopback: "leads back to this machine"
    case .ignored: "is ignored by the configuration"
    case .noRoute, .unreachable, .blackhole, .prohibited, .noNetlink: "has no route"
    }
  }

  private static func name(_ index: Int, _ links: [Int: Link]) -> String {
    links[index]?.name ?? "interface \(index)"
  }
}
