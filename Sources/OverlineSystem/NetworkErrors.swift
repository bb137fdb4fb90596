/// The error numbers by which the kernel reports that a connection has failed (connect(2), send(2), recv(2), ip(7), tcp(7)).
package enum NetworkErrors {
  private static let numbers: [Int32] = [
    ENETDOWN, ENETUNREACH, ENETRESET, ECONNABORTED, ECONNRESET, ECONNREFUSED, ETIMEDOUT, EHOSTDOWN, EHOSTUNREACH, EPIPE,
    // The address that the socket was bound to is gone.
    EADDRNOTAVAIL,
    // The answer did not come in the time that SO_RCVTIMEO allows.
    EAGAIN,
  ]

  package static func contains(_ number: Int32) -> Bool { numbers.contains(number) }
}
