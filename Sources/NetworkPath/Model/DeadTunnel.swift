/// The tunnel for which a path is offline.
package struct DeadTunnel: Hashable, Sendable {
  package var name: String
  /// `eth0 has no carrier`; empty if no single link is to blame.
  package var cause: String
  /// Whether the tunnel's own packets lead into the tunnel.
  package var isLooping: Bool

  package init(name: String, cause: String, isLooping: Bool) {
    self.name = name
    self.cause = cause
    self.isLooping = isLooping
  }
}
