extension NetworkTables {
  /// Whether a connection leaves by the link that its address or its socket belongs to.
  ///
  /// An address on loopback or on a dummy link belongs to the whole machine.
  package func isInPlace(_ connection: TCPConnection.ID, leg: RouteMatch.Leg?) -> Bool {
    guard let leg else { return true }
    if connection.interface != 0, Int(connection.interface) != leg.interface { return false }
    let local = connection.localAddress.unmapped
    let homes = addresses.filter { $0.value.values.contains { $0.key.address == local } }.keys
    if homes.isEmpty || homes.contains(leg.interface) { return true }
    return homes.contains { index in links[index].map { $0.isLoopback || $0.kind == "dummy" } ?? false }
  }
}
