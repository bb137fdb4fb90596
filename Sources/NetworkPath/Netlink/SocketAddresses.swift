internal import OverlineSystem

extension AnyIPAddress {
  /// Calls `body` with this address for `connect(2)` or `sendto(2)`.
  ///
  /// - Parameters:
  ///   - link: the link of a link-local IPv6 address.
  ///   - isIPv6: whether the socket is an IPv6 socket, to which an IPv4 address is `::ffff:192.0.2.1`.
  func withSocketAddress(
    port: UInt16, link: Int = 0, forIPv6 isIPv6: Bool, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Void
  ) {
    if isIPv6 {
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      unsafe withUnsafeMutableBytes(of: &address.sin6_addr) { unsafe $0.copyBytes(from: mappedBytes) }
      if isLinkLocal, family == .ipv6 { address.sin6_scope_id = UInt32(link) }
      unsafe Self.pass(address, to: body)
    } else {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      unsafe withUnsafeMutableBytes(of: &address.sin_addr) { unsafe $0.copyBytes(from: bytes) }
      unsafe Self.pass(address, to: body)
    }
  }

  /// 16 bytes in network order, an IPv4 address in `::ffff:0:0/96`.
  var mappedBytes: [UInt8] { family == .ipv6 ? bytes : Self.mapping + bytes }

  private static let mapping: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]

  private static func pass<Address>(_ address: Address, to body: (UnsafePointer<sockaddr>, socklen_t) -> Void) {
    unsafe withUnsafePointer(to: address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<Address>.size))
      }
    }
  }
}
