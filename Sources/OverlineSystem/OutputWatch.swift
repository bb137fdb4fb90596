internal import COverline
package import Dispatch
internal import Synchronization

/// Reports that something was written to a terminal (inotify(7)). Causes no wakeups otherwise.
package final class OutputWatch: Sendable {
  private let owner: Owner
  private let queue: DispatchQueue
  private let source = Mutex<ReadSource?>(nil)

  /// Dispatch may hold the descriptor longer than the watch lives.
  private final class Owner: Sendable {
    let descriptor: FileDescriptor
    init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
  }

  package init(_ terminal: Int32, queue: DispatchQueue) throws(SystemError) {
    owner = Owner(FileDescriptor(owning: try checkedNegative("watch output") { csystem_inotify_create() }))
    self.queue = queue
    let path = Files.linkTarget("/proc/self/fd/\(terminal)") ?? ""
    _ = try checkedNegative("watch \(path)") {
      unsafe csystem_inotify_add(owner.descriptor.rawValue, path, Int32(CSYSTEM_WATCH_OUTPUT))
    }
  }

  /// Calls a handler once, on the queue, at the next output; at once if there was output since the last ``takeOutput()``.
  package func next(_ handler: @escaping @Sendable () -> Void) {
    let new = try? ReadSource(descriptor: owner.descriptor.rawValue, keeping: owner, queue: queue) { [weak self] in
      // Release the source after the first call, so that a stream of output does not wake the queue for each write.
      guard let self, self.source.withLock({ $0.take() }) != nil else { return }
      handler()
    }
    source.withLock { $0 = new }
  }

  /// Whether anything was written since the last call.
  package func takeOutput() -> Bool {
    var hasOutput = false
    while let bytes = try? owner.descriptor.read(), !bytes.isEmpty { hasOutput = true }
    return hasOutput
  }
}
