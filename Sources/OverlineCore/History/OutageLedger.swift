/// Records and counts one monitor's outages.
///
/// A value without a clock. It receives the network's state and the time, and returns the records to write.
package struct OutageLedger: Sendable {
  /// The known state of the network.
  package enum Network: Equatable, Sendable {
    case online(interface: String?)
    /// The interface is that of the path, which is online.
    case limited(interface: String?, reason: String, explanation: String)
    case offline(reason: String?, explanation: String)
  }

  /// The totals since the monitor's start.
  package struct Totals: Equatable, Sendable {
    /// Outages that have begun, or were ongoing at the start.
    package var outages = 0
    /// Milliseconds without a network while the machine was awake, including an ongoing outage.
    package var offline: Int64 = 0
    /// Milliseconds with a limited connection while the machine was awake.
    package var limited: Int64 = 0
  }

  private enum Kind {
    case online, limited, offline
  }

  package let session: HistoryRecord.Session
  /// Nil before the first state.
  private var kind: Kind?
  private var since: Int64 = 0
  /// The last interface that carried the path.
  private var interface: String?
  private var closed = Totals()

  package init(session: HistoryRecord.Session) {
    self.session = session
  }

  /// Updates the state of the network.
  ///
  /// - Parameter network: nil when the kernel could not be queried, which is neither an outage nor its end.
  /// - Returns: the records to write, if the state changed. A limited connection after an outage, or at the start, gets two: a reader that
  ///   does not know the second one sees the first.
  package mutating func note(_ network: Network?, at time: HistoryTime) -> [HistoryRecord] {
    switch network {
    case nil: return []
    case .online(let interface):
      self.interface = interface ?? self.interface
      return enter(.online, [.online], at: time)
    case .limited(let interface, let reason, let explanation):
      self.interface = interface ?? self.interface
      let limited = HistoryRecord.Event.limited(cause(reason, explanation))
      return enter(.limited, kind == .online ? [limited] : [.online, limited], at: time)
    case .offline(let reason, let explanation):
      let isFound = kind == nil
      return enter(.offline, [.offline(cause(reason, explanation), isFound: isFound)], at: time)
    }
  }

  private func cause(_ reason: String?, _ explanation: String) -> HistoryRecord.Cause {
    // A reader of the history would take "ago" for the time of reading: `the router 192.0.2.1 does not answer (last heard 43 s ago)`
    HistoryRecord.Cause(
      reason: reason, interface: interface, explanation: explanation.replacing(" s ago)", with: " s before)"))
  }

  private mutating func enter(
    _ new: Kind, _ events: [HistoryRecord.Event], at time: HistoryTime
  ) -> [HistoryRecord] {
    guard new != kind else { return [] }
    closed = totals(at: time)
    if new == .offline { closed.outages += 1 }
    kind = new
    since = time.awake
    return events.map { HistoryRecord($0, session: session, time: time) }
  }

  /// Records the monitor's end. Returns no record if the monitor has never received a state.
  package func end(at time: HistoryTime) -> HistoryRecord? {
    kind == nil ? nil : HistoryRecord(.ended, session: session, time: time)
  }

  package func totals(at time: HistoryTime) -> Totals {
    var totals = closed
    switch kind {
    case .offline: totals.offline += time.awake - since
    case .limited: totals.limited += time.awake - since
    case .online, nil: break
    }
    return totals
  }
}
