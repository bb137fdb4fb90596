package import Dispatch

/// Runs a handler on a queue: several rings before it runs cause one run.
///
/// For events that repeat for months. A block sent to the queue would stay with the thread that ran it until that thread sends its next
/// block, which may be never.
///
/// Dispatch is thread-safe, but the protocols of its sources do not say so: hence unchecked.
package final class QueueBell: @unchecked Sendable {
  private let source: any DispatchSourceUserDataOr

  package init(queue: DispatchQueue) { source = DispatchSource.makeUserDataOrSource(queue: queue) }

  /// Starts handling rings, also earlier ones. Call it once.
  ///
  /// - Parameter handler: runs on the queue, and is retained until ``cancel()`` or until the bell is released.
  package func start(_ handler: @escaping @Sendable () -> Void) {
    source.setEventHandler(handler: handler)
    source.activate()
  }

  package func ring() { source.or(data: 1) }

  package func cancel() { source.cancel() }
}
