/// What one monitor writes down of the network, and counts.
///
/// A value without a clock: it is told what the network is and when, and says what is to be remembered.
package struct OutageLedger: Sendable {
  /// What is known of the network.
  package enum Network: Hashable, Sendable {
    case online(interface: String?)
    case offline(reason: String?, explanation: String)
  }

  /// What it has come to since the monitor's start.
  package struct Totals: Hashable, Sendable {
    /// Outages that have begun, or were there at the start.
    package var outages = 0
    /// Milliseconds without a network while the machine was awake, those of an outage that lasts included.
    package var offline: Int64 = 0
  }

  package let session: HistoryRecord.Session
  private var isOffline: Bool?
  /// The interface that carried the path last.
  private var interface: String?
  private var outages = 0
  private var closedOffline: Int64 = 0
  private var offlineSince: Int64 = 0

  package init(session: HistoryRecord.Session) {
    self.session = session
  }

  /// The network is this now.
  ///
  /// - Parameter network: nil when the kernel could not be asked, which is neither an outage nor its end.
  /// - Returns: what is to be written, if that is news.
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

  /// The monitor ends. Nothing is written by one that has seen nothing.
  package func end(at time: HistoryTime) -> HistoryRecord? {
    isOffline == nil ? nil : HistoryRecord(.ended, session: session, time: time)
  }

  package func totals(at time: HistoryTime) -> Totals {
    Totals(outages: outages, offline: closedOffline + (isOffline == true ? time.awake - offlineSince : 0))
  }
}
