package import Dispatch
internal import Synchronization

/// Runs a handler on a queue whenever a descriptor can be read, until this is released.
///
/// Dispatch watches an epoll set in place of the descriptor, because a set never hangs up. When a watched descriptor hangs up,
/// libdispatch on Linux releases its record on the target queue while its manager thread still uses the record, and the process crashes
/// (swift-corelibs-libdispatch, issue 949).
package final class ReadSource: Sendable {
  /// Dispatch sources are thread-safe, but their protocol is not Sendable.
  private nonisolated(unsafe) let source: any DispatchSourceRead

  /// - Parameters:
  ///   - owner: the owner of the descriptor. It is retained until Dispatch has released the descriptor, which must not be closed earlier.
  ///   - handler: must read until nothing is left. Otherwise it is called again. After a hang-up it is called at most once more.
  package convenience init(
    descriptor: Int32, keeping owner: any Sendable, queue: DispatchQueue, handler: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    let set = SharedPoller(try Poller())
    try set.poller.add(descriptor, token: 0, .readable)
    try self.init(set, keeping: owner, queue: queue) {
      // Check before the handler reads: bytes that arrive after its read would be lost with the descriptor.
      let hasEnded = set.poller.takeReady().contains { $0.what.contains(.hungUp) }
      handler()
      if hasEnded { try? set.poller.remove(descriptor) }
    }
  }

  /// Runs a handler whenever a descriptor of the set is ready. The handler takes the ready ones.
  package convenience init(
    _ set: SharedPoller, queue: DispatchQueue, handler: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    try self.init(set, keeping: (), queue: queue, handler: handler)
  }

  private init(
    _ set: SharedPoller, keeping owner: any Sendable, queue: DispatchQueue, handler: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    try Self.makeRoomForDispatch()
    let source = DispatchSource.makeReadSource(fileDescriptor: set.poller.rawValue, queue: queue)
    source.setEventHandler(handler: handler)
    source.setCancelHandler { _ = (set, owner) }
    unsafe self.source = source
    source.activate()
  }

  deinit {
    unsafe source.cancel()
  }

  private static let hasRoomForDispatch = Mutex(false)

  /// The first source makes libdispatch open an epoll set and an eventfd. Without free descriptors libdispatch would end the process, so this
  /// opens and closes as many before it.
  private static func makeRoomForDispatch() throws(SystemError) {
    try hasRoomForDispatch.withLock { hasRoom throws(SystemError) in
      if hasRoom { return }
      let (first, second) = (SharedPoller(try Poller()), SharedPoller(try Poller()))
      withExtendedLifetime((first, second)) { hasRoom = true }
    }
  }
}
