@testable import NetworkPath

/// One TCP connection that sends, and is acknowledged except in an outage. Then it sends again after pauses that double.
struct SimulatedConnection {
  let host: Int
  /// The first retransmission timeout.
  let timeout: Duration
  /// The time when it sends the data that is not acknowledged.
  let start: Duration
  /// How often this data was sent again.
  private(set) var retransmits = 0
  private(set) var heard: Duration = .zero
  private var isAcknowledged = true

  init(to host: Int, timeout: Duration, start: Duration) {
    self.host = host
    self.timeout = timeout
    self.start = start
  }

  /// The time when the data is sent again.
  private var next: Duration { start + timeout * ((1 << (retransmits + 1)) - 1) }

  /// - Returns: whether a packet was sent, and whether its acknowledgement came.
  mutating func advance(to now: Duration, isForwarded: Bool) -> (isSent: Bool, isHeard: Bool) {
    if isAcknowledged {
      // A packet each tenth of a second.
      if isForwarded { heard = now } else { isAcknowledged = now < start }
      return (true, isForwarded)
    }
    guard now >= next else { return (false, false) }
    retransmits += 1
    if isForwarded {
      isAcknowledged = true
      heard = now
      retransmits = 0
    }
    return (true, isForwarded)
  }

  /// The kernel's account of the socket.
  func socket(at now: Duration) -> TCPConnection {
    let remote = AnyIPAddress("198.51.100.\(host)")!
    var socket = TCPConnection(
      id: .init(
        family: .ipv4, localAddress: AnyIPAddress("192.0.2.10")!, localPort: UInt16(host), remoteAddress: remote,
        remotePort: 443, cookie: UInt64(host)),
      state: .established, timer: isAcknowledged ? .none : .retransmission, inode: 1)
    socket.heardAge = now - heard
    if !isAcknowledged {
      socket.unacknowledged = 1
      socket.retransmits = retransmits
      socket.backoff = retransmits
      socket.retransmissionTimeout = timeout * (1 << retransmits)
      socket.expires = max(.zero, next - now)
    }
    return socket
  }
}
