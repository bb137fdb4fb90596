internal import COverline

/// Who listens at a Unix socket (`SO_PEERCRED` of unix(7)).
package enum OwnListener {
  /// The process of this user that listens at `path`; nil if none does, or if its queue is full.
  package static func pid(at path: String) -> Int32? {
    let pid = unsafe csystem_own_listener(path)
    return pid > 0 ? pid : nil
  }
}
