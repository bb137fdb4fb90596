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

  /// After a libnl function failed: takes `errno`, or `EIO` if it is 0. libnl's own code, `result`, is less precise and is not used.
  init(libnl result: Int32, attempt: String) {
    self.init(code: errno != 0 ? errno : EIO, attempt: attempt)
  }

  package var description: String {
    "cannot \(attempt): \(unsafe String(cString: strerror(code)))"
  }
}
