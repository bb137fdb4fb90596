/// Remembers from one whole look to the next whether packets came from outside that the connections do not explain, such as datagrams.
package struct DatagramNews: Equatable, Sendable {
  private var baseline: DatagramCounters?
  /// The time of the first look whose counters are compared with later ones; nil while the kernel's counters are unknown.
  private var countsSince: Duration?
  /// The time of the last look since which such packets came.
  private var lastAt: Duration?
  /// Whether the last thorough look found a socket for datagrams from beyond the routers.
  private(set) package var mayHear = false

  package init() {}

  /// - Parameter look: a whole look.
  package mutating func note(_ look: ConnectionLook, at now: Duration) {
    if let new = look.counters {
      if let baseline, new.hasNewsFromOutside(since: baseline) { lastAt = now }
      countsSince = countsSince ?? now
    } else {
      countsSince = nil
    }
    baseline = look.baseline ?? look.counters
    if look.depth == .thorough { mayHear = look.mayHearDatagrams }
  }

  package var hasNews: Bool { lastAt != nil }

  package mutating func forgetLast() { lastAt = nil }

  /// Whether no datagram has come from outside for this time. False while unknown.
  package func areQuiet(for time: Duration, _ look: ConnectionLook, at now: Duration) -> Bool {
    guard let countsSince, now - countsSince >= time else { return false }
    // Only a thorough look can tell. It comes next.
    guard look.depth != .whole, mayHear, let lastAt else { return true }
    return now - lastAt >= time
  }
}
