internal import Dispatch
internal import OverlineCore
internal import OverlineProcess
internal import OverlineSystem
internal import Synchronization

/// The process that gives reserved lines back when the monitor dies in any way, even by `kill -9`. It starts with the first line, blocks
/// on a pipe, and ends with the last line. One guardian serves all servers of a monitor.
///
/// It runs in its own session, so that signals to the monitor's group or terminal do not reach it. It blocks the signals that end services:
/// it ends by itself after the monitor. The monitor replaces a killed guardian (``GuardianLives``).
package final class GuardianProcess: Sendable {
  private let executable: String
  /// Takes the place of an executable that is not there.
  private let spare: String?
  private let arguments: [String]
  private let onError: @Sendable (String) -> Void
  private let queue = DispatchQueue(label: "overline.guardian.watch")
  private let state: Mutex<State>

  private struct State: ~Copyable {
    var sockets: Set<String> = []
    var process: Running?
    var lives = GuardianLives()
    var inheriting: [Int32]

    init(inheriting: [Int32]) { self.inheriting = inheriting }
  }

  private struct Running: ~Copyable {
    let pid: Int32
    let pipe: FileDescriptor
    let start = BootClock.now
    /// Nil if the process had already ended: its end has been reported.
    let watch: ProcessWatch?

    func send(_ messages: [GuardianMessage]) throws(SystemError) {
      let bytes = messages.flatMap(\.bytes)
      try withoutBrokenPipeSignal { () throws(SystemError) in try pipe.writeAll(bytes) }
    }
  }

  /// Starts nothing yet.
  ///
  /// - Parameters:
  ///   - executable: runs ``Guardian/run(descriptor:)`` on its standard input when started with `arguments`.
  ///   - spare: takes its place once it has been removed, as by an uninstallation.
  ///   - inheriting: the only descriptors that the guardian inherits and holds open. One is the monitor's lock, so that the next monitor
  ///     starts only after the guardian has given all lines back.
  ///   - onError: called on another thread with a log message when an ended guardian is not replaced.
  package init(
    executable: String, orElse spare: String? = nil, arguments: [String], inheriting: [Int32] = [],
    onError: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    (self.executable, self.spare) = (executable, spare)
    self.arguments = arguments
    state = Mutex(State(inheriting: inheriting))
    self.onError = onError
  }

  /// Sets the descriptors that guardians hold open. A running guardian is replaced by one that holds them.
  package func inherit(_ descriptors: [Int32]) {
    state.withLock { state in
      state.inheriting = descriptors
      guard let old = state.process.take() else { return }
      guard let new = try? start(state) else {
        state.process = consume old
        return
      }
      try? old.send([.farewell])
      reap(old)
      state.process = consume new
    }
  }

  /// The guardian's pid while it runs.
  var processID: Int32? { state.withLock { $0.process?.pid } }

  /// Reports to the guardian that `server` is about to get a line. Starts the guardian for the first line.
  func watch(_ server: TmuxServer) throws(SystemError) {
    try state.withLock { state throws(SystemError) in
      state.sockets.insert(server.socket)
      state.lives.begin()
      if let running = state.process.take() {
        do {
          try running.send([.watch(server.socket)])
          state.process = consume running
          return
        } catch {
          // The guardian was killed, and its end has not been reported yet.
          reap(running)
        }
      }
      state.process = try start(state)
    }
  }

  /// A descriptor for a tmux client that changes a server. While a client holds the descriptor, the guardian waits for the client's end.
  /// Nil without a guardian.
  func hold() -> FileDescriptor? {
    state.withLock { state in
      guard let running = state.process.take() else { return nil }
      let hold = try? running.pipe.duplicate()
      state.process = consume running
      return hold
    }
  }

  /// Handles the unexpected end of a guardian: starts another one, unless too many in a row were short-lived.
  private func ended(_ pid: Int32) {
    let error: String? = state.withLock { state in
      guard let running = state.process.take() else { return nil }
      guard running.pid == pid else {
        state.process = consume running
        return nil
      }
      let life = BootClock.now - running.start
      reap(running)
      guard state.lives.endedAfter(life) else { return "the guardian ends as soon as it starts" }
      do throws(SystemError) {
        state.process = try start(state)
        return nil
      } catch {
        return "\(error)"
      }
    }
    if let error { onError(Self.consequence(error)) }
  }

  /// The consequence of a missing guardian, for a log.
  static func consequence(_ error: String) -> String {
    "\(error); a crash of the monitor would leave the banner in tmux until it runs again"
  }

  /// Reports to the guardian that `server` is restored or has ended. After the last server the guardian ends.
  func release(_ server: TmuxServer) {
    state.withLock { state in
      guard state.sockets.remove(server.socket) != nil, let running = state.process.take() else { return }
      if state.sockets.isEmpty {
        try? running.send([.farewell])
        reap(running)
      } else {
        try? running.send([.release(server.socket)])
        state.process = consume running
      }
    }
  }

  /// Reports to the guardian that this process is about to end and has already tried to give every line back. The guardian then spends
  /// little time on the rest.
  package func hurry() {
    state.withLock { state in
      guard let running = state.process.take() else { return }
      try? running.send([.hurry])
      state.process = consume running
    }
  }

  private func start(_ state: borrowing State) throws(SystemError) -> Running {
    let pipe = try Pipe()
    let program = spare.flatMap { Files.exists(executable) ? nil : $0 } ?? executable
    let pid = try Subprocess.spawn(
      program, arguments, newSession: true,
      descriptors: [(pipe.reading.rawValue, 0)] + state.inheriting.map { ($0, $0) },
      blocking: [.hangUp, .interrupt, .quit, .terminate])
    let watch = try ProcessWatch.ofChild(pid, queue: queue) { [weak self] in self?.ended(pid) }
    let running = Running(pid: pid, pipe: pipe.takeWriting(), watch: watch)
    // `ended` runs even if the guardian ends before this returns: the queue waits for the lock.
    try? running.send(state.sockets.sorted().map(GuardianMessage.watch))
    return running
  }

  /// Closes the pipe and waits for the process on another queue, so that no zombie remains.
  private func reap(_ running: consuming Running) {
    let pid = running.pid
    DispatchQueue.global(qos: .utility).async { _ = Subprocess.wait(for: pid) }
  }
}
