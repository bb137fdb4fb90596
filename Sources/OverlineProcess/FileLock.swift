package import OverlineSystem

/// An exclusive `flock(2)` on a file or a directory. The lock belongs to the open file: a child that inherits the descriptor keeps it.
package struct FileLock: ~Copyable, Sendable {
  package let descriptor: FileDescriptor

  /// Acquires the lock, or returns nil when another process holds it. With `waiting`, waits for the lock.
  package static func acquire(_ path: String, waiting: Bool = false) throws(SystemError) -> FileLock? {
    let raw = try checked("open \(path)") { Int(unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)) }
    let descriptor = FileDescriptor(owning: Int32(raw))
    do {
      try checked("lock \(path)") { Int(flock(Int32(raw), waiting ? LOCK_EX : LOCK_EX | LOCK_NB)) }
    } catch {
      guard error.isWouldBlock else { throw error }
      return nil
    }
    return FileLock(descriptor: descriptor)
  }

  /// Waits up to a second for the lock on a directory. A process that changes a file in the directory holds this lock, so that no lock file
  /// is needed. A process holds the lock only for a moment, unless it is stopped meanwhile.
  package static func acquire(directory path: String) throws(SystemError) -> FileLock {
    let raw = try checked("open \(path)") { Int(unsafe open(path, O_RDONLY | O_CLOEXEC)) }
    let descriptor = FileDescriptor(owning: Int32(raw))
    let deadline = BootClock.now + .seconds(1)
    while flock(Int32(raw), LOCK_EX | LOCK_NB) != 0, BootClock.now < deadline { usleep(1000) }
    try checked("lock \(path)") { Int(flock(Int32(raw), LOCK_EX | LOCK_NB)) }
    return FileLock(descriptor: descriptor)
  }

  /// The processes that hold the lock on a file, as far as this user may see them: the process that acquired the lock, and children that
  /// inherited it. The kernel's list of locks (`/proc/locks`) shows only the first process, even after that has ended.
  package static func holders(of path: String) -> [Int32] {
    guard let raw = try? checked("open \(path)", { Int(unsafe open(path, O_RDONLY | O_CLOEXEC)) }) else { return [] }
    let file = FileDescriptor(owning: Int32(raw))
    // The kernel's name of the file, with resolved links.
    guard let name = Files.linkTarget("/proc/self/fd/\(file.rawValue)") else { return [] }
    let processes = ((try? Files.names(in: "/proc")) ?? []).compactMap { Int32($0) }
    return processes.filter { process in
      let descriptors = (try? Files.names(in: "/proc/\(process)/fd")) ?? []
      return descriptors.contains { descriptor in
        guard Files.linkTarget("/proc/\(process)/fd/\(descriptor)") == name else { return false }
        // A process that only waits for the lock does not have this line (proc(5), fdinfo).
        let information = (try? Files.read("/proc/\(process)/fdinfo/\(descriptor)")) ?? []
        return information.split(separator: 0x0a).contains { $0.starts(with: "lock:".utf8) }
      }
    }
  }

  /// Whether the path still names the locked file. A lock on a removed file excludes no other process.
  package func isNamed(_ path: String) -> Bool {
    guard let named = try? Files.attributes(path), let locked = try? Files.attributes(of: descriptor, path) else {
      return false
    }
    return named.identity == locked.identity
  }

  /// Replaces the locked file's content, for processes that cannot acquire the lock.
  package func record(_ text: String) throws(SystemError) {
    try checked("write the lock file") { Int(ftruncate(descriptor.rawValue, 0)) }
    let bytes = Array(text.utf8)
    try checked("write the lock file") {
      unsafe bytes.withUnsafeBytes { unsafe pwrite(descriptor.rawValue, $0.baseAddress, $0.count, 0) }
    }
  }

  private init(descriptor: consuming FileDescriptor) {
    self.descriptor = descriptor
  }
}
