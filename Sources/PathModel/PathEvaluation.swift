/// What a look at the network gave.
public struct PathEvaluation: Hashable, Sendable {
  public var path: NWPath
  /// The path may change without an announcement that reaches us: it rests on a route that is longer than the announced ones, or on
  /// there being none. Only looking again now and then finds out.
  public var mayChangeUnannounced: Bool

  public init(path: NWPath, mayChangeUnannounced: Bool = false) {
    self.path = path
    self.mayChangeUnannounced = mayChangeUnannounced
  }
}

extension RouteProbe {
  /// Changes of routes with longer prefixes are listened to only for a target: a router has a million of them. No provider's default is split finer
  /// than into eighths of the internet, and no route to all of it is longer than a few bits.
  public static let longestAnnouncedPrefix = 8
}
