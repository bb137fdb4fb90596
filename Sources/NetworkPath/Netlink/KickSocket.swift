internal import OverlineSystem

/// Makes the kernel ask for a router's hardware address: sends an empty UDP datagram to the router's port 9 (discard, RFC 863).
///
/// While the router's entry is FAILED, the kernel sends only ARP requests or neighbour solicitations, and the datagram after the answer.
/// A router that answers refuses the datagram (ICMP "port unreachable"), unless it drops or discards it.
///
/// A socket for each family, connected to the router of the last datagram: an unconnected one would count as a socket that may hear from
/// beyond the routers (``DatagramSocket/mayHearBeyond(_:)``), also to other monitors.
struct KickSocket: ~Copyable {
  /// Both are IPv6 sockets, unless the kernel lacks IPv6.
  private let ipv4: FileDescriptor
  private let ipv6: FileDescriptor
  private let isIPv6: Bool
  /// The routers of the last datagrams, each with the time of the last one.
  private var sent: [Gateway: Duration] = [:]
  private static let port: UInt16 = 9
  /// A router that answers later than this has lost the datagram.
  private static let answerTimeout = Duration.seconds(60)

  /// In the network namespace of the calling thread.
  init() throws(SystemError) {
    let first = Self.open(AF_INET6)
    isIPv6 = first >= 0
    ipv6 = FileDescriptor(owning: isIPv6 ? first : Self.open(AF_INET))
    ipv4 = FileDescriptor(owning: Self.open(isIPv6 ? AF_INET6 : AF_INET))
    if ipv4.rawValue < 0 || ipv6.rawValue < 0 { throw SystemError(code: errno, attempt: "make a UDP socket") }
  }

  /// Negative if the kernel refuses it.
  private static func open(_ family: Int32) -> Int32 {
    let descriptor = Glibc.socket(
      family, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    if descriptor < 0 { return descriptor }
    // The kernel keeps the ICMP messages about this socket's datagrams. An IPv6 socket needs both options.
    set(descriptor, Int32(IPPROTO_IP), IP_RECVERR, 1)
    if family == AF_INET6 {
      set(descriptor, Int32(IPPROTO_IPV6), IPV6_RECVERR, 1)
      set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0)
    }
    return descriptor
  }

  /// Forgets the last router, its link, and the address of this machine that the kernel chose for it.
  private static func disconnect(_ descriptor: Int32) {
    var nothing = sockaddr()
    nothing.sa_family = sa_family_t(AF_UNSPEC)
    _ = unsafe connect(descriptor, &nothing, socklen_t(MemoryLayout<sockaddr>.size))
  }

  private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    _ = unsafe setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  /// A failure needs no report: the router stays silent, and the next kick follows.
  mutating func send(to gateway: Gateway, at now: Duration) {
    guard isIPv6 || gateway.address.family == .ipv4 else { return }
    let socket = gateway.address.family == .ipv4 ? ipv4.rawValue : ipv6.rawValue
    // A waiting error would make the kernel refuse this datagram.
    while Self.takeError(of: socket) != nil {}
    Self.disconnect(socket)
    sent = sent.filter { now - $0.value < Self.answerTimeout }
    sent[gateway] = now
    unsafe gateway.address.withSocketAddress(port: Self.port, link: gateway.interface, forIPv6: isIPv6) {
      if unsafe connect(socket, $0, $1) == 0 { _ = Glibc.send(socket, nil, 0, Int32(MSG_NOSIGNAL)) }
    }
  }

  /// The routers that have refused a datagram, each with the time since it was sent: the router has answered since then.
  mutating func takeRefusals(at now: Duration) -> [Gateway: Duration] {
    if sent.isEmpty { return [:] }
    var refusals: [Gateway: Duration] = [:]
    while let error = takeError() {
      // A firewall on this machine or elsewhere may refuse the datagram too. That proves nothing about the router.
      guard error.code == ECONNREFUSED, error.sender == error.destination else { continue }
      for (gateway, time) in sent where error.concerns(gateway) { refusals[gateway] = now - time }
    }
    for gateway in refusals.keys { sent[gateway] = nil }
    return refusals
  }

  private struct DatagramError {
    var code: Int32
    var link: Int
    var destination: [UInt8]
    var sender: [UInt8]

    func concerns(_ gateway: Gateway) -> Bool {
      destination == gateway.address.mappedBytes && (link == 0 || link == gateway.interface)
    }
  }

  private func takeError() -> DatagramError? {
    Self.takeError(of: ipv4.rawValue) ?? Self.takeError(of: ipv6.rawValue)
  }

  private static func takeError(of socket: Int32) -> DatagramError? {
    var error = csystem_datagram_error()
    guard unsafe csystem_take_datagram_error(socket, &error) >= 0 else { return nil }
    return unsafe DatagramError(
      code: error.code, link: Int(error.scope),
      destination: withUnsafeBytes(of: error.destination) { unsafe Array($0) },
      sender: withUnsafeBytes(of: error.sender) { unsafe Array($0) })
  }
}
