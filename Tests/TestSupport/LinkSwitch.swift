internal import COverline
package import OverlineSystem

/// Turns links on and off like `ip link set`, but without a new process: for benchmarks of the reaction time.
package struct LinkSwitch: ~Copyable, Sendable {
  private let descriptor: FileDescriptor

  /// Opens a switch for the links of the calling thread's network namespace, even if another thread uses it later.
  package init() throws(SystemError) {
    let opened = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard opened >= 0 else { throw SystemError(code: errno, attempt: "make a socket") }
    descriptor = FileDescriptor(owning: opened)
  }

  /// `SIOCSIFFLAGS` of netdevice(7). Turning a link off removes its IPv4 routes. Turning it on does not restore them.
  package func set(_ link: String, up: Bool) throws(SystemError) {
    let result = unsafe csystem_set_link_up(descriptor.rawValue, link, up ? 1 : 0)
    guard result >= 0 else { throw SystemError(code: -result, attempt: "turn \(link) \(up ? "on" : "off")") }
  }
}
