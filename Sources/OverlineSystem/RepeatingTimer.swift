package import Dispatch

/// Runs a handler on a queue again and again, until it is released.
package final class RepeatingTimer: Sendable {
  /// Dispatch sources are thread-safe, but their protocol is not Sendable.
  private nonisolated(unsafe) let source: any DispatchSourceTimer

  package init(every interval: Duration, queue: DispatchQueue, handler: @escaping @Sendable () -> Void) {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(
      deadline: .now() + interval.dispatchInterval, repeating: interval.dispatchInterval, leeway: .milliseconds(20))
    timer.setEventHandler(handler: handler)
    unsafe source = timer
    timer.activate()
  }

  deinit { unsafe source.cancel() }
}
