/// The monitor's messages to a service manager (systemd.service(5), sd_notify(3)): which, when, and how long each may wait. A value without
/// a clock.
package struct ServiceMachine {
  package enum Event: Sendable {
    /// The state of the network in words, without control characters. The first one also reports that the monitor is ready.
    case told(String)
    /// A reload begins. `awake` is the time since boot without suspends: the manager matches this message with its signal by it.
    case reloading(awake: Duration)
    /// The reload has ended: the new configuration is in effect, or it was rejected and the old one stays.
    case reloaded
    /// The monitor restores tmux and then ends.
    case stopping
    case deadlineReached
  }

  /// One message.
  package struct Message: Equatable, Sendable {
    /// `NAME=value`, one per line of the datagram.
    package var assignments: [String]
    /// Whether to wait for a slow manager. It must not miss a message about the start or the end. Any other message may be lost: the next
    /// one follows.
    package var isPatient: Bool
  }

  /// When the next sign of life is due; nil if the manager asked for none.
  package private(set) var nextDeadline: Duration?
  /// Half of the manager's timeout, as sd_watchdog_enabled(3) recommends.
  private let interval: Duration?
  private var isReady = false
  private var status = ""

  /// - Parameter watchdog: the manager's limit between two signs of life; nil for none.
  package init(watchdog: Duration?) { interval = watchdog.map { $0 / 2 } }

  package mutating func handle(_ event: Event, at now: Duration) -> Message? {
    switch event {
    case .told(let words):
      if isReady, words == status { return nil }
      status = words
      defer { isReady = true }
      if nextDeadline == nil { nextDeadline = interval.map { now + $0 } }
      return Message(assignments: ["STATUS=\(words)"] + (isReady ? [] : ["READY=1"]), isPatient: !isReady)
    case .reloading(let awake):
      return Message(
        assignments: ["RELOADING=1", "MONOTONIC_USEC=\(Int64(awake / .microseconds(1)))"], isPatient: true)
    case .reloaded: return Message(assignments: ["READY=1", "STATUS=\(status)"], isPatient: true)
    case .stopping:
      nextDeadline = nil
      return Message(assignments: ["STOPPING=1", "STATUS=ending"], isPatient: true)
    case .deadlineReached:
      guard let interval, let due = nextDeadline, due <= now else { return nil }
      nextDeadline = now + interval
      return Message(assignments: ["WATCHDOG=1"], isPatient: false)
    }
  }
}
