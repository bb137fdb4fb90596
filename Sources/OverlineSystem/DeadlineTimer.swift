internal import COverline
package import Dispatch

/// One timer on ``BootClock``, for a ``Poller``. It causes no wakeups while disarmed.
package final class BootTimer: Sendable {
  private let descriptor: FileDescriptor

  package init() throws(SystemError) {
    descriptor = FileDescriptor(owning: try checkedNegative("make a timer") { csystem_timer_create() })
  }

  /// Readable when the deadline has passed.
  package var rawValue: Int32 { descriptor.rawValue }

  /// Sets the deadline in time since boot; nil disarms. A deadline in the past is delivered at once.
  package func arm(_ deadline: Duration?) {
    guard let deadline else {
      csystem_timer_set(descriptor.rawValue, 0)
      return
    }
    csystem_timer_set(descriptor.rawValue, max(1, deadline.wholeNanoseconds))
  }

  /// Acknowledges an expiry: the descriptor is not readable until the timer is armed again.
  package func take() {
    _ = try? readBytes(from: descriptor.rawValue, atMost: 8)
  }
}

/// One timer on ``BootClock`` that runs a handler on a queue. While disarmed it costs nothing and causes no wakeups.
///
/// Deliveries may be early, late or repeated; handlers compare the clock with their own deadlines.
package final class DeadlineTimer: Sendable {
  private let timer: BootTimer
  private let source: ReadSource

  /// Runs `handler` on `queue` whenever the deadline has passed.
  package init(queue: DispatchQueue, handler: @escaping @Sendable () -> Void) throws(SystemError) {
    let timer = try BootTimer()
    self.timer = timer
    source = try ReadSource(descriptor: timer.rawValue, keeping: timer, queue: queue) {
      timer.take()
      handler()
    }
  }

  /// Same as ``BootTimer/arm(_:)``.
  package func arm(_ deadline: Duration?) { timer.arm(deadline) }
}
