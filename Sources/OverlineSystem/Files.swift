/// Reads and writes small files as a whole.
package enum Files {
  /// The folder that contains a path's last name.
  package static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The same path from the root: it stays valid when this process changes its working directory.
  package static func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    return linkTarget("/proc/self/cwd").map { "\($0)/\(path)" } ?? path
  }

  /// The bytes of a file of at most `limit` bytes; a longer one throws `EFBIG`.
  ///
  /// - Parameter isTrusted: true for a file that controls this process. Then this throws if other users than this user and root can write
  ///   the file.
  package static func read(_ path: String, limit: Int = 1 << 20, isTrusted: Bool = false) throws(SystemError) -> [UInt8]
  {
    // Non-blocking: a named pipe under this name must not block us.
    let raw = try checked("read \(path)") { Int(unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)) }
    let descriptor = FileDescriptor(owning: Int32(raw))
    if isTrusted { try check(descriptor, "read \(path)", path) }
    var bytes: [UInt8] = []
    while true {
      let more: [UInt8]
      do { more = try descriptor.read() } catch { throw SystemError(code: error.code, attempt: "read \(path)") }
      if more.isEmpty { return bytes }
      bytes += more
      if bytes.count > limit { throw SystemError(code: EFBIG, attempt: "read \(path)") }
    }
  }

  /// Replaces a file as a whole: readers see the old or the new file, never a part.
  ///
  /// - Parameters:
  ///   - permissions: set exactly, regardless of umask(2).
  ///   - temporary: a name in the same folder that no other process writes to at the same time; nil for a name with this process's pid. An
  ///     existing file of that name, such as a killed writer's, is removed.
  package static func replace(
    _ path: String, with bytes: [UInt8], permissions: UInt32 = 0o600, through temporary: String? = nil
  ) throws(SystemError) {
    let temporary = temporary ?? "\(path).\(getpid())"
    do {
      // Always create a new file: an existing pipe would block this process, and a link would lead elsewhere.
      try remove(temporary)
      let file = try create(temporary)
      try file.writeAll(bytes)
      if permissions != 0o600 { try checked("write \(path)") { Int(fchmod(file.rawValue, permissions)) } }
      try checked("write \(path)") { Int(unsafe rename(temporary, path)) }
    } catch {
      unsafe unlink(temporary)
      throw SystemError(code: error.code, attempt: "write \(path)")
    }
  }

  /// Appends a line to a file with one `write(2)`, so that a killed writer leaves at most the beginning of its line. This first ends such a
  /// partial line, so that it is not joined to the new one.
  ///
  /// - Parameter line: the line with its line feed.
  /// - Throws: also if only a part fitted on the disk, for a link, and for a file that other users than this user and root can write.
  package static func append(_ line: [UInt8], to path: String) throws(SystemError) {
    // Non-blocking: a named pipe under this name must not block us.
    let flags = O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW
    let file = FileDescriptor(
      owning: Int32(try checked("write \(path)") { Int(unsafe open(path, flags, 0o600)) }))
    try check(file, "write \(path)", path)
    var status = stat()
    try checked("look at \(path)") { Int(unsafe fstat(file.rawValue, &status)) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw SystemError(code: EINVAL, attempt: "write \(path)") }
    var last: UInt8 = 0x0a
    if status.st_size > 0 {
      try checked("read \(path)") { unsafe pread(file.rawValue, &last, 1, status.st_size - 1) }
    }
    let bytes = last == 0x0a ? line : [0x0a] + line
    do throws(SystemError) {
      // Do not retry: a full disk is still full a moment later.
      if try file.write(bytes[...]) < bytes.count { throw SystemError(code: ENOSPC, attempt: "write") }
    } catch { throw SystemError(code: error.code, attempt: "write \(path)") }
  }

  /// The number of line feeds in a file, read piece by piece; 0 for a missing file.
  package static func countLines(_ path: String) throws(SystemError) -> Int {
    let raw: Int
    do throws(SystemError) {
      raw = try checked("read \(path)") { Int(unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)) }
    } catch {
      if error.isNoSuchFile { return 0 }
      throw error
    }
    let file = FileDescriptor(owning: Int32(raw))
    var count = 0
    while true {
      let bytes = try file.read()
      if bytes.isEmpty { return count }
      count += bytes.count { $0 == 0x0a }
    }
  }

  /// Makes a directory and its missing parents, accessible only to their owner.
  package static func makePrivateDirectories(_ path: String) throws(SystemError) {
    do throws(SystemError) {
      try makePrivateDirectory(path)
    } catch {
      guard error.isNoSuchFile, let slash = path.lastIndex(of: "/"), slash != path.startIndex else { throw error }
      try makePrivateDirectories(String(path[..<slash]))
      try makePrivateDirectory(path)
    }
  }

  /// Creates a file that is accessible only to its owner, and opens it for writing. If the file exists, even as a link that leads nowhere,
  /// this throws and leaves it unchanged.
  package static func create(_ path: String) throws(SystemError) -> FileDescriptor {
    FileDescriptor(
      owning: Int32(
        try checked("make \(path)") { Int(unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)) }))
  }

  /// Throws unless this process can create a file in the folder and write to it. Leaves no file.
  package static func checkWriting(in folder: String) throws(SystemError) {
    let path = "\(folder)/.overline.\(getpid())"
    do throws(SystemError) {
      // A killed process of the same pid may have left its file.
      try remove(path)
      let file = try create(path)
      // On a full disk a file can be created, but not written.
      try file.writeAll([0x0a])
      try remove(path)
    } catch {
      unsafe unlink(path)
      throw SystemError(code: error.code, attempt: "write in \(folder)")
    }
  }

  /// Throws unless this process can replace the file with ``replace(_:with:permissions:through:)``. Leaves no file.
  package static func checkReplacing(_ path: String) throws(SystemError) {
    let folder = folder(of: path)
    try checkWriting(in: folder)
    guard let old = try? attributes(path) else { return }
    if old.isDirectory { throw SystemError(code: EISDIR, attempt: "write \(path)") }
    // In a folder with the sticky bit, another user's file stays (unlink(2)).
    let around = try attributes(folder + "/")
    let user = ProcessEnvironment.userID
    if around.permissions & UInt32(S_ISVTX) != 0, ![old.owner, around.owner, 0].contains(user) {
      throw SystemError(code: EPERM, attempt: "replace \(path)")
    }
  }

  /// Removes a file. A missing file is not an error.
  package static func remove(_ path: String) throws(SystemError) {
    do { try checked("remove \(path)") { Int(unsafe unlink(path)) } } catch { if !error.isNoSuchFile { throw error } }
  }

  package static func exists(_ path: String) -> Bool {
    unsafe access(path, F_OK) == 0
  }

  /// Whether this process could execute the file.
  package static func isExecutable(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }

  /// The first line of a text, up to 255 bytes; nil if the file cannot be read.
  package static func firstLine(of path: String) -> String? {
    guard let bytes = try? FileDescriptor(reading: path).read() else { return nil }
    return bytes.prefix(255).split(separator: 0x0a, omittingEmptySubsequences: false).first.map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// The names in a directory, without `.` and `..`, in no order.
  package static func names(in path: String) throws(SystemError) -> [String] {
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
  package static func linkTarget(_ path: String) -> String? {
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
      let length = unsafe buffer.withMemoryRebound(to: CChar.self) {
        unsafe readlink(path, $0.baseAddress!, 4096)
      }
      count = max(0, length)
    }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
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
    package var isLink: Bool
    /// True for a character device: it stores no content of other users.
    package var isDevice: Bool
    /// True for `/dev/null` and similar devices, which are the same for all users.
    package var isMemoryDevice: Bool
    /// Identifies the file behind the name while a process has it open. Another file of the same name has another identity.
    package var identity: Identity
    /// The time of the last change of the content or the last ``touch(_:)``, since 1970.
    package var changed: Duration

    package struct Identity: Hashable, Sendable {
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
      isLink = kind == S_IFLNK
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
  static func attributes(of file: borrowing FileDescriptor, _ path: String) throws(SystemError) -> Attributes {
    var status = stat()
    let raw = file.rawValue
    try checked("look at \(path)") { Int(unsafe fstat(raw, &status)) }
    return Attributes(status)
  }

  /// Sets a file's times to now (`utimensat(2)`). A missing file is not an error.
  package static func touch(_ path: String) {
    _ = unsafe utimensat(AT_FDCWD, path, nil, AT_SYMLINK_NOFOLLOW)
  }

  /// Makes a directory that is accessible only to its owner. An existing directory is not an error.
  package static func makePrivateDirectory(_ path: String) throws(SystemError) {
    do { try checked("make the directory \(path)") { Int(unsafe mkdir(path, 0o700)) } } catch {
      if error.code != EEXIST { throw error }
    }
  }
}
