package import Dispatch

/// Runs a handler on a queue whenever a descriptor can be read. Ends when it is let go.
package final class ReadSource: Sendable {
  /// Dispatch sources are safe from any thread; their protocol does not say so.
  private nonisolated(unsafe) let source: any DispatchSourceRead

  /// - Parameters:
  ///   - keeping: the owner of the descriptor. It is kept until Dispatch has let go of the descriptor, which must not be closed
  ///     before.
  ///   - handler: must read until there is nothing left, or be called again.
  package init(
    descriptor: Int32, keeping owner: any Sendable, queue: DispatchQueue, handler: @escaping @Sendable () -> Void
  ) {
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler(handler: handler)
    source.setCancelHandler { _ = owner }
    unsafe self.source = source
    source.activate()
  }

  deinit {
    unsafe source.cancel()
  }
}
