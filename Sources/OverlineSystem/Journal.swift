internal import Glibc

/// The journal of systemd, when it reads what this process prints (systemd.exec(5), `$JOURNAL_STREAM`).
package enum Journal {
  /// Whether what is written to this descriptor goes there.
  package static func reads(_ descriptor: Int32) -> Bool {
    guard let stream = ProcessEnvironment["JOURNAL_STREAM"] else { return false }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return false }
    return stream == "\(status.st_dev):\(status.st_ino)"
  }
}
