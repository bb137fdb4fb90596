/// How the kernel would send a packet to a target.
package enum TargetState: String, Sendable {
  case reachable
  /// The target is private, and only the default route leads there, as after the end of its VPN.
  case defaultRoute = "default-route"
  case unreachable

  /// Whether a change from the other state to this one is a loss.
  fileprivate func isWorse(than other: TargetState) -> Bool {
    switch (self, other) {
    case (.unreachable, .reachable), (.unreachable, .defaultRoute), (.defaultRoute, .reachable): true
    case (.reachable, _), (.defaultRoute, _), (.unreachable, .unreachable): false
    }
  }
}

extension ObserverState.Target {
  /// Nil when the kernel could not be queried.
  package var state: TargetState? {
    reachable.map { isReachable in isReachable ? .reachable : isByDefaultRoute ? .defaultRoute : .unreachable }
  }
}

/// Decides for which targets a hook is due. An improvement counts at once. A loss counts when it has lasted for the grace delay, as for the
/// banner.
///
/// The first state of a target is no change. A target that the configuration adds, or moves to another network, has had no state before.
struct TargetTrigger: Sendable {
  private struct Watched {
    /// The target when its state last counted.
    var counted: ObserverState.Target
    /// The newest worse target, and the time since which it has been worse.
    var loss: (target: ObserverState.Target, since: Duration)?

    func isSame(_ target: ObserverState.Target) -> Bool {
      counted.name == target.name && counted.prefix == target.prefix
    }

    /// Nothing changes while the kernel cannot be queried.
    mutating func note(_ target: ObserverState.Target, at now: Duration) -> Bool {
      guard let new = target.state, let old = counted.state else { return false }
      if new.isWorse(than: old) {
        loss = (target, loss?.since ?? now)
        return false
      }
      loss = nil
      counted = target
      return new != old
    }

    mutating func endGrace() {
      if let loss { counted = loss.target }
      loss = nil
    }
  }

  private var watched: [Watched] = []

  /// The time when the grace delay of the first loss ends; nil without a loss.
  func nextDeadline(graceDelay: Duration) -> Duration? {
    // Not a key path through an optional: in a build that is not optimised the standard library copies it over itself.
    watched.compactMap { $0.loss?.since }.min().map { $0 + graceDelay }
  }

  /// Returns the targets whose state has changed, in their order.
  mutating func update(_ targets: [ObserverState.Target], graceDelay: Duration, at now: Duration) -> [ObserverState
    .Target]
  {
    var due: [ObserverState.Target] = []
    var new: [Watched] = []
    for target in targets {
      guard var one = watched.first(where: { $0.isSame(target) }) else {
        if target.state != nil { new.append(Watched(counted: target)) }
        continue
      }
      var isDue = one.note(target, at: now)
      if let loss = one.loss, loss.since + graceDelay <= now {
        one.endGrace()
        isDue = true
      }
      if isDue { due.append(one.counted) }
      new.append(one)
    }
    watched = new
    return due
  }
}
