internal import COverlineNetlink
internal import OverlineSystem

/// Asks whether this machine itself refuses a new connection. Nothing is sent.
///
/// An IPsec policy, a routing rule for one protocol, and a filter of a control group refuse a connection although a route leads there: the
/// look-up does not ask them, and no event announces an IPsec policy. TCP's connect(2) asks all of them. With `TCP_FASTOPEN_CONNECT` it
/// leaves the SYN to the first write, which never comes.
struct TentativeConnection {
  private enum Answer: Equatable {
    case accepted
    /// `EPERM`, `EACCES`. Other errors may come from a route that is being replaced.
    case refused
    case unknown
  }

  /// A port that programs use.
  private static let port: UInt16 = 443

  /// Opens a TCP socket in the watched network namespace; negative if the kernel refuses it.
  let open: @Sendable (AddressFamily) -> Int32

  /// Whether this machine refuses TCP connections to the internet, and accepts them to itself. If it refuses both, only this process may be
  /// confined. False where that cannot be asked without sending.
  func isRefused(_ family: AddressFamily) -> Bool {
    guard RouteProbe.destinations(family).allSatisfy({ answer($0, on: deferring(family)) == .refused }) else {
      return false
    }
    return answer(Self.loopback(family), on: deferring(family)) == .accepted
  }

  /// The same for UDP, whose connect(2) never sends.
  static func refusesDatagrams(_ family: AddressFamily) -> Bool {
    func answer(_ address: AnyIPAddress) -> Answer {
      TentativeConnection { _ in -1 }.answer(address, on: datagrams(family))
    }
    return RouteProbe.destinations(family).allSatisfy { answer($0) == .refused }
      && answer(loopback(family)) == .accepted
  }

  private static func loopback(_ family: AddressFamily) -> AnyIPAddress {
    AnyIPAddress(family: family, value: family == .ipv4 ? 0x7f00_0001 : 1)
  }

  private static func datagrams(_ family: AddressFamily) -> Int32 {
    Glibc.socket(Int32(family.rawValue), Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
  }

  /// A TCP socket whose connect(2) sends nothing; negative where the kernel cannot promise that.
  private func deferring(_ family: AddressFamily) -> Int32 {
    // With a time here (the default before Linux 5.14), failures of other programs make the kernel ignore the option.
    guard (try? Files.read("/proc/sys/net/ipv4/tcp_fastopen_blackhole_timeout_sec")) == Array("0\n".utf8) else {
      return -1
    }
    let descriptor = open(family)
    guard descriptor >= 0 else { return -1 }
    for option in [TCP_FASTOPEN_CONNECT, TCP_FASTOPEN_NO_COOKIE] {
      var on: Int32 = 1
      if unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), option, &on, socklen_t(MemoryLayout<Int32>.size)) != 0 {
        _ = FileDescriptor(owning: descriptor)
        return -1
      }
    }
    return descriptor
  }

  private func answer(_ address: AnyIPAddress, on descriptor: Int32) -> Answer {
    guard descriptor >= 0 else { return .unknown }
    let socket = FileDescriptor(owning: descriptor)
    var code: Int32 = 0
    unsafe address.withSocketAddress(port: Self.port, forIPv6: address.family == .ipv6) {
      code = unsafe connect(socket.rawValue, $0, $1) == 0 ? 0 : errno
    }
    switch code {
    case 0: return .accepted
    case EPERM, EACCES: return .refused
    default: return .unknown
    }
  }
}
