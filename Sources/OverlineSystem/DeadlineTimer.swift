internal import COverline
package import Dispatch
internal import Synchronization

/// One timer on ``BootClock``, for a ``Poller``. It causes no wakeups while disarmed.
package final class BootTimer: Sendable {
  private let descriptor: FileDescriptor
  /// The deadline that the kernel has; nil once its expiry was taken.
  private let armed = Mutex<Duration?>(nil)

  package init() throws(SystemError) {
    descriptor = FileDescriptor(owning: try checkedNegative("make a timer") { csystem_timer_create() })
  }

  /// Readable when the deadline has passed.
  package var rawValue: Int32 { descriptor.rawValue }

  /// Sets the deadline in time since boot; nil disarms. A deadline in the past is delivered at once. The deadline that is set already costs
  /// no system call.
  package func arm(_ deadline: Duration?) {
    armed.withLock { armed in
      guard deadline != armed else { return }
      armed = deadline
      csystem_timer_set(descriptor.rawValue, deadline.map { max(1, $0.wholeNanoseconds) } ?? 0)
    }
  }

  /// Acknowledges an expiry: the descriptor is not readable until the timer is armed again.
  package func take() {
    armed.withLock { armed in
      // None is left if the timer was armed again meanwhile.
      if let bytes = try? readBytes(from: descriptor.rawValue, atMost: 8), !bytes.isEmpty { armed = nil }
    }
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
