internal import Dispatch
internal import ObserverProtocol
internal import ObserverSocket
internal import POSIX

/// Where the monitor meets its observers: the lock, the socket and the state file.
///
/// Used on the monitor's queue only.
final class Observers: @unchecked Sendable {
  /// Nil when the user named a socket somewhere else.
  let directory: RuntimeDirectory?
  private let socket: String
  private let lock: MonitorLock?
  private let stateFile: StateFile?
  private var server: ObserverServer?
  private var hasComplained = false

  /// Takes the lock. Throws `alreadyRunning` when another monitor has it.
  init(socket: String?) throws(ObserverSocketError) {
    let directory = try Self.directory(of: socket)
    try directory.prepare()
    lock = try MonitorLock.acquire(directory, socket: socket)
    self.directory = directory
    self.socket = socket ?? directory.socket
    stateFile = StateFile(path: directory.state)
  }

  /// The directory of a socket that the user named, or else of this user's own.
  private static func directory(of socket: String?) throws(ObserverSocketError) -> RuntimeDirectory {
    guard let socket else { return try RuntimeDirectory.locate() }
    return RuntimeDirectory(path: socket.lastIndex(of: "/").map { String(socket[..<$0]) } ?? ".")
  }

  /// The lock's descriptor, for the guardian to keep.
  var lockDescriptor: Int32? { lock.rawDescriptor }

  func listen(on queue: DispatchQueue, _ onRequest: @escaping ObserverServer.RequestHandler) throws {
    server = try ObserverServer(path: socket, queue: queue, onRequest: onRequest)
  }

  /// Tells everyone who is connected.
  func publish(_ state: ObserverState) {
    server?.publish(state)
  }

  /// Tells those who look at the file, which takes longer than everything before it. What is returned is to be said once: that the
  /// file cannot be written.
  func write(_ state: ObserverState) -> String? {
    do {
      try stateFile?.write(state)
      hasComplained = false
      return nil
    } catch {
      // Once, not for every change while the disk is full.
      defer { hasComplained = true }
      return hasComplained ? nil : "\(error)"
    }
  }

  func close() {
    server?.close()
    stateFile?.remove()
  }
}

extension Optional where Wrapped == MonitorLock {
  fileprivate var rawDescriptor: Int32? {
    switch self {
    case .some(let lock): lock.rawDescriptor
    case .none: nil
    }
  }
}
