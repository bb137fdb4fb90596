/// Records and counts one monitor's outages.
///
/// A value without a clock. It receives the network's state and the time, and returns the records to write.
package struct OutageLedger: Sendable {
  /// The known state of the network.
  package enum Network: Hashable, Sendable {
    case online(interface: String?)
    case offline(reason: String?, explanation: String)
  }

  /// The totals since the monitor's start.
  package struct Totals: Hashable, Sendable {
    /// Outages that have begun, or were ongoing at the start.
    package var outages = 0
    /// Milliseconds without a network while the machine was awake, including an ongoing outage.
    package var offline: Int64 = 0
  }

  package let session: HistoryRecord.Session
  private var isOffline: Bool?
  /// The last interface that carried the path.
  private var interface: String?
  private var outages = 0
  private var closedOffline: Int64 = 0
  private var offlineSince: Int64 = 0

  package init(session: HistoryRecord.Session) {
    self.session = session
  }

  /// Updates the state of the network.
  ///
  /// - Parameter network: nil when the kernel could not be queried, which is neither an outage nor its end.
  /// - Returns: the record to write, if the state changed.
  package mutating func note(_ network: Network?, at time: HistoryTime) -> HistoryRecord? {
    switch network {
    case nil: return nil
    case .online(let interface):
      self.interface = interface ?? self.interface
      guard isOffline != false else { return nil }
      if isOffline == true { closedOffline += time.awake - offlineSince }
      isOffline = false
      return HistoryRecord(.online, session: session, time: time)
    case .offline(let reason, let explanation):
      guard isOffline != true else { return nil }
      let isFound = isOffline == nil
      isOffline = true
      outages += 1
      offlineSince = time.awake
      let cause = HistoryRecord.Cause(reason: reason, interface: interface, explanation: explanation)
      return HistoryRecord(.offline(cause, isFound: isFound), session: session, time: time)
    }
  }

  /// Records the monitor's end. Returns no record if the monitor has never received a state.
  package func end(at time: HistoryTime) -> HistoryRecord? {
    isOffline == nil ? nil : HistoryRecord(.ended, session: session, time: time)
  }

  package func totals(at time: HistoryTime) -> Totals {
    Totals(outages: outages, offline: closedOffline + (isOffline == true ? time.awake - offlineSince : 0))
  }
}
