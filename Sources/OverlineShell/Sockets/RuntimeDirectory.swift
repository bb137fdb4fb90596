internal import OverlineProcess
internal import OverlineSystem

/// The directory with the sockets: `$XDG_RUNTIME_DIR/overline`, accessible only to its owner (XDG Base Directory Specification 0.8). It is
/// never a directory that other users can write, such as `/tmp`: a directory's owner decides which process answers.
package struct RuntimeDirectory: Equatable, Sendable {
  package let path: String

  /// The monitor's socket.
  package var socket: String { "\(path)/monitor.sock" }
  /// The socket of one window, for the programs in it.
  package func windowSocket(of process: Int32) -> String { "\(path)/\(Self.windowSocketName(of: process))" }
  /// The sockets of windows, sorted by their last input, newest first. A killed window may have left its socket.
  package var windowSockets: [String] {
    let names = ((try? Files.names(in: path)) ?? []).filter { Self.process(ofWindowSocket: $0) != nil }
    let sockets = names.compactMap { name in
      (try? Files.attributes("\(path)/\(name)")).map { (path: "\(path)/\(name)", used: $0.changed) }
    }
    return sockets.sorted { $0.used > $1.used }.map(\.path)
  }
  /// Removes a window's socket if the process in its name has ended. A missing listener is not enough: the window may just be starting.
  package func removeWindowSocket(_ socket: String) {
    guard let name = socket.split(separator: "/").last, let process = Self.process(ofWindowSocket: String(name)),
      ProcessEnvironment.startTime(of: process) == nil
    else { return }
    try? Files.remove(socket)
  }
  private static func windowSocketName(of process: Int32) -> String { "window-\(process).sock" }
  /// The process in the name of a window's socket; nil for any other name.
  private static func process(ofWindowSocket name: String) -> Int32? {
    Int32(name.filter(\.isNumber)).flatMap { windowSocketName(of: $0) == name ? $0 : nil }
  }
  /// The lock file. A monitor holds the lock while it runs. The file is never removed, since a lock on a removed file excludes no other
  /// monitor.
  package var lock: String { "\(path)/lock" }
  /// The state as environment variables, for prompts that must not fork.
  package var state: String { "\(path)/state" }

  /// The directory at `path`.
  package init(path: String) {
    self.path = path
  }

  /// Returns the directory of this user, without creating it.
  ///
  /// Uses `XDG_RUNTIME_DIR` if it is an absolute path (the specification ignores others). Otherwise uses `/run/user/UID` if this user owns
  /// it, or throws an error.
  package static func locate() throws(ObserverSocketError) -> RuntimeDirectory {
    try locate(xdgRuntimeDirectory: ProcessEnvironment["XDG_RUNTIME_DIR"], userDirectories: "/run/user")
  }

  static func locate(
    xdgRuntimeDirectory: String?, userDirectories: String
  ) throws(ObserverSocketError) -> RuntimeDirectory {
    let user = ProcessEnvironment.userID
    if let base = xdgRuntimeDirectory, base.hasPrefix("/") {
      try checkBase(base, user: user, named: "XDG_RUNTIME_DIR (\(base))")
      return RuntimeDirectory(path: joined(base))
    }
    let base = "\(userDirectories)/\(user)"
    guard let attributes = try? Files.attributes(base), attributes.isDirectory, attributes.owner == user else {
      let fault =
        xdgRuntimeDirectory.map { $0.isEmpty ? "is empty" : "(\($0)) is not an absolute path" } ?? "is not set"
      throw ObserverSocketError(
        .badDirectory,
        "XDG_RUNTIME_DIR \(fault) and \(base) is not a directory of yours; set XDG_RUNTIME_DIR to a directory that only you can enter, for instance: mkdir -m 700 ~/.run; export XDG_RUNTIME_DIR=~/.run"
      )
    }
    return RuntimeDirectory(path: joined(base))
  }

  /// Creates the directory if it is missing, and checks that it is safe: this user owns it, its mode is 0700, it is not a symbolic link,
  /// and its socket's path is short enough.
  ///
  /// - Parameter named: the socket's path, if the user has named one in this directory.
  package func prepare(for named: String? = nil) throws(ObserverSocketError) {
    try checkSocketPath(named ?? socket)
    let elsewhere =
      named == nil
      ? "set XDG_RUNTIME_DIR to a directory of your own"
      : "name a socket in a directory that only you can enter, for instance after: mkdir -m 700 ~/.run"
    do {
      try Files.makePrivateDirectory(path)
    } catch {
      throw ObserverSocketError(
        error, code: .badDirectory, remedy: error.isNoSpace ? "free some space there" : elsewhere)
    }
    let attributes: Files.Attributes
    do {
      attributes = try Files.attributes(path)
    } catch {
      throw ObserverSocketError(error, code: .badDirectory)
    }
    guard attributes.isDirectory else {
      throw ObserverSocketError(
        .badDirectory, "\(path) is not a directory (symbolic links are not followed here); remove it and start again")
    }
    guard attributes.owner == ProcessEnvironment.userID else {
      throw ObserverSocketError(
        .badDirectory,
        "\(path) belongs to user \(attributes.owner), not to you (\(ProcessEnvironment.userID)); \(elsewhere)"
      )
    }
    guard attributes.permissions & 0o077 == 0 else {
      throw ObserverSocketError(
        .badDirectory,
        "\(path) is open to other users (mode \(String(attributes.permissions, radix: 8))); \(named == nil ? Self.closing(path, attributes) : elsewhere)"
      )
    }
  }

  /// Throws unless the monitor can write files there, or make the directory if it is missing. Leaves no file.
  package func checkWriting() throws(ObserverSocketError) {
    let folder = Files.exists(path) ? path : Files.folder(of: path)
    do throws(SystemError) {
      try Files.checkWriting(in: folder)
    } catch {
      throw ObserverSocketError(error, code: .cannotWrite, remedy: Self.remedy(for: error, in: folder))
    }
  }

  /// The advice for a folder in which the monitor cannot write; nil for other errors.
  static func remedy(for error: SystemError, in folder: String) -> String? {
    if error.isNoSpace { return "free some space in \(folder)" }
    if error.isPermissionDenied || error.isReadOnly {
      return "make \(folder) writable for you, or set XDG_RUNTIME_DIR to another directory"
    }
    return nil
  }

  private static func joined(_ base: String) -> String {
    var base = base
    while base.hasSuffix("/"), base.utf8.count > 1 { base.removeLast() }
    return "\(base)/overline"
  }

  private static func checkBase(_ base: String, user: UInt32, named name: String) throws(ObserverSocketError) {
    let attributes: Files.Attributes
    do {
      // The slash makes lstat(2) follow a symbolic link to the directory.
      attributes = try Files.attributes(base + "/")
    } catch {
      throw ObserverSocketError(
        .badDirectory,
        "\(name) cannot be used: \(error.reason); log in again, or set it to a directory that only you can enter"
      )
    }
    guard attributes.owner == user else {
      throw ObserverSocketError(
        .badDirectory,
        "\(name) belongs to user \(attributes.owner), not to you (\(user)); after su or sudo, log in fully (su -, sudo -i)"
      )
    }
    guard attributes.permissions & 0o022 == 0 else {
      throw ObserverSocketError(
        .badDirectory,
        "\(name) can be written by other users (mode \(String(attributes.permissions, radix: 8))); \(closing(base, attributes))"
      )
    }
  }

  /// The advice for a directory that others can write. Do not advise to close a shared directory, such as `/tmp`: all other users need it.
  private static func closing(_ path: String, _ attributes: Files.Attributes) -> String {
    if attributes.permissions & 0o1000 != 0 {
      return "it is shared on purpose; use a directory that only you can enter, for instance: mkdir -m 700 ~/.run"
    }
    return "run: chmod 700 '\(path)'"
  }
}

/// Throws an error with a remedy if a socket's path is too long for the kernel.
func checkSocketPath(_ path: String) throws(ObserverSocketError) {
  let length = path.utf8.count
  guard length <= UnixSocket.maximumPathLength else {
    throw ObserverSocketError(
      .pathTooLong,
      "the path \(path) has \(length) bytes, a socket's path at most \(UnixSocket.maximumPathLength); set XDG_RUNTIME_DIR to a shorter directory, or name a socket with --socket"
    )
  }
}
