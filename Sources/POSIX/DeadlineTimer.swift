internal import CSystem
public import Dispatch

/// One timer on ``BootClock`` that runs a handler on a queue. Not armed, it costs nothing and wakes nobody.
///
/// Deliveries may be early, late or repeated; handlers compare the clock with their own deadlines.
public final class DeadlineTimer: Sendable {
  private let timer: Timer
  /// Dispatch sources are safe from any thread; their protocol does not say so.
  private nonisolated(unsafe) let source: any DispatchSourceRead

  /// Runs `handler` on `queue` whenever the deadline has passed.
  public init(queue: DispatchQueue, handler: @escaping @Sendable () -> Void) throws(SystemError) {
    let raw = try checkedNegative("make a timer") { csystem_timer_create() }
    let timer = Timer(descriptor: FileDescriptor(owning: raw))
    self.timer = timer
    let source = DispatchSource.makeReadSource(fileDescriptor: raw, queue: queue)
    source.setEventHandler {
      _ = try? readBytes(from: raw, atMost: 8)
      handler()
    }
    // Closed before Dispatch has let go of it, its number could already be someone else's descriptor.
    source.setCancelHandler { _ = timer }
    unsafe self.source = source
    source.activate()
  }

  deinit {
    unsafe source.cancel()
  }

  /// Sets the deadline in time since boot; nil disarms. A deadline in the past is delivered at once.
  public func arm(_ deadline: Duration?) {
    guard let deadline else {
      csystem_timer_set(timer.descriptor.rawValue, 0)
      return
    }
    let (seconds, attoseconds) = deadline.components
    csystem_timer_set(timer.descriptor.rawValue, max(1, seconds * 1_000_000_000 + attoseconds / 1_000_000_000))
  }
}

/// Keeps the descriptor as long as anyone uses it.
private final class Timer: Sendable {
  let descriptor: FileDescriptor

  init(descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
}
