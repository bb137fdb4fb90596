package import Dispatch
package import OverlineCore
package import OverlineSystem

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
  /// The time by which the state file must contain ``newest``.
  private var writeDeadline: Duration?
  /// The time of the next attempt to replace removed files, and the pause after it.
  private var restoreDeadline: Duration?
  private var pause = Observers.minimumPause
  private let warn: @Sendable (String) -> Void
  private var hasWarned = false

  /// The delay lets connected clients run first, and a burst of changes is written only once. Users do not see the delay in a prompt.
  private static let fileDelay = Duration.milliseconds(20)

  /// A logout empties the directory, then unmounts it. Files that are created in between are lost.
  private static let removalTime = Duration.milliseconds(500)
  /// A login creates the directory, and mounts a file system on it a moment later.
  private static let minimumPause = Duration.milliseconds(100)
  private static let maximumPause = Duration.seconds(30)

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
    writeDeadline = writeDeadline ?? now + Self.fileDelay
  }

  /// Writes the state file now, then calls `completion` on any queue.
  package func writeStateFile(_ state: ObserverState, completion: @escaping @Sendable () -> Void) {
    writeDeadline = nil
    if isIntact { return stateFile.write(state, completion: completion) }
    noteRemoval(at: BootClock.now)
    completion()
  }

  package var barCount: Int { server?.barCount ?? 0 }

  package var nextDeadline: Duration? { [writeDeadline, restoreDeadline].compactMap { $0 }.min() }

  /// Performs due work. Returns whether lock, socket or state file were replaced. Throws the errors of ``restore(at:watchingFiles:)``.
  ///
  /// - Parameter watchFiles: watches ``files`` at their paths' current targets.
  package func handleDeadline(at now: Duration, watchingFiles watchFiles: () -> Void) throws(ObserverSocketError)
    -> Bool
  {
    if let writeDeadline, writeDeadline <= now, let newest {
      self.writeDeadline = nil
      // The file in a new directory may belong to another monitor.
      if isIntact { stateFile.write(newest) } else { noteRemoval(at: now) }
    }
    guard let restoreDeadline, restoreDeadline <= now else { return false }
    return try restore(at: now, watchingFiles: watchFiles)
  }

  package func close() {
    server?.close()
    writeDeadline = nil
    restoreDeadline = nil
    stateFile.remove()
  }

  // MARK: - The runtime directory's removal

  /// The files that must exist. The watcher reports their changes.
  package var files: [String] { [directory.lock, socket] }

  private var isIntact: Bool { lock.isCurrent(directory) && server?.isReachable != false }

  /// Handles a change in the runtime directory, or the directory's removal.
  package func noteRemoval(at now: Duration) {
    if !isIntact { restoreDeadline = restoreDeadline ?? now + Self.removalTime }
  }

  /// Replaces lock, socket and state file if the runtime directory was removed, as by a logout while a monitor in tmux keeps running.
  /// Without these files no command would reach this monitor, and a second monitor could start.
  ///
  /// - Returns: whether something was replaced.
  /// - Throws: `alreadyRunning` if another monitor was faster. This monitor must then end.
  private func restore(at now: Duration, watchingFiles watchFiles: () -> Void) throws(ObserverSocketError) -> Bool {
    restoreDeadline = nil
    if isIntact { return false }
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
    pause = Self.minimumPause
    hasWarned = false
    if newest != nil { writeDeadline = now }
    watchFiles()
    noteRemoval(at: now)
    return true
  }

  private func tryLater(_ error: ObserverSocketError, at now: Duration) {
    if !hasWarned { warn("\(error); until then no command reaches this monitor") }
    hasWarned = true
    // The watcher reports a missing directory's return.
    guard Files.exists(Files.folder(of: directory.path)) else { return }
    restoreDeadline = now + pause
    pause = min(pause * 2, Self.maximumPause)
  }
}
