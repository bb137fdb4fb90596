internal import COverline
internal import Glibc

/// Tells that what is behind the names of a few files has changed (inotify(7)). Wakes nobody before.
///
/// The files themselves are watched, and the links that lead to them, not the folders they are in: what else happens in a busy
/// folder is not told. Only while a file is missing, its folder (or the nearest one there is) is watched for new names. If that folder is a
/// mount point, so is the folder above: the kernel reports nothing of a file system that is unmounted while one of its files is open, and
/// nothing of a folder that is removed while one is; a caller that keeps such a file open watches again. A file that is written in place is
/// told when its writer closes it, so nobody reads half of it.
package struct FileWatch: ~Copyable, Sendable {
  private let descriptor: FileDescriptor
  private var watches: Set<Int32> = []

  /// As deep as the kernel follows links (`MAXSYMLINKS`).
  private static let deepest = 40

  package init() throws(SystemError) {
    descriptor = FileDescriptor(owning: try checkedNegative("watch files") { csystem_inotify_create() })
  }

  /// Readable when something has changed.
  package var rawValue: Int32 { descriptor.rawValue }

  /// Watches these paths and no others from now on. Read the files after this: a change from here on is told.
  package mutating func watch(_ paths: [String]) throws(SystemError) {
    var armed: Set<Int32> = []
    do throws(SystemError) {
      for path in paths { try arm(path, depth: Self.deepest, into: &armed) }
    } catch {
      // What was watched before still is.
      watches.formUnion(armed)
      throw error
    }
    for watch in watches.subtracting(armed) { csystem_inotify_remove(descriptor.rawValue, watch) }
    watches = armed
  }

  /// Waits until something has changed. Throws `EPIPE` when the reader of `output` has closed it.
  ///
  /// - Parameter output: where the caller writes what it waits for.
  package func wait(handingOnTo output: Int32) throws(SystemError) {
    try waitUntilReadable(descriptor.rawValue, handingOnTo: output)
    try drain()
  }

  /// Forgets what has been told. Call ``watch(_:)`` again afterwards: a name may now stand for another file.
  package func drain() throws(SystemError) {
    switch Result(catching: { () throws(SystemError) in while try !descriptor.read().isEmpty {} }) {
    case .failure(let error) where !error.isWouldBlock: throw error
    case .failure, .success: break
    }
  }

  private func arm(_ path: String, depth: Int, into armed: inout Set<Int32>) throws(SystemError) {
    // Links that lead to each other: each of them is watched.
    guard depth > 0 else { return }
    let isFile = (try? Files.attributes(path))?.isRegular == true
    let kind = isFile ? CSYSTEM_WATCH_FILE : CSYSTEM_WATCH_NAME
    switch Result(catching: { () throws(SystemError) in try add(path, Int32(kind)) }) {
    case .success(let watch):
      armed.insert(watch)
      // Read after it is watched.
      guard !isFile, let target = Files.linkTarget(path) else { return }
      try arm(target.hasPrefix("/") ? target : "\(Files.folder(of: path))/\(target)", depth: depth - 1, into: &armed)
    case .failure(let error) where error.leadsNowhere:
      try armFolder(of: path, depth: depth, into: &armed)
    case .failure(let error):
      throw error
    }
  }

  /// Waits for a name to appear, in the nearest folder there is.
  private func armFolder(of path: String, depth: Int, into armed: inout Set<Int32>) throws(SystemError) {
    var name = path
    while true {
      let folder = Files.folder(of: name)
      // An empty name has no folder but the one we are in.
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
      // It may have appeared before its folder was watched.
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
  /// Whether files cannot be watched because the user's inotify instances or watches are used up: another program's end may free some.
  package var isOutOfFileWatches: Bool { [EMFILE, ENFILE, ENOSPC, ENOMEM].contains(code) }

  /// What a user can do about that.
  package static var remedyForFileWatches: String {
    "close programs that watch files, or raise fs.inotify.max_user_instances with sysctl(8)"
  }

  /// A path with nothing behind it, by a name that is missing, is no folder's, or is none.
  fileprivate var leadsNowhere: Bool { [ENOENT, ENOTDIR, ENAMETOOLONG].contains(code) }
}
