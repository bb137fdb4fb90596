extension NWPath {
  /// The cause of an unsatisfied path. The raw values are for other programs.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// No route leads to the internet (`ENETUNREACH`: no route, a `throw` route, or a rule of type unreachable).
    case noRoute = "no-route"
    /// The route's type is `unreachable` (`EHOSTUNREACH`).
    case unreachable
    /// The route's type is `blackhole` (`EINVAL` without an explanation).
    case blackhole
    /// The route's type is `prohibit` (`EACCES`).
    case prohibited
    /// The route's interface is administratively down.
    case linkDown = "link-down"
    /// The route's interface is up, but the other end of the cable is unplugged or off (no `IFF_LOWER_UP`).
    case noCarrier = "no-carrier"
    /// The route's interface waits for something, such as authentication (operstate dormant or testing).
    case dormant
    /// The route's interface has no address of that family to send from.
    case noAddress = "no-address"
    /// The route's interface is a tunnel, and no link can carry its packets, or they lead into the tunnel.
    case noUnderlay = "no-underlay"
    /// The router of the route does not answer: the kernel asked for its hardware address in vain twice in a row, once after an outage, or
    /// three times if it has never answered.
    case routerSilent = "router-silent"
    /// A route leads to the internet, and this machine itself refuses connections: an IPsec policy, a rule for TCP, or a filter of a
    /// control group.
    case blocked
    /// The route ends in the loopback interface.
    case loopback
    /// The user's configuration ignores the route's interface.
    case ignored
    /// The program excludes the type of the route's interface (`NWPathMonitor(requiredInterfaceType:)`).
    case excluded
    /// The monitor could not ask the kernel.
    case noNetlink = "no-netlink"
  }
}

extension NWPath.Reason {
  /// What a reason means, in words and otherwise.
  package struct Facts: Sendable {
    /// What the interface of the route does: `has no carrier`.
    package var predicate: String
    /// The whole outage, where no link is known or none is to blame: `no link has a carrier`.
    package var sentence: String
    /// The route's type in ip-route(8), if that is the reason.
    package var routeType: String?
    /// False if no link is to blame, even a known one.
    package var liesInLink: Bool
    /// Whether a program that reaches its server disproves the outage. A link that carries nothing cannot be disproved.
    package var canBeDisproved: Bool
    /// Whether a link, a route or a router is lost. After such an outage the monitor waits for the router.
    package var isLostRoute: Bool

    fileprivate init(
      _ predicate: String, _ sentence: String = "no route to the internet", liesInLink: Bool = true,
      canBeDisproved: Bool = true, isLostRoute: Bool = true
    ) {
      self.predicate = predicate
      self.sentence = sentence
      self.liesInLink = liesInLink
      self.canBeDisproved = canBeDisproved
      self.isLostRoute = isLostRoute
    }

    fileprivate init(routeType: String) {
      self.init("has no route", "the default route is of type \(routeType)", liesInLink: false)
      self.routeType = routeType
    }
  }

  package var facts: Facts {
    switch self {
    case .noRoute: Facts("has no route")
    case .unreachable: Facts(routeType: "unreachable")
    case .blackhole: Facts(routeType: "blackhole")
    case .prohibited: Facts(routeType: "prohibit")
    case .linkDown: Facts("is down", "every link is down", canBeDisproved: false)
    case .noCarrier: Facts("has no carrier", "no link has a carrier", canBeDisproved: false)
    case .dormant: Facts("waits for authentication (dormant)")
    case .noAddress: Facts("has no address to send from")
    case .noUnderlay: Facts("is a tunnel without a link under it", canBeDisproved: false)
    case .routerSilent: Facts("leads to a router that does not answer")
    case .blocked:
      Facts(
        "is blocked by this machine", "this machine refuses connections to the internet", liesInLink: false,
        isLostRoute: false)
    case .loopback: Facts("leads back to this machine")
    case .ignored: Facts("is ignored by the configuration", isLostRoute: false)
    case .excluded: Facts("is of a type that the program does not use", isLostRoute: false)
    case .noNetlink: Facts("has no route", isLostRoute: false)
    }
  }
}
