/// The kernel's account of one TCP socket: what it has sent, and whether the other end has acknowledged it.
///
/// Never print, record or publish the addresses: they reveal the servers that the user connects to.
package struct TCPConnection: Equatable, Sendable {
  /// Identifies a socket for an exact look-up. The cookie tells it from a later socket with the same addresses.
  package struct ID: Equatable, Sendable {
    /// The family of the socket. An IPv6 socket may talk to an IPv4 address (`::ffff:192.0.2.1`).
    package var family: AddressFamily
    package var localAddress: AnyIPAddress
    package var localPort: UInt16
    package var remoteAddress: AnyIPAddress
    package var remotePort: UInt16
    /// The interface that the socket is bound to; 0 for any.
    package var interface: UInt32 = 0
    package var cookie: UInt64
  }

  /// The states of RFC 9293, with the kernel's numbers (`include/net/tcp_states.h`).
  package enum State: UInt8, Equatable, Sendable, CaseIterable {
    case established = 1
    case synSent = 2
    case synReceived = 3
    case finWait1 = 4
    case finWait2 = 5
    case timeWait = 6
    case closed = 7
    case closeWait = 8
    case lastAck = 9
    case listening = 10
    case closing = 11
    case newSynReceived = 12

    package var isConnected: Bool {
      switch self {
      case .established, .finWait1, .finWait2, .closeWait, .lastAck, .closing: true
      case .synSent, .synReceived, .timeWait, .closed, .listening, .newSynReceived: false
      }
    }
  }

  /// The timer that runs, with the kernel's numbers (`idiag_timer`).
  package enum Timer: UInt8, Equatable, Sendable {
    case none = 0
    /// Sent data is sent again when it expires.
    case retransmission = 1
    case keepalive = 2
    case timeWait = 3
    /// The other end's window is closed: the kernel asks whether it has opened.
    case windowProbe = 4
  }

  package var id: ID
  package var state: State
  package var timer: Timer
  /// The time until the timer expires.
  package var expires: Duration = .zero
  /// The socket's number in `/proc/PID/fd`; 0 for a socket that no process holds.
  package var inode: UInt32
  /// The user who made the socket, as a number of this process's user namespace.
  package var owner: UInt32 = 0
  /// Segments that were sent and not acknowledged.
  package var unacknowledged = 0
  /// How often the oldest of them was sent again.
  package var retransmits = 0
  /// How often the retransmission timeout was doubled.
  package var backoff = 0
  /// The retransmission timeout, doublings included.
  package var retransmissionTimeout: Duration = .zero
  /// The time of a round trip, and four times its mean deviation. The first timeout is at least their sum.
  package var smoothedRoundTrip = Duration.zero
  package var roundTripVariation = Duration.zero
  /// The time that the connection has spent in timeouts, this one included: from the end of each first timeout on. Nil before Linux 6.7,
  /// which counts none.
  package var timeoutTime: Duration?
  /// The time since the last acknowledgement or data from the other end; nil for an unfinished or ended connection, where the kernel's
  /// number is the machine's uptime.
  package var heardAge: Duration?
  /// The segments received, as a counter that wraps.
  package var receivedSegments: UInt32 = 0
  /// The time since the kernel last passed data of this connection to its routes and filters, which may have stopped it. Also the time
  /// since the connection was made, if there was none. Nil as for ``heardAge``.
  package var sentAge: Duration?
  /// The attempts to send the first waiting data without an acknowledgement that is due.
  package var probes = 0
  /// The bytes that wait to be sent for the first time.
  package var unsent = 0
  /// The bytes that the other end has acknowledged.
  package var acknowledgedBytes: UInt64 = 0
  /// The largest segment that is sent, and the room at the other end. Both in bytes, and zero where the kernel does not tell.
  package var segmentSize = 0
  package var window = 0

  /// Whether sent data waits for its acknowledgement.
  package var awaitsAcknowledgement: Bool { isConnected && timer == .retransmission && unacknowledged > 0 }

  /// Whether the other end is silent. The first retransmission may only repair a lost segment, so the second one counts.
  package var isStalled: Bool { awaitsAcknowledgement && retransmits >= 2 }

  /// A lower bound of the time since the oldest unacknowledged segment was first sent. Nil unless the connection has stalled.
  ///
  /// The first timeout has passed, then each double of it up to the kernel's limit, and now a part of the last one. `tcpi_last_data_sent`
  /// cannot be used: retransmissions reset it. Where the kernel does not double the timeout, the true age is greater.
  package var stallAge: Duration? {
    guard isStalled else { return nil }
    let passed = retransmissionTimeout - min(expires, retransmissionTimeout)
    let factor = 1 << min(max(0, backoff), 30)
    // Exact unless the kernel has limited the timeout: then the first one was longer than this.
    let halved = retransmissionTimeout / factor
    let certain = halved * (factor - 1) + passed
    // Only kernels that count the time of timeouts have other limits than the usual one.
    guard retransmissionTimeout >= Self.longestTimeout || timeoutTime != nil else { return certain }
    let first = max(halved, smoothedRoundTrip + max(Self.shortestTimeout, roundTripVariation))
    let doubled = (0..<max(0, backoff)).reduce(passed) { $0 + min(first * (1 << min($1, 30)), retransmissionTimeout) }
    // A route may allow a shorter first timeout. The counted time contains this stall after its first timeout, and earlier stalls.
    return timeoutTime.map { max(certain, min(doubled, first + $0)) } ?? doubled
  }

  /// `TCP_RTO_MAX`: the usual limit of the timeout.
  private static let longestTimeout = Duration.seconds(120)
  /// `TCP_RTO_MIN`: the kernel adds at least this to the round-trip time.
  private static let shortestTimeout = Duration.milliseconds(200)

  /// The time since the first packet of a connection that is being made was sent. Nil for any other, and until that packet was sent again.
  ///
  /// The first timeouts may be equal, before each is twice the previous one (`net.ipv4.tcp_syn_linear_timeouts`).
  package var connectingAge: Duration? {
    guard state == .synSent, timer == .retransmission, retransmits > 0 else { return nil }
    let doublings = min(max(0, backoff), 30)
    let passed = retransmissionTimeout - min(expires, retransmissionTimeout)
    let first = retransmissionTimeout / (1 << doublings)
    return first * (max(0, retransmits - doublings) + (1 << doublings) - 1) + passed
  }

  /// Whether the handshake is complete and the connection not over. Before that, silence proves nothing: the server may not exist.
  private var isConnected: Bool { state.isConnected }
}
