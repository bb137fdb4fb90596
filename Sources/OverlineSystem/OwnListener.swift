internal import COverline

/// The process that listens at a Unix socket. The kernel names it (`SO_PEERCRED` of unix(7)). The sockets of the program are in a module that
/// the library does not carry.
package enum OwnListener {
  /// The process of this user that listens at `path`; nil if none does, or if its queue is full.
  package static func pid(at path: String) -> Int32? {
    let pid = unsafe csystem_own_listener(path)
    return pid > 0 ? pid : nil
  }
}
