/// A failed system call: the attempt, and the reason why the kernel or Overline refused it.
package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The `errno` value.
  package let code: Int32
  /// The attempt, in words that fit after "cannot": `open /run/user/1000/overline/lock`.
  package let attempt: String
  /// Overline's reason; nil when the kernel refused.
  private let ownReason: String?

  /// - Parameter reason: replaces the code's text and contains advice.
  package init(code: Int32, attempt: String, reason: String? = nil) {
    self.code = code
    self.attempt = attempt
    ownReason = reason
  }

  /// The error in `errno`. Call this before other code can change `errno`.
  package static func current(_ attempt: String) -> SystemError {
    SystemError(code: errno, attempt: attempt)
  }

  package static func noSuchProcess(_ attempt: String) -> SystemError { SystemError(code: ESRCH, attempt: attempt) }

  /// `strerror(3)` of the code, or Overline's own reason.
  package var reason: String {
    unsafe ownReason ?? String(cString: strerror(code))
  }

  /// True if Overline refused. The reason then contains advice.
  package var isOwnRefusal: Bool { ownReason != nil }

  package var description: String {
    "cannot \(attempt): \(reason)"
  }

  package var isNoSuchFile: Bool { code == ENOENT }
  package var isFileExists: Bool { code == EEXIST }
  /// The process has ended, or the number is unused or belongs to a thread.
  package var isNoSuchProcess: Bool { code == ESRCH || code == EINVAL || code == ENOENT }
  /// A part of a path that should be a directory is a file.
  package var isNotADirectory: Bool { code == ENOTDIR }
  package var isCancelled: Bool { code == ECANCELED }
  package var isConnectionRefused: Bool { code == ECONNREFUSED }
  package var isConnectionAborted: Bool { code == ECONNABORTED }
  package var isWouldBlock: Bool { code == EAGAIN }
  package var isBrokenPipe: Bool { code == EPIPE || code == ECONNRESET }
  /// A file, or a program's output, exceeds the limit.
  package var isTooLarge: Bool { code == EFBIG }
  package var isNoSpace: Bool { code == ENOSPC || code == EDQUOT }
  package var isReadOnly: Bool { code == EROFS }
  package var isPermissionDenied: Bool { code == EACCES || code == EPERM }
  /// The process or the system has no descriptor or memory left. An immediate retry would fail again.
  package var isExhausted: Bool { code == EMFILE || code == ENFILE || code == ENOMEM || code == ENOBUFS }
}

/// Repeats a call that a signal interrupted, and turns -1 into an error.
@discardableResult
package func checked(_ attempt: @autoclosure () -> String, _ call: () -> Int) throws(SystemError) -> Int {
  while true {
    let result = call()
    if result >= 0 { return result }
    if errno != EINTR { throw .current(attempt()) }
  }
}

/// Like ``checked(_:_:)``, for the functions of COverline, which return `-errno`.
@discardableResult
package func checkedNegative(_ attempt: @autoclosure () -> String, _ call: () -> Int32) throws(SystemError) -> Int32 {
  while true {
    let result = call()
    if result >= 0 { return result }
    if result != -EINTR { throw SystemError(code: -result, attempt: attempt()) }
  }
}
