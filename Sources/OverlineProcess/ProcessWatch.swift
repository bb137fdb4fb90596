internal import COverline
package import Dispatch
package import OverlineSystem

/// The end of a process of any user (pidfd_open(2)), without polling.
package struct ProcessEnd: ~Copyable, Sendable {
  private let descriptor: FileDescriptor

  /// Throws ``SystemError/isNoSuchProcess`` for a process that has ended, also for a zombie, and for a number without a process.
  package init(of pid: Int32) throws(SystemError) {
    descriptor = try Self.watch(pid)
  }

  fileprivate static func watch(_ pid: Int32) throws(SystemError) -> FileDescriptor {
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
    let end = SharedDescriptor(try ProcessEnd.watch(pid))
    source = try ReadSource(descriptor: end.descriptor.rawValue, keeping: end, queue: queue, handler: handler)
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
