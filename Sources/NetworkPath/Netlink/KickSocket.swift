internal import OverlineSystem

/// Makes the kernel ask for a router's hardware address: sends an empty UDP datagram to the router's port 9 (discard, RFC 863).
///
/// While the router's entry is FAILED, the kernel sends only ARP requests or neighbour solicitations, and the datagram after the answer.
struct KickSocket: ~Copyable {
  private let socket: FileDescriptor
  private let isIPv6: Bool
  private static let port: UInt16 = 9

  /// In the network namespace of the calling thread. One socket for both families, unless the kernel lacks IPv6.
  init() throws(SystemError) {
    let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let both = Glibc.socket(AF_INET6, kind, 0)
    isIPv6 = both >= 0
    let descriptor = isIPv6 ? both : Glibc.socket(AF_INET, kind, 0)
    guard descriptor >= 0 else { throw SystemError(code: errno, attempt: "make a UDP socket") }
    socket = FileDescriptor(owning: descriptor)
    var zero: Int32 = 0
    let size = socklen_t(MemoryLayout<Int32>.size)
    if isIPv6 { _ = unsafe setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &zero, size) }
  }

  /// A failure needs no report: the router stays silent, and the next kick follows.
  func send(to gateway: Gateway) {
    if isIPv6 { sendIPv6(gateway) } else if gateway.address.family == .ipv4 { sendIPv4(gateway) }
  }

  private func sendIPv6(_ gateway: Gateway) {
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = Self.port.bigEndian
    let bytes = gateway.address.family == .ipv6 ? gateway.address.bytes : Self.mapping + gateway.address.bytes
    unsafe withUnsafeMutableBytes(of: &address.sin6_addr) { unsafe $0.copyBytes(from: bytes) }
    if gateway.address.isLinkLocal, gateway.address.family == .ipv6 {
      address.sin6_scope_id = UInt32(gateway.interface)
    }
    unsafe withUnsafePointer(to: address) { unsafe send($0, MemoryLayout<sockaddr_in6>.size) }
  }

  private func sendIPv4(_ gateway: Gateway) {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = Self.port.bigEndian
    unsafe withUnsafeMutableBytes(of: &address.sin_addr) { unsafe $0.copyBytes(from: gateway.address.bytes) }
    unsafe withUnsafePointer(to: address) { unsafe send($0, MemoryLayout<sockaddr_in>.size) }
  }

  private func send<Address>(_ address: UnsafePointer<Address>, _ size: Int) {
    unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      _ = unsafe sendto(socket.rawValue, nil, 0, Int32(MSG_NOSIGNAL), $0, socklen_t(size))
    }
  }

  /// `::ffff:0:0/96`: an IPv4 address for an IPv6 socket.
  private static let mapping: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
}
