internal import ObserverSocket
internal import POSIX

/// The tmux servers that want a banner, in a file of the runtime directory: their plugin speaks once, when tmux starts, and monitors
/// come and go.
struct TmuxRegistry: Sendable {
  private let path: String

  init(directory: RuntimeDirectory) {
    path = "\(directory.path)/tmux"
  }

  /// Socket paths, one per line.
  var sockets: [String] {
    guard let bytes = try? Files.read(path, limit: 1 << 16) else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// A registry that cannot be written only forgets: the next reload of tmux's configuration registers again.
  func add(_ socket: String) {
    let sockets = sockets
    if !sockets.contains(socket) && !socket.contains("\n") { write(sockets + [socket]) }
  }

  func remove(_ socket: String) {
    let sockets = sockets
    if sockets.contains(socket) { write(sockets.filter { $0 != socket }) }
  }

  private func write(_ sockets: [String]) {
    try? Files.replace(path, with: Array(sockets.map { $0 + "\n" }.joined().utf8))
  }
}
