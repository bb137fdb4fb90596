internal import CSystem
internal import Glibc

/// Waits until something is made in a directory or moved there (inotify(7)), without polling.
public struct DirectoryWatch: ~Copyable, Sendable {
  private let descriptor: FileDescriptor

  public init(_ path: String) throws(SystemError) {
    let attempt = "watch \(path)"
    let descriptor = FileDescriptor(owning: try checkedNegative(attempt) { csystem_inotify_create() })
    let number = descriptor.rawValue
    try checkedNegative(attempt) { unsafe csystem_inotify_add(number, path, Int32(CSYSTEM_WATCH_ENTRIES)) }
    self.descriptor = descriptor
  }

  /// Returns when something has changed since the watch was made or last waited on. Throws `EPIPE` when nobody reads `output` any more,
  /// which whoever waits is going to tell.
  public func wait(handingOnTo output: Int32) throws(SystemError) {
    try waitUntilReadable(descriptor.rawValue, handingOnTo: output)
    _ = try descriptor.read(atMost: 4096)
  }
}
