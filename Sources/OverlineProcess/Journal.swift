internal import OverlineSystem

/// systemd's journal, when it reads this process's output (systemd.exec(5), `$JOURNAL_STREAM`).
package enum Journal {
  /// Whether the journal reads what is written to this descriptor.
  package static func reads(_ descriptor: Int32) -> Bool {
    guard let stream = ProcessEnvironment["JOURNAL_STREAM"] else { return false }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return false }
    return stream == "\(status.st_dev):\(status.st_ino)"
  }
}
