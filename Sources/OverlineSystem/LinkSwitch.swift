internal import COverline

/// Turns links on and off like `ip link set`, but without a new process: for benchmarks of the reaction time.
package struct LinkSwitch: ~Copyable, Sendable {
  private let socket: FileDescriptor

  /// Opens a switch for the links of the calling thread's network namespace, even if another thread uses it later.
  package init() throws(SystemError) {
    let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
    socket = FileDescriptor(owning: Int32(try checked("make a socket") { Int(Glibc.socket(AF_INET, kind, 0)) }))
  }

  /// `SIOCSIFFLAGS` of netdevice(7). Turning a link off removes its IPv4 routes. Turning it on does not restore them.
  package func set(_ link: String, up: Bool) throws(SystemError) {
    try checkedNegative("turn \(link) \(up ? "on" : "off")") {
      unsafe csystem_set_link_up(socket.rawValue, link, up ? 1 : 0)
    }
  }
}
