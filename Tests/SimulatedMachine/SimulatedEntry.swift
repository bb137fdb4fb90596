package import NetworkPath

/// The kernel's entry of a router in the neighbour table, with the timers of Linux (`net/core/neighbour.c`).
///
/// Packets do not prolong REACHABLE, only acknowledgements do. Once these cease, the entry becomes STALE. The next packet makes the kernel
/// wait five seconds for an acknowledgement, and then ask the router.
package struct SimulatedEntry {
  private enum State: Hashable {
    case reachable(until: Duration)
    case stale
    case delayed(until: Duration)
    /// Asks the router each second, three times.
    case asking(next: Duration, left: Int, isNew: Bool)
    case failed
    /// No entry.
    case none
  }

  package let router: Gateway
  /// Between half and one and a half of `base_reachable_time_ms`, whose default is 30 s.
  package let reachableTime: Duration
  private var state: State
  private var confirmed: Duration = .zero

  /// An entry that was confirmed at 0 s.
  package init(_ router: Gateway, reachableTime: Duration) {
    self.router = router
    self.reachableTime = reachableTime
    state = .reachable(until: reachableTime)
  }

  /// The entry as a message.
  package func neighbour(at now: Duration) -> Neighbour {
    let state: Neighbour.State? =
      switch state {
      case .reachable: .reachable
      case .stale: .stale
      case .delayed: .delay
      case .asking(_, _, let isNew): isNew ? .incomplete : .probe
      case .failed: .failed
      case .none: nil
      }
    let hasLinkAddress = state.map { $0 != .failed && $0 != .incomplete } ?? false
    return Neighbour(router, state: state, hasLinkAddress: hasLinkAddress, confirmedAge: now - confirmed)
  }

  /// The time of the next change, while packets are sent or not; nil if there is none.
  package func nextChange(isUsed: Bool, at now: Duration) -> Duration? {
    switch state {
    case .reachable(let until), .delayed(let until): until
    case .asking(let next, _, _): next
    case .stale, .failed, .none: isUsed ? now : nil
    }
  }

  /// An acknowledgement came through the router.
  package mutating func confirm(at now: Duration) {
    confirmed = now
    if case .reachable = state { state = .reachable(until: now + reachableTime) }
  }

  /// The link has lost its carrier (`neigh_carrier_down`).
  package mutating func remove() { state = .none }

  /// A packet is sent. No message says that an entry is DELAY.
  package mutating func use(at now: Duration) {
    switch state {
    case .reachable, .delayed, .asking: break
    case .stale: state = .delayed(until: now + .seconds(5))
    case .failed, .none: state = .asking(next: now, left: 3, isNew: true)
    }
  }

  /// Lets the time pass.
  ///
  /// - Parameter answers: whether the router answers the kernel.
  /// - Returns: the message, if the kernel sends one.
  package mutating func advance(to now: Duration, answers: Bool) -> Neighbour? {
    switch state {
    case .stale, .failed, .none: return nil
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
