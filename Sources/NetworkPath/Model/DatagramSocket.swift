/// A UDP socket of this machine, without the data in it. Like the addresses of all other ends, never print, record or publish its addresses.
package struct DatagramSocket: Equatable, Sendable {
  package var localAddress: AnyIPAddress
  package var localPort: UInt16
  /// Nil for a socket that receives from everyone.
  package var remoteAddress: AnyIPAddress?

  package init(localAddress: AnyIPAddress, localPort: UInt16, remoteAddress: AnyIPAddress? = nil) {
    self.localAddress = localAddress
    self.localPort = localPort
    self.remoteAddress = remoteAddress
  }

  /// DNS and DHCP servers, NetBIOS, DHCPv6, printers, KDE Connect, UPnP, WS-Discovery, multicast DNS, LLMNR: their datagrams come from this
  /// machine and the local network.
  private static let localPorts: Set<UInt16> = [
    53, 67, 68, 137, 138, 161, 546, 547, 631, 1716, 1900, 3702, 5353, 5355,
  ]

  /// Whether a datagram for this socket may have come through a router of the path.
  ///
  /// - Parameter router: as for ``ConnectionLook``.
  package func mayHearBeyond(_ router: (AnyIPAddress) -> Gateway?) -> Bool {
    if let remoteAddress { return !remoteAddress.unmapped.isLoopback && router(remoteAddress.unmapped) != nil }
    return !localAddress.unmapped.isLoopback && !Self.localPorts.contains(localPort)
  }
}
