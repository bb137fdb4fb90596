/// The result of a look at the network.
package struct PathEvaluation: Hashable, Sendable {
  package var path: NWPath
  /// True when the path may change without an announcement that passes the filter: it depends on a route with a longer prefix, or on the
  /// absence of any route. Only periodic looks detect such a change.
  package var mayChangeUnannounced: Bool
  /// The shortest lifetime of the routes that were looked up; nil when none has a lifetime. The kernel announces the end of such a route up
  /// to 30 s late.
  package var lifetime: Duration?

  /// The routers by which the routes lead, of a path whose silent routers matter.
  package var routers: [Gateway: RouterMachine.LinkState]
  /// Whether a silent router may be sent a datagram.
  package var mayKick: Bool
  package var terms: ConnectionMachine.Terms

  package init(
    path: NWPath, mayChangeUnannounced: Bool = false, lifetime: Duration? = nil,
    routers: [Gateway: RouterMachine.LinkState] = [:], mayKick: Bool = true,
    terms: ConnectionMachine.Terms = .init(isOn: false)
  ) {
    self.terms = terms
    self.routers = routers
    self.mayKick = mayKick
    self.path = path
    self.mayChangeUnannounced = mayChangeUnannounced
    self.lifetime = lifetime
  }
}

extension RouteProbe {
  /// The filter passes changes of routes with longer prefixes only for a target: a router has a million such routes. No provider splits the
  /// default route finer than into eighths of the internet, and no route to all of it is longer than a few bits.
  package static let maximumAnnouncedPrefixLength = 8
}
