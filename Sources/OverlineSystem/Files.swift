/// Small files as a whole.
package enum Files {
  /// The bytes of a file of at most `limit` bytes; a longer one throws `EFBIG`.
  ///
  /// - Parameter check: throws if the open file must not be read.
  package static func read(
    _ path: String, limit: Int = 1 << 20,
    checking check: (borrowing FileDescriptor) throws(SystemError) -> Void = { _ throws(SystemError) in }
  ) throws(SystemError) -> [UInt8] {
    // Non-blocking: a named pipe under this name must not block us.
    let raw = try checked("read \(path)") { Int(unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)) }
    let descriptor = FileDescriptor(owning: Int32(raw))
    try check(descriptor)
    var bytes: [UInt8] = []
    while true {
      let more: [UInt8]
      do { more = try descriptor.read() } catch { throw SystemError(code: error.code, attempt: "read \(path)") }
      if more.isEmpty { return bytes }
      bytes += more
      if bytes.count > limit { throw SystemError(code: EFBIG, attempt: "read \(path)") }
    }
  }

  package static func exists(_ path: String) -> Bool {
    unsafe access(path, F_OK) == 0
  }

  /// The target of a symbolic link, or nil.
  package static func linkTarget(_ path: String) -> String? {
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
      let length = unsafe buffer.withMemoryRebound(to: CChar.self) {
        unsafe readlink(path, $0.baseAddress!, 4096)
      }
      count = max(0, length)
    }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  /// The folder that contains a path's last name.
  package static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The attributes of a file from `stat(2)`.
  package struct Attributes: Sendable, Equatable {
    package var owner: UInt32
    package var group: UInt32
    /// Permission bits, such as 0o700.
    package var permissions: UInt32
    /// The file type in words: "a named pipe".
    package var kind: String
    package var isDirectory: Bool
    package var isSocket: Bool
    package var isRegular: Bool
    /// True for a character device: it stores no content of other users.
    package var isDevice: Bool
    /// True for `/dev/null` and similar devices, which are the same for all users.
    package var isMemoryDevice: Bool
    /// Device and inode. Another file of the same name has others, as long as this one is open.
    package var identity: Identity
    /// The time of the last change of the content or the last touch, since 1970.
    package var changed: Duration

    package struct Identity: Equatable, Sendable {
      var device: UInt
      var inode: UInt
    }

    fileprivate init(_ status: stat) {
      identity = Identity(device: UInt(status.st_dev), inode: UInt(status.st_ino))
      let kind = status.st_mode & S_IFMT
      owner = status.st_uid
      group = status.st_gid
      permissions = status.st_mode & 0o7777
      self.kind =
        switch kind {
        case S_IFDIR: "a directory"
        case S_IFSOCK: "a socket"
        case S_IFLNK: "a symbolic link"
        case S_IFIFO: "a named pipe"
        case S_IFCHR, S_IFBLK: "a device"
        default: "a file"
        }
      isDirectory = kind == S_IFDIR
      isSocket = kind == S_IFSOCK
      isRegular = kind == S_IFREG
      isDevice = kind == S_IFCHR
      // Major number 1 (the kernel's devices.txt); the minor number occupies the lowest byte.
      isMemoryDevice = isDevice && status.st_rdev >> 8 == 1
      changed = .seconds(status.st_mtim.tv_sec) + .nanoseconds(status.st_mtim.tv_nsec)
    }
  }

  /// The attributes of the file with this name. For a link, those of the link itself (`lstat(2)`).
  package static func attributes(_ path: String) throws(SystemError) -> Attributes {
    var status = stat()
    try checked("look at \(path)") { Int(unsafe lstat(path, &status)) }
    return Attributes(status)
  }

  /// The attributes of an open file, even if its name now belongs to another file.
  package static func attributes(of file: borrowing FileDescriptor, _ path: String) throws(SystemError) -> Attributes {
    var status = stat()
    let raw = file.rawValue
    try checked("look at \(path)") { Int(unsafe fstat(raw, &status)) }
    return Attributes(status)
  }
}
