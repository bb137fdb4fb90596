internal import OverlineProcess
internal import OverlineSystem

/// A child process that is killed when its owner is released. If a test has waited for the child's end before, another process may have its
/// pid; that process is not killed.
package final class ChildProcess: Sendable {
  package let pid: Int32
  private let end: ProcessEnd?

  /// - Parameter pid: the pid of a child that has not been waited for.
  package init(_ pid: Int32) {
    self.pid = pid
    end = try? ProcessEnd(of: pid)
  }

  private var endDescriptor: Int32? {
    switch end {
    case .some(let end): end.rawValue
    case .none: nil
    }
  }

  deinit {
    guard let descriptor = endDescriptor else { return }
    if (try? waitUntilReadable(descriptor, timeout: .zero)) == false { Signal.kill.send(to: pid) }
    var info = unsafe siginfo_t()
    while unsafe waitid(P_PIDFD, id_t(descriptor), &info, WEXITED) < 0, errno == EINTR {}
  }
}
