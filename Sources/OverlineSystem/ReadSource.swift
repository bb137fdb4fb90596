package import Dispatch

/// Runs a handler on a queue whenever a descriptor can be read, until this is released.
package final class ReadSource: Sendable {
  /// Dispatch sources are thread-safe, but their protocol is not Sendable.
  private nonisolated(unsafe) let source: any DispatchSourceRead

  /// - Parameters:
  ///   - keeping: the owner of the descriptor. It is retained until Dispatch has released the descriptor, which must not be closed earlier.
  ///   - handler: must read until nothing is left. Otherwise it is called again.
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
