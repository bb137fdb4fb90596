/// Identifies a connection of the observers' server; never used again.
package struct ClientID: Hashable, Sendable {
  package let token: UInt64

  package init(token: UInt64) { self.token = token }
}
