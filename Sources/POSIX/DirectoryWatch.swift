internal import CSystem
internal import Glibc

/// Waits until something in a directory is made, moved or removed (inotify(7)), without polling.
public struct DirectoryWatch: ~Copyable, Sendable {
  private let descriptor: FileDescriptor

  public init(_ path: String) throws(SystemError) {
    descriptor = FileDescriptor(
      owning: try checkedNegative("watch \(path)") { unsafe csystem_watch_directory(path) })
  }

  /// Returns when something has changed since the watch was made or last waited on. Throws `EPIPE` when nobody reads `output` any more,
  /// which whoever waits is going to tell.
  public func wait(handingOnTo output: Int32) throws(SystemError) {
    try waitUntilReadable(descriptor.rawValue, handingOnTo: output)
    _ = try descriptor.read(atMost: 4096)
  }
}
