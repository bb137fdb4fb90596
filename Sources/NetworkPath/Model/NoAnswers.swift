extension NWPath {
  /// TCP connections through the path's routers that several hosts have stopped acknowledging, while nothing else came from outside.
  public struct NoAnswers: Hashable, Sendable {
    /// The number of these connections.
    public package(set) var connections: Int
    /// The number of hosts at their other ends.
    public package(set) var hosts: Int
    /// The time since the first unanswered data was sent. The monitor reports a path with a new duration each time that it has doubled.
    public package(set) var duration: Duration
    /// Whether the router itself has answered since then: the fault is behind the router. False while unknown.
    public package(set) var routerAnswers = false

    package init(connections: Int, hosts: Int, duration: Duration, routerAnswers: Bool = false) {
      self.connections = connections
      self.hosts = hosts
      self.duration = duration
      self.routerAnswers = routerAnswers
    }

    /// In few words, for a banner: `no answers: 7 connections to 5 hosts, for 12 s`
    package var cause: String {
      "no answers: \(connections) connections to \(hosts) hosts" + Self.lasting(duration)
    }

    /// The end of ``cause``.
    package static func lasting(_ duration: Duration) -> String { ", for \(duration.components.seconds) s" }

    package var explanation: String { routerAnswers ? "\(cause); the router answers, nothing behind it does" : cause }
  }
}
