/// A leg of a route that matched.
struct Way {
  var match: RouteMatch
  var leg: RouteMatch.Leg

  var family: AddressFamily { match.prefix.address.family }
}

/// The reason why a family does not reach the internet.
struct Obstacle: Error {
  var reason: NWPath.Reason
  var family: AddressFamily
  /// The leg that cannot carry packets, where a route matched.
  var way: Way?
  /// The faulty interface, where no route matched.
  var link: Int?
  /// The interface of the options, when it does not exist.
  var missing: String?
  /// How long a silent router has not answered, also one under a tunnel.
  var silence: RouterSilence?
  /// The fault of the link under the leg, when the leg's interface is a tunnel.
  var under: Underlay.Fault?

  var rank: Int {
    if way != nil || reason == .blocked { return 2 }
    return reason == .noRoute ? 0 : 1
  }
}
