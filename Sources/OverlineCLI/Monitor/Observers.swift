internal import Dispatch
internal import ObserverProtocol
internal import ObserverSocket
internal import POSIX

/// Where the monitor meets its observers: the lock, the socket and the state file.
///
/// Used on the monitor's queue only.
final class Observers: @unchecked Sendable {
  let directory: RuntimeDirectory
  private let socket: String
  private let lock: MonitorLock
  /// The socket that the service manager opened for us, until we serve it.
  private var inherited: ObserverListener?
  private let stateFile: StateFileWriter
  private var server: ObserverServer?
  /// What the state file is to say, and when.
  private var due: (state: ObserverState, at: Duration)?

  /// A person who looks at a prompt sees no difference; those who are being told at this moment get the processor, and what changes
  /// again meanwhile is written once.
  private static let filePatience = Duration.milliseconds(20)

  /// Takes the lock. Throws `alreadyRunning` when another monitor has it.
  ///
  /// - Parameters:
  ///   - service: whose sockets are taken over.
  ///   - complain: told once that the state file cannot be written.
  init(
    socket: String?, service: ServiceEnvironment, complain: @escaping @Sendable (String) -> Void
  ) throws(ObserverSocketError) {
    let directory = try Self.directory(of: socket)
    try directory.prepare(for: socket)
    let inherited = try ObserverListener.inherited(service, path: socket ?? directory.socket)
    lock = try MonitorLock.acquire(directory, socket: socket, isInherited: inherited != nil)
    self.inherited = consume inherited
    self.directory = directory
    self.socket = socket ?? directory.socket
    stateFile = StateFileWriter(StateFile(path: directory.state)) { complain("\($0)") }
  }

  /// The directory of a socket that the user named, or else of this user's own.
  private static func directory(of socket: String?) throws(ObserverSocketError) -> RuntimeDirectory {
    guard let socket else { return try RuntimeDirectory.locate() }
    return RuntimeDirectory(path: Files.folder(of: socket))
  }

  /// The lock's descriptor, for the guardian to keep.
  var lockDescriptor: Int32 { lock.rawDescriptor }

  func listen(
    on queue: DispatchQueue, _ onRequest: @escaping ObserverServer.RequestHandler,
    onLeave: @escaping @Sendable (ObserverServer.ClientID) -> Void
  ) throws {
    let listener = if let inherited = inherited.take() { inherited } else { try ObserverListener(path: socket) }
    server = try ObserverServer(listener: listener, queue: queue, onRequest: onRequest, onLeave: onLeave)
  }

  /// Tells everyone who is connected, and a little later those who look at the file.
  func publish(_ state: ObserverState, at now: Duration) {
    server?.publish(state)
    due = (state, due?.at ?? now + Self.filePatience)
  }

  /// Writes the state file now, then calls `completion` on any queue.
  func writeStateFile(_ state: ObserverState, completion: @escaping @Sendable () -> Void) {
    due = nil
    stateFile.write(state, completion: completion)
  }

  var nextDeadline: Duration? { due?.at }

  func handleDeadline(at now: Duration) {
    guard let due, due.at <= now else { return }
    self.due = nil
    stateFile.write(due.state)
  }

  func close() {
    server?.close()
    due = nil
    stateFile.remove()
  }
}
