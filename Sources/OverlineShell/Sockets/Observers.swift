package import Dispatch
package import OverlineCore
package import OverlineProcess
internal import OverlineSystem

/// The monitor's files for observers: the lock, the socket and the state file.
///
/// Used on the monitor's queue only.
package final class Observers: @unchecked Sendable {
  package let directory: RuntimeDirectory
  private let socket: String
  private var lock: MonitorLock
  /// The lock before a replacement. It stays open, since a guardian that is just starting may inherit its descriptor.
  private var previousLock: MonitorLock?
  /// The socket from the service manager, until the server serves it.
  private var inherited: ObserverListener?
  private let stateFile: StateFileWriter
  private var server: ObserverServer?
  private var newest: ObserverState?
  private var machine = RuntimeFilesMachine()
  private let warn: @Sendable (String) -> Void

  /// Acquires the lock. Throws `alreadyRunning` if another monitor holds it.
  ///
  /// - Parameters:
  ///   - service: the environment with the sockets to inherit.
  ///   - warn: called once if the state file cannot be written.
  package init(
    socket: String?, service: ServiceEnvironment, warn: @escaping @Sendable (String) -> Void
  ) throws(ObserverSocketError) {
    let directory = try Self.directory(of: socket)
    try directory.prepare(for: socket)
    let inherited = try ObserverListener.inherited(service, path: socket ?? directory.socket)
    lock = try MonitorLock.acquire(directory, socket: socket, isInherited: inherited != nil)
    self.inherited = consume inherited
    self.directory = directory
    self.socket = socket ?? directory.socket
    self.warn = warn
    stateFile = StateFileWriter(StateFile(path: directory.state)) { warn("\($0)") }
  }

  /// The directory of the socket that the user named, or else the user's own directory.
  private static func directory(of socket: String?) throws(ObserverSocketError) -> RuntimeDirectory {
    guard let socket else { return try RuntimeDirectory.locate() }
    return RuntimeDirectory(path: Files.folder(of: socket))
  }

  /// The lock's descriptor, for the guardian to hold.
  package var lockDescriptor: Int32 { lock.rawDescriptor }

  package func listen(
    on queue: DispatchQueue, _ onRequest: @escaping ObserverServer.RequestHandler,
    onLeave: @escaping @Sendable (ClientID) -> Void
  ) throws {
    let listener = if let inherited = inherited.take() { inherited } else { try ObserverListener(path: socket) }
    server = try ObserverServer(listener: listener, queue: queue, onRequest: onRequest, onLeave: onLeave)
  }

  /// Publishes a state to connected clients at once, and in the state file a little later.
  package func publish(_ state: ObserverState, at now: Duration) {
    server?.publish(state)
    newest = state
    _ = machine.handle(.published, at: now)
  }

  /// Writes the state file now, then calls `completion` on any queue.
  package func writeStateFile(_ state: ObserverState, completion: @escaping @Sendable () -> Void) {
    let now = BootClock.now
    _ = machine.handle(.written, at: now)
    if isIntact { return stateFile.write(state, completion: completion) }
    noteRemoval(at: now)
    completion()
  }

  package var barCount: Int { server?.barCount ?? 0 }

  package var nextDeadline: Duration? { machine.nextDeadline }

  /// Performs due work. Returns whether lock, socket or state file were replaced. Throws the errors of ``restore(at:watchingFiles:)``.
  ///
  /// - Parameter watchFiles: watches ``files`` at their paths' current targets.
  package func handleDeadline(at now: Duration, watchingFiles watchFiles: () -> Void) throws(ObserverSocketError)
    -> Bool
  {
    guard let next = nextDeadline, next <= now else { return false }
    var isRestored = false
    for effect in machine.handle(.deadlineReached(isIntact: isIntact), at: now) {
      switch effect {
      case .writeState: if let newest { stateFile.write(newest) }
      case .replace: isRestored = try restore(at: now, watchingFiles: watchFiles)
      case .warn: break
      }
    }
    return isRestored
  }

  package func close() {
    server?.close()
    _ = machine.handle(.closed, at: BootClock.now)
    stateFile.remove()
  }

  // MARK: - The runtime directory's removal

  /// The files that must exist. The watcher reports their changes.
  package var files: [String] { [directory.lock, socket] }

  private var isIntact: Bool { lock.isCurrent(directory) && server?.isReachable != false }

  /// Handles a change in the runtime directory, or the directory's removal.
  package func noteRemoval(at now: Duration) {
    _ = machine.handle(.changed(isIntact: isIntact), at: now)
  }

  /// Replaces lock, socket and state file if the runtime directory was removed, as by a logout while a monitor in tmux keeps running.
  /// Without these files no command would reach this monitor, and a second monitor could start.
  ///
  /// - Returns: whether something was replaced.
  /// - Throws: `alreadyRunning` if another monitor was faster. This monitor must then end.
  private func restore(at now: Duration, watchingFiles watchFiles: () -> Void) throws(ObserverSocketError) -> Bool {
    // The watch may be on a removed folder, since our lock's open file keeps the folder's inode.
    watchFiles()
    do throws(ObserverSocketError) {
      try directory.prepare(for: socket == directory.socket ? nil : socket)
      if !lock.isCurrent(directory) {
        // Acquire the lock first. Its holder removes any file at the socket's path, so our own socket must not be there any more. The
        // service manager's socket stays.
        let isInherited = server?.isInherited == true && server?.isReachable == true
        if !isInherited { server?.stopListening() }
        var new = try MonitorLock.acquire(directory, socket: socket, isInherited: isInherited)
        swap(&lock, &new)
        previousLock = consume new
      }
      if let server, !server.isReachable { try server.replaceListener(ObserverListener(path: socket)) }
    } catch {
      if error.code == .alreadyRunning { throw error }
      tryLater(error, at: now)
      return false
    }
    _ = machine.handle(.replaced, at: now)
    watchFiles()
    noteRemoval(at: now)
    return true
  }

  private func tryLater(_ error: ObserverSocketError, at now: Duration) {
    let hasParent = Files.exists(Files.folder(of: directory.path))
    if !machine.handle(.replacingFailed(hasParent: hasParent), at: now).isEmpty {
      warn("\(error); until then no command reaches this monitor")
    }
  }
}
