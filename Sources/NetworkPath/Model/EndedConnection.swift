/// A host with which a connection has ended in order. Like the addresses of all other ends, never print, record or publish its address.
package struct EndedConnection: Equatable, Sendable {
  package var host: AnyIPAddress
  /// The time since the end of the last such connection.
  package var age: Duration

  package init(host: AnyIPAddress, age: Duration) {
    self.host = host
    self.age = age
  }
}
