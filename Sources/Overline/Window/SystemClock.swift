internal import Dispatch
internal import OverlineSystem
internal import Synchronization

/// The system's clock and timers.
struct SystemClock: WindowClock {
  var now: Duration { BootClock.now }

  func timer(on queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void) -> any WindowTimer {
    LazyTimer(queue: queue, handler: handler)
  }
}

/// A timer that uses no descriptor before it is first armed.
private final class LazyTimer: WindowTimer {
  private let queue: DispatchQueue
  private let handler: @Sendable () -> Void
  private let timer = Mutex<DeadlineTimer?>(nil)

  init(queue: DispatchQueue, handler: @escaping @Sendable () -> Void) {
    self.queue = queue
    self.handler = handler
  }

  func arm(_ deadline: Duration?) {
    let isArmed = timer.withLock { timer in
      if timer == nil, deadline != nil { timer = try? DeadlineTimer(queue: queue, handler: handler) }
      timer?.arm(deadline)
      return timer != nil
    }
    // No descriptor is left for the timer: a window may then be a second late.
    if !isArmed, deadline != nil { queue.asyncAfter(deadline: .now() + 1, execute: handler) }
  }
}
