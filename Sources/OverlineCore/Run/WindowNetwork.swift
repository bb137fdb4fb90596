package import NetworkPath
package import Overline

/// What the running monitor has found.
package struct MonitorFinding: Equatable, Sendable {
  /// The limitation that the monitor reports. A window needs it: it asks no check's server, and a new window has not seen connections fail.
  package var limitation: Limitation?
  /// The reason of the trouble whose banner the user has dismissed in the monitor.
  package var dismissedReason: String?
  /// The reason of the trouble whose banner the monitor shows.
  package var shownReason: String?

  package init(limitation: Limitation? = nil, dismissedReason: String? = nil, shownReason: String? = nil) {
    self.limitation = limitation
    self.dismissedReason = dismissedReason
    self.shownReason = shownReason
  }
}

/// The network as a window shows it: the window's own path, and what the running monitor has found.
package struct WindowNetwork: Sendable {
  package enum Event: Sendable {
    case pathChanged(NWPath)
    case monitorFound(MonitorFinding)
    case optionsChanged(PathOptions)
  }

  package enum Effect: Equatable, Sendable {
    case show(NWPath, Limitation?)
    /// The user has dismissed the trouble's banner in the monitor: one dismissal counts everywhere.
    case dismissTrouble
    /// The monitor shows this trouble's banner: a dismissal in this window no longer counts.
    case showTroubleAgain
  }

  /// The last path; nil until the window has received one.
  private var path: NWPath?
  private var found = MonitorFinding()
  private var options: PathOptions

  package init(path: NWPath? = nil, options: PathOptions) {
    self.path = path
    self.options = options
  }

  package mutating func handle(_ event: Event) -> [Effect] {
    switch event {
    case .pathChanged(let path):
      self.path = path
      return [.show(path, limitation(of: path))]
    case .monitorFound(let new): return take(new)
    case .optionsChanged(let options):
      self.options = options
      return []
    }
  }

  private mutating func take(_ new: MonitorFinding) -> [Effect] {
    let old = found
    found = new
    guard let path else { return [] }
    var effects: [Effect] = []
    if new.limitation != old.limitation { effects.append(.show(path, limitation(of: path))) }
    // A dismissal lasts as long as in the monitor. If the window reports a change first, its trouble is another one, for which the monitor's
    // dismissal does not count.
    guard let reason = path.troubleReason(limitation: limitation(of: path)) else { return effects }
    if reason == new.dismissedReason, reason != old.dismissedReason {
      effects.append(.dismissTrouble)
    } else if reason == new.shownReason, reason != old.shownReason {
      effects.append(.showTroubleAgain)
    }
    return effects
  }

  /// The monitor's finding about connections counts only until the window has one of its own: a window that has just started has none.
  private func limitation(of path: NWPath) -> Limitation? {
    let counts =
      switch found.limitation?.reason {
      case .noAnswers: !path.isLimited && options.detectsNoAnswers
      case .notSent: path.notSent == nil && options.detectsNotSent
      // Only the monitor measures the quality.
      case .poorQuality: !path.isLimited
      case .captivePortal, .checkFailed, nil: true
      }
    return counts ? found.limitation : nil
  }
}
