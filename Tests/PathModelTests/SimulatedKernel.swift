@testable import NetworkPath

/// The kernel's entry of a router in the neighbour table, with the timers of Linux (`net/core/neighbour.c`).
///
/// Packets do not prolong REACHABLE, only acknowledgements do. Once these cease, the entry becomes STALE. The next packet makes the kernel
/// wait five seconds for an acknowledgement, and then ask the router.
struct SimulatedEntry {
  private enum State: Hashable {
    case reachable(until: Duration)
    case stale
    case delayed(until: Duration)
    /// Asks the router each second, three times.
    case asking(next: Duration, left: Int, isNew: Bool)
    case failed
  }

  let router: Gateway
  /// Between half and one and a half of `base_reachable_time_ms`, whose default is 30 s.
  let reachableTime: Duration
  private var state: State
  private var confirmed: Duration = .zero

  /// An entry that was confirmed at 0 s.
  init(_ router: Gateway, reachableTime: Duration) {
    self.router = router
    self.reachableTime = reachableTime
    state = .reachable(until: reachableTime)
  }

  /// The entry as a message.
  func neighbour(at now: Duration) -> Neighbour {
    let state: Neighbour.State =
      switch state {
      case .reachable: .reachable
      case .stale: .stale
      case .delayed: .delay
      case .asking(_, _, let isNew): isNew ? .incomplete : .probe
      case .failed: .failed
      }
    return Neighbour(
      router, state: state, hasLinkAddress: state != .failed && state != .incomplete, confirmedAge: now - confirmed)
  }

  /// An acknowledgement came through the router.
  mutating func confirm(at now: Duration) {
    confirmed = now
    if case .reachable = state { state = .reachable(until: now + reachableTime) }
  }

  /// A packet is sent. No message says that an entry is DELAY.
  mutating func use(at now: Duration) {
    switch state {
    case .reachable, .delayed, .asking: break
    case .stale: state = .delayed(until: now + .seconds(5))
    case .failed: state = .asking(next: now, left: 3, isNew: true)
    }
  }

  /// Lets the time pass.
  ///
  /// - Parameter answers: whether the router answers the kernel.
  /// - Returns: the message, if the kernel sends one.
  mutating func advance(to now: Duration, answers: Bool) -> Neighbour? {
    switch state {
    case .stale, .failed: return nil
    case .reachable(let until):
      guard now >= until else { return nil }
      state = .stale
      return neighbour(at: now)
    case .delayed(let until):
      guard now >= until else { return nil }
      state = .asking(next: now, left: 3, isNew: false)
      return neighbour(at: now)
    case .asking(let next, let left, let isNew):
      if answers {
        confirmed = now
        state = .reachable(until: now + reachableTime)
        return neighbour(at: now)
      }
      guard now >= next else { return nil }
      state = left > 0 ? .asking(next: now + .seconds(1), left: left - 1, isNew: isNew) : .failed
      return left > 0 ? nil : neighbour(at: now)
    }
  }
}

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
