internal import OverlineCore
internal import OverlineProcess
package import OverlineSystem

/// The tmux servers that want a banner, in a file of the runtime directory. The plugin registers each server once, when tmux starts; the
/// file outlives a single monitor.
package struct TmuxRegistry: Sendable {
  private let directory: String
  private var path: String { "\(directory)/tmux" }

  package init(directory: RuntimeDirectory) {
    self.directory = directory.path
  }

  /// Socket paths, one per line.
  package var sockets: [String] { (try? read()) ?? [] }

  private func read() throws(SystemError) -> [String] {
    do throws(SystemError) {
      return String(decoding: try Files.read(path), as: UTF8.self).split(separator: "\n").map(String.init)
    } catch {
      if error.isNoSuchFile { return [] }
      throw error
    }
  }

  package func add(_ socket: String) throws(SystemError) {
    if socket.contains("\n") { throw SystemError(code: EINVAL, attempt: "note \(socket)") }
    try change { if !$0.contains(socket) { $0.append(socket) } }
  }

  package func remove(_ socket: String) throws(SystemError) {
    try change { $0.removeAll { $0 == socket } }
  }

  /// Forgets the sockets at which no server listens, in one change of the file.
  ///
  /// - Returns: the remaining sockets.
  package func forgetDead() -> [String] {
    var living: [String]?
    // Under the lock: a server that registers meanwhile waits for the lock, and is not removed.
    try? change { sockets in
      sockets.removeAll { !TmuxServer(socket: $0).isListening }
      living = sockets
    }
    return living ?? sockets
  }

  /// Changes the file under a lock, since several servers may start and register at once. If this fails, a running monitor only loses an
  /// entry: the next reload of tmux's configuration registers again.
  private func change(_ body: (inout [String]) -> Void) throws(SystemError) {
    let lock = try FileLock.acquire(directory: directory)
    let before = try read()
    var sockets = before
    body(&sockets)
    if sockets != before { try Files.replace(path, with: Array(sockets.map { $0 + "\n" }.joined().utf8)) }
    _ = consume lock
  }
}
