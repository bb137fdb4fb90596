internal import Dispatch
internal import OverlineProcess
internal import OverlineSystem
internal import Synchronization

/// The right to be the monitor: an exclusive lock on the runtime directory's `lock` file. A monitor holds the lock before it removes a
/// stale socket, so that two monitors that start at once cannot remove each other's socket.
///
/// The lock belongs to the open file. A child that inherits ``rawDescriptor`` (the tmux guardian) keeps the lock after the monitor's end,
/// so that no new monitor draws before the guardian has cleaned up.
package struct MonitorLock: ~Copyable, Sendable {
  private let lock: FileLock

  /// The descriptor, for a child to inherit. It is close-on-exec otherwise.
  package var rawDescriptor: Int32 { lock.descriptor.rawValue }

  /// Acquires the lock and removes an earlier monitor's socket.
  ///
  /// If the lock is held but no monitor answers at the socket, the holder is a guardian that will end, or a monitor that will soon listen.
  /// Then this waits for the lock.
  ///
  /// - Parameters:
  ///   - directory: the directory. Call ``RuntimeDirectory/prepare(for:)`` before.
  ///   - socket: the path where the monitor will listen; nil means the directory's own.
  ///   - isInherited: true if the service manager listens there for the monitor that it starts. Then the socket is neither removed nor
  ///     tested for an answer.
  ///   - timeout: how long to wait. A guardian restores one tmux server in some ten milliseconds.
  package static func acquire(
    _ directory: RuntimeDirectory, socket: String? = nil, isInherited: Bool = false, timeout: Duration = .seconds(2)
  ) throws(ObserverSocketError) -> MonitorLock {
    let socket = isInherited ? nil : socket ?? directory.socket
    if let lock = try acquireIfFree(directory) { return try begin(lock, socket) }
    try refuseIfAnswered(socket, directory)
    if let lock = waitForLock(directory.lock, timeout: timeout) { return try begin(lock, socket) }
    try refuseIfAnswered(socket, directory)
    // The lock's holder may listen at another path than ours.
    if socket != nil { try refuseIfAnswered(directory.socket, directory) }
    // If the monitor is alive, name it: its guardian ends with it. If the monitor is dead, its guardian holds the lock.
    let holders = FileLock.holders(of: directory.lock)
    let monitor = holder(directory)
    let holder = holders.first { $0 == monitor } ?? holders.first
    let isGuardian = monitor != nil && holder != monitor
    let name = holder.map { "process \($0)" + (isGuardian ? ", the guardian of a monitor that is gone," : "") }
    throw ObserverSocketError(
      .alreadyRunning,
      "\(name ?? "another process") has held the monitor's lock (\(directory.lock)) for \(timeout.components.seconds) s without answering at its socket; if it hangs, \(holder.map { "kill -9 \($0)" } ?? "end it")"
    )
  }

  /// Whether the lock still excludes other monitors. Its file may have been removed with the directory.
  package func isCurrent(_ directory: RuntimeDirectory) -> Bool { lock.isNamed(directory.lock) }

  /// The pid that the last holder of the lock recorded. The listener at a socket is no evidence, since it may be the service manager.
  package static func holder(_ directory: RuntimeDirectory) -> Int32? {
    guard let bytes = try? Files.read(directory.lock) else { return nil }
    return Int32(String(decoding: bytes.prefix { $0 != 0x0a }, as: UTF8.self))
  }

  private init(lock: consuming FileLock) {
    self.lock = lock
  }

  private static func acquireIfFree(_ directory: RuntimeDirectory) throws(ObserverSocketError) -> FileLock? {
    do {
      return try FileLock.acquire(directory.lock)
    } catch {
      throw ObserverSocketError(
        error, code: .cannotWrite, remedy: RuntimeDirectory.remedy(for: error, in: directory.path))
    }
  }

  private static func begin(_ lock: consuming FileLock, _ socket: String?) throws(ObserverSocketError) -> MonitorLock {
    // On a full disk the pid is missing. Start anyway, since only error messages need it.
    try? lock.record("\(ProcessEnvironment.processID)\n")
    guard let socket, try hasSocket(at: socket) else { return MonitorLock(lock: lock) }
    // Only a service manager can listen there. Do not remove its socket: no client would find it any more. A connection starts the
    // manager's monitor.
    if isListenedAt(socket) {
      throw ObserverSocketError(
        .alreadyRunning,
        "the service manager listens at \(socket) and has now started the monitor; to run one yourself: systemctl --user stop overline.socket overline.service"
      )
    }
    do {
      try Files.remove(socket)
    } catch {
      throw ObserverSocketError(error, code: .cannotWrite, remedy: "remove it by hand")
    }
    return MonitorLock(lock: lock)
  }

  /// Whether the path is a socket, possibly a stale one. Throws for any other file: no monitor can listen there, and a mistyped `--socket`
  /// must not delete it.
  package static func hasSocket(at path: String) throws(ObserverSocketError) -> Bool {
    guard let attributes = try? Files.attributes(path) else { return false }
    if attributes.isSocket { return true }
    throw ObserverSocketError(
      .cannotWrite, "\(path) is there already and is not a socket but \(attributes.kind); remove it by hand")
  }

  /// Also true for a listener whose queue of clients is full.
  private static func isListenedAt(_ path: String) -> Bool {
    do throws(SystemError) {
      _ = try UnixSocket.connect(to: path)
      return true
    } catch {
      return error.isWouldBlock
    }
  }

  private static func refuseIfAnswered(
    _ path: String?, _ directory: RuntimeDirectory
  ) throws(ObserverSocketError) {
    guard let path, let socket = try? UnixSocket.connect(to: path) else { return }
    let pid = (try? UnixSocket.peer(of: socket.rawValue))?.pid ?? holder(directory)
    throw ObserverSocketError(
      .alreadyRunning,
      "a monitor runs already" + (pid.map { " (pid \($0))" } ?? "")
        + "; \"overline status\" asks it; end it to start another")
  }

  /// Waits for the lock on a new thread, since `flock(2)` has no time limit. A lock that arrives too late is released at once.
  private static func waitForLock(_ path: String, timeout: Duration) -> FileLock? {
    let waiting = LockWaiting()
    let ended = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      if let lock = (try? FileLock.acquire(path, waiting: true)) ?? nil { waiting.deliver(lock) }
      ended.signal()
    }
    _ = ended.wait(timeout: .now() + timeout.dispatchInterval)
    return waiting.stop()
  }
}

/// Receives the lock from the waiting thread, unless the wait has ended.
private final class LockWaiting: Sendable {
  private struct Slot: ~Copyable, Sendable {
    var lock: FileLock?
    var isOver = false
  }

  private let slot = Mutex(Slot())

  func deliver(_ lock: consuming sending FileLock) {
    var lock: FileLock? = lock
    slot.withLock { slot in
      // A lock that arrives too late is dropped here, which releases it.
      if !slot.isOver { slot.lock = lock.take() }
    }
  }

  func stop() -> FileLock? {
    slot.withLock { slot in
      slot.isOver = true
      return slot.lock.take()
    }
  }
}
