/// The result of a look at the network.
package struct PathEvaluation: Hashable, Sendable {
  package var path: NWPath
  /// True when the path may change without an announcement that reaches us: it depends on a route that is longer than the announced
  /// ones, or on the absence of any. Only periodic looks detect such a change.
  package var mayChangeUnannounced: Bool
  /// The shortest lifetime of the routes that were looked up; nil when all last until the kernel announces their end. The kernel
  /// announces the end of an advertised route up to 30 s late.
  package var lifetime: Duration?

  package init(path: NWPath, mayChangeUnannounced: Bool = false, lifetime: Duration? = nil) {
    self.path = path
    self.mayChangeUnannounced = mayChangeUnannounced
    self.lifetime = lifetime
  }
}

extension RouteProbe {
  /// Changes of routes with longer prefixes are received only for a target: a router has a million of them. No provider splits the default
  /// finer than into eighths of the internet, and no route to all of it is longer than a few bits.
  package static let maximumAnnouncedPrefixLength = 8
}
