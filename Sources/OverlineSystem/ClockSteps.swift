internal import COverline

/// Reports when the wall clock is set, which also happens when a machine wakes from suspend (`TFD_TIMER_CANCEL_ON_SET` of
/// timerfd_create(2)). Causes no wakeups otherwise.
package final class ClockSteps: Sendable {
  private let descriptor: FileDescriptor

  package convenience init() throws(SystemError) {
    self.init(
      descriptor: FileDescriptor(owning: try checkedNegative("watch the clock") { csystem_clock_watch_create() }))
    try checkedNegative("watch the clock") { csystem_clock_watch_arm(descriptor.rawValue) }
  }

  /// For tests: uses another non-blocking descriptor. Any bytes from it count as a step of the clock.
  package init(descriptor: consuming FileDescriptor) {
    self.descriptor = descriptor
  }

  /// Readable when the clock was set.
  package var rawValue: Int32 { descriptor.rawValue }

  /// Whether the clock was set since the last call. Throws when the clock can no longer be watched.
  package func take() throws(SystemError) -> Bool {
    switch Result(catching: { () throws(SystemError) in try descriptor.read(atMost: 8) }) {
    case .failure(let error) where error.isWouldBlock: return false
    case .failure(let error) where !error.isCancelled: throw error
    case .success(let bytes) where bytes.isEmpty: throw SystemError(code: 0, attempt: "watch the clock")
    case .failure, .success: break
    }
    csystem_clock_watch_arm(descriptor.rawValue)
    return true
  }
}
