internal import COverline
package import Dispatch

/// The end of a process of any user (pidfd_open(2)), without polling.
package struct ProcessEnd: ~Copyable, Sendable {
  private let descriptor: FileDescriptor

  /// Throws ``SystemError/isNoSuchProcess`` for a process that has ended, also for a zombie, and for a number without a process.
  package init(of pid: Int32) throws(SystemError) {
    descriptor = try Self.watch(pid)
  }

  private static func watch(_ pid: Int32) throws(SystemError) -> FileDescriptor {
    let attempt = "watch process \(pid)"
    let descriptor = FileDescriptor(owning: try checkedNegative(attempt) { csystem_process_watch(pid) })
    if try waitUntilReadable(descriptor.rawValue, timeout: .zero) { throw .noSuchProcess(attempt) }
    return descriptor
  }

  /// Readable once the process has ended.
  package var rawValue: Int32 { descriptor.rawValue }
}

/// Runs a handler on a queue when a process has ended, until this is released.
package final class ProcessWatch: Sendable {
  private let source: ReadSource

  /// - Parameter handler: may be called more than once.
  package init(_ pid: Int32, queue: DispatchQueue, handler: @escaping @Sendable () -> Void) throws(SystemError) {
    let end = try WatchedEnd(try ProcessEnd(of: pid))
    source = ReadSource(descriptor: end.poller.rawValue, keeping: end, queue: queue, handler: handler)
  }
}

extension ProcessWatch {
  /// Watches a child of this process that leads its own session. If the child has already ended, the handler is queued at once.
  ///
  /// Throws if the kernel cannot watch the child (it is older than Linux 5.3, or no descriptor is left). Then this kills the child's
  /// process group and reaps the child, since no later code would.
  package static func ofChild(
    _ pid: Int32, queue: DispatchQueue, handler: @escaping @Sendable () -> Void
  ) throws(SystemError) -> ProcessWatch? {
    do throws(SystemError) {
      return try ProcessWatch(pid, queue: queue, handler: handler)
    } catch {
      guard error.isNoSuchProcess else {
        Signal.kill.send(to: -pid)
        _ = Subprocess.wait(for: pid)
        throw error
      }
      queue.async(execute: handler)
      return nil
    }
  }
}

/// A process's end with more than one owner, in its own epoll set. A pidfd hangs up when the process is reaped (Linux 6.9). If a source is
/// released during a hang-up of its descriptor, libdispatch uses it after freeing it. An epoll set never hangs up.
private final class WatchedEnd: Sendable {
  private let end: ProcessEnd
  let poller: Poller

  init(_ end: consuming ProcessEnd) throws(SystemError) {
    poller = try Poller()
    try poller.add(end.rawValue, token: 0, .readable)
    self.end = end
  }
}
