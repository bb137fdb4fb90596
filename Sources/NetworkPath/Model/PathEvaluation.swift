/// What a look at the network gave.
package struct PathEvaluation: Hashable, Sendable {
  package var path: NWPath
  /// The path may change without an announcement that reaches us: it rests on a route that is longer than the announced ones, or on
  /// there being none. Only looking again now and then finds out.
  package var mayChangeUnannounced: Bool
  /// How long the first of the routes lasts that were asked about; nil when all last until the kernel announces their end. The kernel
  /// announces the end of an advertised route up to 30 s late.
  package var lifetime: Duration?

  package init(path: NWPath, mayChangeUnannounced: Bool = false, lifetime: Duration? = nil) {
    self.path = path
    self.mayChangeUnannounced = mayChangeUnannounced
    self.lifetime = lifetime
  }
}

extension RouteProbe {
  /// Changes of routes with longer prefixes are listened to only for a target: a router has a million of them. No provider's default is split finer
  /// than into eighths of the internet, and no route to all of it is longer than a few bits.
  package static let longestAnnouncedPrefix = 8
}
