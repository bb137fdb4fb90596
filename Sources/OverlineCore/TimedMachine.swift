internal import Overline

/// A machine with several deadlines, each with a name. ``deadline(of:)`` says when a timer is due, and the machine handles each in a second
/// switch. Neither switch has a default, so no timer can lack a time or a handler.
protocol TimedMachine: ~Copyable {
  associatedtype Timer: CaseIterable

  /// In the order in which they are handled when several are due.
  static var timers: [Timer] { get }

  /// Nil for a timer that is not set.
  func deadline(of timer: Timer) -> Duration?
}

extension TimedMachine where Self: ~Copyable {
  var earliestDeadline: Duration? {
    var earliest: Duration?
    for timer in Self.timers { earliest = earliest.earlier(deadline(of: timer)) }
    return earliest
  }

  func isDue(_ timer: Timer, at now: Duration) -> Bool { deadline(of: timer).map { $0 <= now } ?? false }
}
