package import OverlineSystem

/// The datagram socket to which a service reports its state (sd_notify(3)).
package struct NotifySocket: ~Copyable, Sendable {
  private let socket: FileDescriptor

  /// - Parameter address: an absolute path, or `@` and an abstract name. Throws for any other address, as from another kind of manager, and
  ///   if no process listens there.
  package init(_ address: String) throws(SystemError) {
    let attempt = "connect to the service manager at \(address)"
    let isAbstract = address.hasPrefix("@")
    guard isAbstract || address.hasPrefix("/") else { throw SystemError(code: EAFNOSUPPORT, attempt: attempt) }
    let socket = try UnixSocket.make(attempt, SOCK_DGRAM)
    let descriptor = socket.rawValue
    unsafe try UnixSocket.withAddress(
      isAbstract ? String(address.dropFirst()) : address, isAbstract: isAbstract, attempt: attempt
    ) { unsafe connect(descriptor, $0, $1) }
    self.socket = socket
  }

  /// Sends assignments, one per line, in one datagram.
  ///
  /// - Parameter timeout: how long to wait for a busy manager. With zero this throws `EAGAIN` instead, and the message is lost.
  package func send(_ assignments: [String], timeout: Duration = .zero) throws(SystemError) {
    let bytes = Array(assignments.joined(separator: "\n").utf8)
    do {
      _ = try UnixSocket.send(bytes[...], to: socket.rawValue)
    } catch {
      guard error.isWouldBlock, timeout > .zero else { throw error }
      var waiting = pollfd(fd: socket.rawValue, events: Int16(POLLOUT), revents: 0)
      _ = unsafe poll(&waiting, 1, timeout.pollTimeout)
      _ = try UnixSocket.send(bytes[...], to: socket.rawValue)
    }
  }
}
