internal import COverlineNetlink
internal import OverlineSystem

/// A netlink operation that failed: what was attempted, and the kernel's errno.
package struct NetlinkError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The `errno` value.
  package let code: Int32
  /// The attempt, in words that fit after "cannot".
  package let attempt: String

  package init(code: Int32, attempt: String) {
    self.code = code
    self.attempt = attempt
  }

  /// After a libnl function failed: takes `errno`, which the caller set to 0 before, or `EIO` if it still is 0. The function's own result
  /// is less precise.
  static func ofLibnl(_ attempt: String) -> NetlinkError {
    NetlinkError(code: errno != 0 ? errno : EIO, attempt: attempt)
  }

  /// The kernel did not take a socket filter.
  package static func refusedFilter(_ code: Int32) -> NetlinkError {
    NetlinkError(code: code, attempt: "attach a socket filter")
  }

  package var description: String {
    "cannot \(attempt): \(unsafe String(cString: strerror(code)))"
  }
}
