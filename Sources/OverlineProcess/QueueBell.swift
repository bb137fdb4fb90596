package import Dispatch
internal import OverlineSystem

/// Runs a handler on a queue. Several rings before the handler runs cause one run.
///
/// For handlers that run again and again for months. With `queue.async`, Dispatch's thread retains the last block that it ran until that
/// thread submits another block, perhaps for ever.
///
/// Unchecked, because Dispatch is thread-safe but the protocols of its sources are not Sendable.
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
