internal import CSystem
public import Dispatch

/// One timer on ``BootClock`` that runs a handler on a queue. Not armed, it costs nothing and wakes nobody.
///
/// Deliveries may be early, late or repeated; handlers compare the clock with their own deadlines.
public final class DeadlineTimer: Sendable {
  private let descriptor: FileDescriptor
  /// Dispatch sources are safe from any thread; their protocol does not say so.
  private nonisolated(unsafe) let source: any DispatchSourceRead

  /// Runs `handler` on `queue` whenever the deadline has passed.
  public init(queue: DispatchQueue, handler: @escaping @Sendable () -> Void) throws(SystemError) {
    let raw = try checkedNegative("make a timer") { csystem_timer_create() }
    descriptor = FileDescriptor(owning: raw)
    let source = DispatchSource.makeReadSource(fileDescriptor: raw, queue: queue)
    source.setEventHandler {
      _ = try? readBytes(from: raw, atMost: 8)
      handler()
    }
    unsafe self.source = source
    source.activate()
  }

  deinit {
    unsafe source.cancel()
  }

  /// Sets the deadline in time since boot; nil disarms. A deadline in the past is delivered at once.
  public func arm(_ deadline: Duration?) {
    guard let deadline else {
      csystem_timer_set(descriptor.rawValue, 0)
      return
    }
    let (seconds, attoseconds) = deadline.components
    csystem_timer_set(descriptor.rawValue, max(1, seconds * 1_000_000_000 + attoseconds / 1_000_000_000))
  }
}
