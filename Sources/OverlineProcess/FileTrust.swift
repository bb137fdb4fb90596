package import OverlineSystem

/// Ownership checks of files that control this process. A user with write access to a hook or a tmux server's socket can make this process
/// run any program.
extension Files {
  /// Throws unless only this user and root can replace files in the folder: one of them owns it, and no other user can write it. A folder
  /// with the sticky bit, such as `/tmp`, also passes, since others cannot replace our files there.
  package static func checkFolder(_ path: String) throws(SystemError) {
    let attempt = "use the folder \(path)"
    let attributes = try attributes(path)
    guard attributes.isDirectory else {
      throw SystemError(
        code: ENOTDIR, attempt: attempt, reason: "it is not a folder; symbolic links are not followed here")
    }
    try attributes.checkOwner(attempt, path)
    if attributes.permissions & UInt32(S_ISVTX) == 0 { try attributes.checkWriters(attempt, path) }
  }

  /// Throws unless the path is a socket of this user, in a folder that passes ``checkFolder(_:)``: the listener then runs as this user.
  package static func checkSocket(_ path: String) throws(SystemError) {
    let attempt = "use the socket \(path)"
    let attributes = try attributes(path)
    guard attributes.isSocket else {
      throw SystemError(
        code: ENOTSOCK, attempt: attempt, reason: "it is not a socket; symbolic links are not followed here")
    }
    let user = ProcessEnvironment.userID
    guard attributes.owner == user else {
      throw SystemError(
        code: EPERM, attempt: attempt, reason: "it belongs to user \(attributes.owner), not to you (\(user))")
    }
    let folder = folder(of: path)
    do throws(SystemError) {
      try checkFolder(folder)
    } catch {
      throw SystemError(code: error.code, attempt: attempt, reason: "its folder \(folder) is not safe: \(error.reason)")
    }
  }

  /// A part of a path below this user's own folders that belongs to another user. A program that ran as root with this user's `HOME` leaves
  /// such files.
  package struct ForeignPart: Sendable, CustomStringConvertible {
    /// `/home/me/.local/state/overline belongs to user 0, not to you (1000)`
    package let fault: String
    /// `run: sudo chown -R 1000:1000 '/home/me/.local/state/overline'`
    package let remedy: String

    package var description: String { "\(fault); \(remedy)" }
  }

  /// Nil if there is no such part, and for root, whom no owner stops.
  package static func foreignPart(of path: String) -> ForeignPart? {
    let user = ProcessEnvironment.userID
    if user == 0 { return nil }
    var isBelowOwn = false
    for end in path.indices.dropFirst().filter({ path[$0] == "/" }) + [path.endIndex] {
      let part = String(path[..<end])
      guard let owner = try? attributes(part).owner else { return nil }
      if isBelowOwn, owner != user {
        return ForeignPart(
          fault: "\(part) belongs to user \(owner), not to you (\(user))",
          remedy: "run: sudo chown -R \(user):\(getgid()) \(quoted(part))")
      }
      isBelowOwn = owner == user
    }
    return nil
  }

  /// The path as a word for a shell.
  package static func quoted(_ path: String) -> String {
    "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }

  /// Throws unless an open file belongs to this user or root, and no other user can write it.
  static func check(_ file: borrowing FileDescriptor, _ attempt: String, _ path: String) throws(SystemError) {
    let attributes = try attributes(of: file, path)
    // In a user namespace the device's owner, root, appears as the overflow user ID (user_namespaces(7)).
    if attributes.isMemoryDevice { return }
    try attributes.checkOwner(attempt, path)
    if !attributes.isDevice { try attributes.checkWriters(attempt, path) }
  }
}

extension Files.Attributes {
  fileprivate func checkOwner(_ attempt: String, _ path: String) throws(SystemError) {
    let user = ProcessEnvironment.userID
    if owner == user || owner == 0 { return }
    throw SystemError(
      code: EPERM, attempt: attempt,
      reason:
        "it belongs to user \(owner), not to you (\(user)); make it yours, or after su or sudo log in fully (su -, sudo -i)"
    )
  }

  /// Accepts group write access for root's group and for this user's own group. On systems with a group for each user, such as Debian and
  /// Fedora, new files are group-writable.
  fileprivate func checkWriters(_ attempt: String, _ path: String) throws(SystemError) {
    if permissions & 0o022 == 0 { return }
    if permissions & 0o002 == 0, group == 0 || UserDatabase.isOwnGroup(group) { return }
    throw SystemError(
      code: EPERM, attempt: attempt,
      reason:
        "it can be written by other users (mode \(String(permissions, radix: 8))); run: chmod go-w \(Files.quoted(path))"
    )
  }
}
