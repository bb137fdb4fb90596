extension NWPath {
  /// TCP connections through the path's routers whose data this machine does not send, while nothing else leaves it for hosts beyond the
  /// routers: a kill switch, a firewall or a policy of this machine stops the packets. That may be wanted.
  public struct NotSent: Hashable, Sendable {
    /// What stops the packets, where the kernel's counters prove it.
    public enum Origin: String, Hashable, Sendable {
      /// A firewall on this machine.
      case firewall
      /// A route or an IPsec policy of this machine.
      case routing
    }

    /// The number of these connections.
    public package(set) var connections: Int
    /// The number of hosts at their other ends.
    public package(set) var hosts: Int
    /// The time since the first unsent data was to be sent. The monitor reports a path with a new duration each time that it has doubled.
    public package(set) var duration: Duration
    /// What stops the packets; nil while unknown.
    public package(set) var origin: Origin?

    package init(connections: Int, hosts: Int, duration: Duration, origin: Origin? = nil) {
      self.connections = connections
      self.hosts = hosts
      self.duration = duration
      self.origin = origin
    }

    /// In few words, for a banner: `nothing leaves this machine: 3 connections to 3 hosts, for 12 s`
    package var cause: String {
      "nothing leaves this machine: \(connections) connections to \(hosts) hosts, for \(duration.components.seconds) s"
    }

    package var explanation: String {
      switch origin {
      case .firewall: "\(cause); a firewall on this machine stops the packets"
      case .routing: "\(cause); a route or an IPsec policy of this machine stops the packets"
      case nil: cause
      }
    }
  }
}
