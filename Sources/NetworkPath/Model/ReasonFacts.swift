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
