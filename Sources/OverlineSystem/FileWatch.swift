internal import COverline

/// Reports when the files behind a few names change (inotify(7)). Causes no wakeups otherwise.
///
/// It watches the files themselves and the links that lead to them, also those to folders. Of their folders it notices only that one is moved:
/// other events in a busy folder are not reported. Only while a file is missing, it watches the file's folder (or the nearest existing folder) for new names. If that folder is a mount point,
/// it also watches the folder above. While a file is open, the kernel reports neither the unmounting of its file system nor the removal of
/// its folder. So a caller that keeps such a file open must watch again. A file that is written in place is reported when its writer closes
/// it, so that the caller does not read a part of it.
package struct FileWatch: ~Copyable, Sendable {
  private let descriptor: FileDescriptor
  private var watches: Set<Int32> = []

  /// The kernel's limit of links to follow (`MAXSYMLINKS`).
  private static let maximumDepth = 40

  package init() throws(SystemError) {
    descriptor = FileDescriptor(owning: try checkedNegative("watch files") { csystem_inotify_create() })
  }

  /// Readable when something has changed.
  package var rawValue: Int32 { descriptor.rawValue }

  /// From now on watches only these paths. Read the files after this call: later changes are reported. Throws the first error after it has
  /// tried all paths.
  package mutating func watch(_ paths: [String]) throws(SystemError) {
    var armed: Set<Int32> = []
    var failure: SystemError?
    // A file whose folder is moved away stays as it is. First, since the next lines may watch the same folder for more.
    for folder in Set(paths.map { Files.folder(of: $0) }) {
      if let watch = try? add(folder, Int32(CSYSTEM_WATCH_PLACE)) { armed.insert(watch) }
    }
    for path in paths {
      do throws(SystemError) { try arm(path, depth: Self.maximumDepth, into: &armed) } catch {
        failure = failure ?? error
      }
    }
    if let failure {
      // The earlier watches still exist.
      watches.formUnion(armed)
      throw failure
    }
    for watch in watches.subtracting(armed) { csystem_inotify_remove(descriptor.rawValue, watch) }
    watches = armed
  }

  /// Waits until a file has changed, or `timeout` passes. Throws `EPIPE` if the reader of `output` has closed it.
  ///
  /// - Parameter output: the descriptor to which the caller writes its results.
  package func wait(handingOnTo output: Int32, timeout: Duration?) throws(SystemError) {
    try waitUntilReadable(descriptor.rawValue, handingOnTo: output, timeout: timeout)
    try drain()
  }

  /// Discards pending events. Call ``watch(_:)`` again afterwards: a name may now lead to another file.
  package func drain() throws(SystemError) {
    switch Result(catching: { () throws(SystemError) in while try !descriptor.read().isEmpty {} }) {
    case .failure(let error) where !error.isWouldBlock: throw error
    case .failure, .success: break
    }
  }

  private func arm(_ path: String, depth: Int, into armed: inout Set<Int32>) throws(SystemError) {
    // This is a loop of links. Each link is watched.
    guard depth > 0 else { return }
    if let link = firstLink(above: path) { return try arm(path, by: link, depth: depth, into: &armed) }
    let isFile = (try? Files.attributes(path))?.isRegular == true
    let kind = isFile ? CSYSTEM_WATCH_FILE : CSYSTEM_WATCH_NAME
    switch Result(catching: { () throws(SystemError) in try add(path, Int32(kind)) }) {
    case .success(let watch):
      armed.insert(watch)
      // Read the link after watching it, so that no change is missed.
      guard !isFile, let target = target(of: path) else { return }
      try arm(target, depth: depth - 1, into: &armed)
    case .failure(let error) where error.leadsNowhere:
      try armFolder(of: path, depth: depth, into: &armed)
    case .failure(let error):
      throw error
    }
  }

  /// The first folder in a path that is a link; nil if none is.
  private func firstLink(above path: String) -> String? {
    var rest = path[...]
    while let slash = rest.dropFirst().firstIndex(of: "/") {
      let folder = String(path[..<slash])
      if Files.linkTarget(folder) != nil { return folder }
      rest = path[slash...]
    }
    return nil
  }

  /// Watches the link to a folder, and the path that leads through its target.
  private func arm(_ path: String, by link: String, depth: Int, into armed: inout Set<Int32>) throws(SystemError) {
    var next = path
    switch Result(catching: { () throws(SystemError) in try add(link, Int32(CSYSTEM_WATCH_NAME)) }) {
    case .success(let watch):
      armed.insert(watch)
      if let target = target(of: link) { next = target + path.dropFirst(link.count) }
    // The link has just been removed.
    case .failure(let error) where error.leadsNowhere: break
    case .failure(let error): throw error
    }
    try arm(next, depth: depth - 1, into: &armed)
  }

  private func target(of link: String) -> String? {
    Files.linkTarget(link).map { $0.hasPrefix("/") ? $0 : "\(Files.folder(of: link))/\($0)" }
  }

  /// Watches the nearest existing folder until the name appears.
  private func armFolder(of path: String, depth: Int, into armed: inout Set<Int32>) throws(SystemError) {
    var name = path
    while true {
      let folder = Files.folder(of: name)
      // `/` and `.` are their own folders.
      if folder == name { throw SystemError(code: ENOENT, attempt: "watch \(path)") }
      switch Result(catching: { () throws(SystemError) in try add(folder, Int32(CSYSTEM_WATCH_ENTRIES)) }) {
      case .success(let watch): armed.insert(watch)
      case .failure(let error) where error.leadsNowhere:
        name = folder
        continue
      case .failure(let error): throw error
      }
      if isMountPoint(folder), let above = try? add(Files.folder(of: folder), Int32(CSYSTEM_WATCH_ENTRIES)) {
        armed.insert(above)
      }
      // The name may have appeared before its folder was watched.
      if (try? Files.attributes(name)) != nil { try arm(path, depth: depth - 1, into: &armed) }
      return
    }
  }

  private func isMountPoint(_ folder: String) -> Bool {
    let devices = [folder, Files.folder(of: folder)].map { (try? Files.attributes($0))?.identity.device }
    return devices[0] != devices[1]
  }

  private func add(_ path: String, _ what: Int32) throws(SystemError) -> Int32 {
    try checkedNegative("watch \(path)") { unsafe csystem_inotify_add(descriptor.rawValue, path, what) }
  }
}

extension SystemError {
  /// True if the user's inotify instances or watches are used up. The end of another program may free some.
  package var isOutOfFileWatches: Bool { [EMFILE, ENFILE, ENOSPC, ENOMEM].contains(code) }

  /// The advice for ``isOutOfFileWatches``.
  package static var remedyForFileWatches: String {
    "close programs that watch files, or raise fs.inotify.max_user_instances with sysctl(8)"
  }

  /// True if a path leads to no file: a name in it is missing, is not a folder, or is too long.
  fileprivate var leadsNowhere: Bool { [ENOENT, ENOTDIR, ENAMETOOLONG].contains(code) }
}
