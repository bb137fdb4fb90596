package import OverlineSystem

extension Files {
  /// The bytes of a file that controls this process. Throws if other users than this user and root can write the file.
  package static func readTrusted(_ path: String, limit: Int = 1 << 20) throws(SystemError) -> [UInt8] {
    try read(path, limit: limit) { file throws(SystemError) in try check(file, "read \(path)", path) }
  }

  /// The same path from the root: it stays valid when this process changes its working directory.
  package static func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    return linkTarget("/proc/self/cwd").map { "\($0)/\(path)" } ?? path
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
  /// - Parameter line: the line with its line feed; empty to try only whether the file can be opened.
  /// - Throws: also if only a part fitted on the disk, which this then removes, for a link, and for a file that other users than this user
  ///   and root can write.
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
    let bytes = last == 0x0a || line.isEmpty ? line : [0x0a] + line
    do throws(SystemError) {
      // Do not retry: a full disk is still full a moment later. All but the line feed may have fitted, and the caller writes the line again.
      if try file.write(bytes[...]) < bytes.count {
        ftruncate(file.rawValue, status.st_size)
        throw SystemError(code: ENOSPC, attempt: "write")
      }
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
