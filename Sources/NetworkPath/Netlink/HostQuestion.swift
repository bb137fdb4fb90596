internal import OverlineSystem

/// The other end of a connection that has stopped answering.
struct SilentHost: Hashable {
  var address: AnyIPAddress
  var port: UInt16
}

/// A new TCP connection to a host that has stopped answering. The host's acceptance and its refusal both show that it answers. Nothing but
/// TCP's handshake is sent.
package struct HostQuestion: ~Copyable {
  private let socket: FileDescriptor

  /// Becomes writable when the host answers, or the kernel gives up.
  var rawValue: Int32 { socket.rawValue }

  /// A TCP socket in the network namespace of the calling thread; negative if the kernel refuses it.
  package static let open: @Sendable (AddressFamily) -> Int32 = { family in
    Glibc.socket(
      Int32(family.rawValue), Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
  }

  init(to host: SilentHost, on open: (AddressFamily) -> Int32) throws(SystemError) {
    let descriptor = open(host.address.family)
    guard descriptor >= 0 else { throw SystemError(code: errno, attempt: "make a TCP socket") }
    socket = FileDescriptor(owning: descriptor)
    // Closing resets the connection: the kernel keeps nothing of it that a later look could find.
    var reset = linger(l_onoff: 1, l_linger: 0)
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &reset, socklen_t(MemoryLayout<linger>.size))
    // An error, such as a missing route, is no answer: the descriptor is ready at once.
    unsafe host.address.withSocketAddress(port: host.port, forIPv6: host.address.family == .ipv6) {
      _ = unsafe connect(descriptor, $0, $1)
    }
  }

  /// Whether the host has accepted or refused the connection. Call this once: the kernel forgets the error.
  var isAnswered: Bool {
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    guard unsafe getsockopt(rawValue, SOL_SOCKET, SO_ERROR, &code, &size) == 0 else { return false }
    if code != 0 { return code == ECONNREFUSED || code == ECONNRESET || code == EPIPE }
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return unsafe withUnsafeMutablePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getpeername(rawValue, $0, &length) == 0 }
    }
  }
}
