internal import Overline
internal import NetworkPath

/// What a window takes from the states of the monitor that it follows.
///
/// A monitor that hangs cannot withdraw its limitation. So while one counts, the window asks the monitor at an interval, and drops the
/// finding if no answer comes. Without a limitation it only waits. A monitor that continues answers the question, and its finding counts
/// again.
package struct FollowMachine {
  package enum Event: Sendable {
    case state(ObserverState)
    /// ``patience`` has passed without a state.
    case silence
    /// The monitor has ended, or has sent anything but a state.
    case ended
  }

  package enum Effect: Equatable, Sendable {
    case take(MonitorFinding)
    /// Ask the monitor for its state.
    case ask
  }

  /// The interval of the questions while a limitation counts.
  private static let pause = Duration.seconds(30)
  /// The limit for an answer, which takes milliseconds.
  private static let answerTime = Duration.seconds(2)

  private var finding = MonitorFinding()
  private var hasAsked = false

  package init() {}

  /// How long to wait for the next state; nil for ever.
  package var patience: Duration? {
    finding.limitation == nil ? nil : hasAsked ? Self.answerTime : Self.pause
  }

  package mutating func handle(_ event: Event) -> Effect? {
    switch event {
    case .state(let state):
      hasAsked = false
      // During a pause nothing shows, whether it was dismissed or not.
      let isPaused = state.paused != nil
      return take(
        MonitorFinding(
          limitation: Limitation(foundBy: state),
          dismissedReason: isPaused ? finding.dismissedReason : state.dismissedReason,
          shownReason: isPaused ? finding.shownReason : state.shownReason))
    case .silence:
      if hasAsked { return take(MonitorFinding()) }
      hasAsked = true
      return .ask
    case .ended: return take(MonitorFinding())
    }
  }

  private mutating func take(_ new: MonitorFinding) -> Effect? {
    defer { finding = new }
    return new == finding ? nil : .take(new)
  }
}

extension Limitation {
  /// The limitation in another process's state; nil for none.
  fileprivate init?(foundBy state: ObserverState) {
    guard let limited = state.limited, let explanation = state.limitation, let reason = Reason(rawValue: limited.reason)
    else { return nil }
    self.init(reason, cause: limited.cause, explanation: explanation, portal: limited.portal)
  }
}
