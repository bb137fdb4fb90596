internal import CSystem
internal import Glibc

/// Waits until something in a directory is made, moved or removed (inotify(7)), without polling.
public struct DirectoryWatch: ~Copyable, Sendable {
  private let descriptor: FileDescriptor

  public init(_ path: String) throws(SystemError) {
    descriptor = FileDescriptor(
      owning: try checkedNegative("watch \(path)") { unsafe csystem_watch_directory(path) })
  }

  /// Returns when something has changed since the watch was made or last waited on.
  public func wait() throws(SystemError) {
    _ = try descriptor.read(atMost: 4096)
  }
}
