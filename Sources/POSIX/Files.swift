internal import Glibc

/// Whole small files.
public enum Files {
  /// The bytes of a file of at most `limit` bytes; a longer one throws `EFBIG`.
  public static func read(_ path: String, limit: Int = 1 << 20) throws(SystemError) -> [UInt8] {
    // Non-blocking: a pipe that someone left under this name must not hold us.
    let raw = try checked("read \(path)") { Int(unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)) }
    let descriptor = FileDescriptor(owning: Int32(raw))
    var bytes: [UInt8] = []
    while true {
      let more: [UInt8]
      do { more = try descriptor.read() } catch { throw SystemError(code: error.code, attempt: "read \(path)") }
      if more.isEmpty { return bytes }
      bytes += more
      if bytes.count > limit { throw SystemError(code: EFBIG, attempt: "read \(path)") }
    }
  }

  /// Replaces a file as a whole: readers see the old or the new one, never half. Mode 0600.
  public static func replace(_ path: String, with bytes: [UInt8]) throws(SystemError) {
    let temporary = "\(path).\(getpid())"
    do {
      let raw = try checked("write \(path)") {
        Int(unsafe open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600))
      }
      try FileDescriptor(owning: Int32(raw)).writeAll(bytes)
      try checked("write \(path)") { Int(unsafe rename(temporary, path)) }
    } catch {
      unsafe unlink(temporary)
      throw SystemError(code: error.code, attempt: "write \(path)")
    }
  }

  /// Makes a file that is not there yet, for its owner only, and opens it for writing. Whatever has the name already, also a link that
  /// leads nowhere, is left alone and an error.
  public static func create(_ path: String) throws(SystemError) -> FileDescriptor {
    FileDescriptor(
      owning: Int32(
        try checked("make \(path)") { Int(unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)) }))
  }

  /// Removes a file; one that is not there is fine.
  public static func remove(_ path: String) throws(SystemError) {
    do { try checked("remove \(path)") { Int(unsafe unlink(path)) } } catch { if !error.isNoSuchFile { throw error } }
  }

  public static func exists(_ path: String) -> Bool {
    unsafe access(path, F_OK) == 0
  }

  /// The names in a directory, without `.` and `..`, in no order.
  public static func names(in path: String) throws(SystemError) -> [String] {
    guard let directory = unsafe opendir(path) else { throw .current("list \(path)") }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  /// The target of a symbolic link, or nil.
  public static func linkTarget(_ path: String) -> String? {
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
      let length = unsafe buffer.withMemoryRebound(to: CChar.self) {
        unsafe readlink(path, $0.baseAddress!, 4096)
      }
      count = max(0, length)
    }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  /// What `lstat(2)` says of a path: links are not followed.
  public struct Attributes: Sendable, Equatable {
    public var owner: UInt32
    /// Permission bits, such as 0o700.
    public var permissions: UInt32
    public var isDirectory: Bool
    public var isSocket: Bool
    public var isRegular: Bool
    public var isLink: Bool
    /// When its content was changed last, or ``touch(_:)`` was called; since 1970.
    public var changed: Duration
  }

  public static func attributes(_ path: String) throws(SystemError) -> Attributes {
    var status = stat()
    try checked("look at \(path)") { Int(unsafe lstat(path, &status)) }
    return Attributes(
      owner: status.st_uid, permissions: status.st_mode & 0o7777,
      isDirectory: status.st_mode & S_IFMT == S_IFDIR, isSocket: status.st_mode & S_IFMT == S_IFSOCK,
      isRegular: status.st_mode & S_IFMT == S_IFREG, isLink: status.st_mode & S_IFMT == S_IFLNK,
      changed: .seconds(status.st_mtim.tv_sec) + .nanoseconds(status.st_mtim.tv_nsec))
  }

  /// Notes that a file was used just now (`utimensat(2)`); one that is not there is fine.
  public static func touch(_ path: String) {
    _ = unsafe utimensat(AT_FDCWD, path, nil, AT_SYMLINK_NOFOLLOW)
  }

  /// Makes a directory for its owner only; one that is there already is fine.
  public static func makePrivateDirectory(_ path: String) throws(SystemError) {
    do { try checked("make the directory \(path)") { Int(unsafe mkdir(path, 0o700)) } } catch {
      if error.code != EEXIST { throw error }
    }
  }
}
