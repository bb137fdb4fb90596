package import Dispatch

/// Has one thing done on a queue: rung several times before that is done, it is done once.
///
/// For what happens again and again for months. A block sent to the queue would stay with the thread that ran it, for the next one
/// that this thread sends, and it may send none.
///
/// All of Dispatch may be used from any thread, which the protocols of its sources do not say: hence unchecked.
package final class QueueBell: @unchecked Sendable {
  private let source: any DispatchSourceUserDataOr

  package init(queue: DispatchQueue) { source = DispatchSource.makeUserDataOrSource(queue: queue) }

  /// Begins to answer, also to what was rung before. To be called once.
  ///
  /// - Parameter handler: runs on the queue, and is kept until ``cancel()`` or until the bell is gone.
  package func start(_ handler: @escaping @Sendable () -> Void) {
    source.setEventHandler(handler: handler)
    source.activate()
  }

  package func ring() { source.or(data: 1) }

  package func cancel() { source.cancel() }
}
