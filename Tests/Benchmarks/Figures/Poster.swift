internal import OverlineProcess
internal import OverlineSystem
internal import Synchronization

/// A client of a window's socket, or of the monitor's.
final class Poster: Sendable {
  private let socket: Mutex<FileDescriptor?>

  init(_ path: String) throws {
    socket = Mutex(try UnixSocket.connect(to: path))
  }

  func post(_ title: String, more: String = "") throws {
    try send("{\"do\":\"toast\",\"title\":\"\(title)\"\(more)}")
  }

  /// Dismisses the front toast.
  func dismiss() throws { try send(#"{"do":"dismiss-toast"}"#) }

  private func send(_ request: String) throws {
    let line = Array("\(request)\n".utf8)
    try socket.withLock { socket in
      switch socket {
      case .some(let descriptor): _ = try UnixSocket.send(line[...], to: descriptor.rawValue)
      case .none: break
      }
    }
  }

  func close() { socket.withLock { $0 = nil } }
}
