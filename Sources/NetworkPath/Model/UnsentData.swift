/// Whether the data of a connection leaves this machine.
///
/// The kernel sends only what its filters, policies and routes let pass. If they stop a segment, it stays unsent: nothing is unacknowledged,
/// nothing is sent again, and the kernel tries with the timer that otherwise asks about a closed window.
extension TCPConnection {
  /// Whether data waits in the kernel although the other end has room for it, and all that was sent before is acknowledged.
  package var holdsUnsentData: Bool {
    state.isConnected && timer == .windowProbe && unacknowledged == 0 && unsent > 0 && segmentSize > 0
      && window >= segmentSize
  }

  /// Whether the kernel has refused at least twice to send it.
  ///
  /// A full queue of the link stops data too, and a flood of another program may keep it full for long. After that the kernel tries again
  /// each half second. Only after another error does it double the pause (`tcp_send_probe0`).
  package var isUnsendable: Bool { holdsUnsentData && probes >= 2 && backoff >= 2 }

  /// A lower bound of the time since the data was to be sent first. Nil unless the connection is ``isUnsendable``.
  ///
  /// The pause before each attempt is twice the previous one, up to the kernel's limit. So the present pause limits the earlier ones too. A
  /// packet of the other end makes the kernel count anew.
  package var unsentAge: Duration? {
    guard isUnsendable, let attemptAge = sentAge else { return nil }
    let pause = attemptAge + expires
    return (0..<max(0, backoff)).reduce(attemptAge) { $0 + min(retransmissionTimeout * (1 << min($1, 30)), pause) }
  }

  /// Whether all data that the connection ever sent has been acknowledged, so that the last of it has left this machine.
  package var hasSentAll: Bool { state.isConnected && unacknowledged == 0 && unsent == 0 }
}

/// Compares the connections of one whole look with those of the next.
package struct SendingProgress: Equatable, Sendable {
  private struct Connection: Equatable {
    var acknowledged: UInt64
    var unsent: Int
    /// The time since which nothing of the waiting data has left; nil while none waits.
    var since: Duration?
  }

  /// The connections of the last look by their cookies; nil before the first.
  private var seen: [UInt64: Connection]?
  /// The cookies of the connections that have sent something between the last two looks, or were made.
  package private(set) var advanced: Set<UInt64> = []

  package init() {}

  /// - Parameter connections: all connections beyond loopback.
  package mutating func note(_ connections: [TCPConnection], at now: Duration) {
    advanced = []
    var new: [UInt64: Connection] = [:]
    for connection in connections where connection.state.isConnected {
      let cookie = connection.id.cookie
      let old = seen?[cookie]
      let hasAdvanced =
        old.map { connection.acknowledgedBytes != $0.acknowledged || connection.unsent < $0.unsent } ?? (seen != nil)
      if hasAdvanced { advanced.insert(cookie) }
      var since = connection.unsentAge.map { now - $0 }
      // A packet of the other end hides how long the data has waited.
      if !hasAdvanced, connection.unsent > 0, let earlier = old?.since { since = min(since ?? earlier, earlier) }
      new[cookie] = Connection(acknowledged: connection.acknowledgedBytes, unsent: connection.unsent, since: since)
    }
    seen = new
  }

  /// The time for which nothing of the connection's waiting data has left.
  package func age(of connection: TCPConnection, at now: Duration) -> Duration? {
    guard let age = connection.unsentAge else { return nil }
    return seen?[connection.id.cookie]?.since.map { max(now - $0, age) } ?? age
  }
}
