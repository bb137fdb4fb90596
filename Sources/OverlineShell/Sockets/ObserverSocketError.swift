internal import OverlineSystem

/// A failure between a monitor and its observers: a stable code, and a sentence with a remedy.
package struct ObserverSocketError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Code: String, Equatable, Sendable, CaseIterable {
    /// No monitor listens at the socket (a command exits with 69).
    case noMonitor = "no-monitor"
    /// A monitor runs already.
    case alreadyRunning = "already-running"
    /// The other side refuses this client: it belongs to another user, or has too many clients.
    case refused
    /// The other side did not answer in time.
    case timeout
    /// The other side sent a message that is not of this protocol.
    case badAnswer = "bad-answer"
    /// There is no directory for sockets, or it is unsafe to use.
    case badDirectory = "bad-directory"
    /// A socket's path is longer than the kernel allows.
    case pathTooLong = "path-too-long"
    /// A file cannot be written: no space, read-only, no permission.
    case cannotWrite = "cannot-write"
    case system
  }

  package let code: Code
  package let message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// A failed system call, with a remedy.
  init(_ error: SystemError, code: Code = .system, remedy: String? = nil) {
    self.init(code, "\(error)" + (remedy.map { "; \($0)" } ?? ""))
  }

  package var description: String { message }
}
