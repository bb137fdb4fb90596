internal import Dispatch
internal import POSIX
internal import Synchronization

/// The process that gives reserved lines back when this one dies in any way, `kill -9` included. It is started with the first
/// line, blocks on a pipe, and ends with the last. One for all servers of a monitor.
///
/// It runs in a session of its own, so no signal to the monitor's group or terminal reaches it, and with the signals that end
/// services blocked: it ends by itself as soon as the monitor has.
public final class GuardianProcess: Sendable {
  private let executable: String
  private let arguments: [String]
  private let inheriting: [Int32]
  private let state = Mutex(State())

  private struct State: ~Copyable {
    var sockets: Set<String> = []
    var process: Running?
  }

  private struct Running: ~Copyable {
    let pid: Int32
    let pipe: FileDescriptor

    func send(_ messages: [GuardianMessage]) throws(SystemError) {
      let bytes = messages.flatMap(\.bytes)
      try withoutBrokenPipeSignal { () throws(SystemError) in try pipe.writeAll(bytes) }
    }
  }

  /// Starts nothing yet.
  ///
  /// - Parameters:
  ///   - executable: runs ``Guardian/run(descriptor:)`` on its standard input when started with `arguments`.
  ///   - inheriting: descriptors it holds open: the monitor's lock, so that the next monitor starts only when everything has been
  ///     given back. No other is passed on.
  public init(executable: String, arguments: [String], inheriting: [Int32] = []) {
    self.executable = executable
    self.arguments = arguments
    self.inheriting = inheriting
  }

  /// The guardian's pid while it runs.
  var processID: Int32? { state.withLock { $0.process?.pid } }

  /// Tells the guardian that `server` is about to get a line; starts it when it is the first.
  ///
  /// - Returns: a descriptor for every tmux client that changes the server: while one runs, the guardian waits for its end.
  func watch(_ server: TmuxServer) throws(SystemError) -> FileDescriptor {
    try state.withLock { state throws(SystemError) in
      state.sockets.insert(server.socket)
      if let running = state.process.take() {
        do {
          try running.send([.watch(server.socket)])
          let hold = try running.pipe.duplicate()
          state.process = consume running
          return hold
        } catch {
          // Someone ended it. Reap it and start another one, which must know of every line.
          reap(running)
        }
      }
      let running = try start()
      try running.send(state.sockets.sorted().map(GuardianMessage.watch))
      let hold = try running.pipe.duplicate()
      state.process = consume running
      return hold
    }
  }

  /// Tells the guardian that `server` has its line back, or is gone; after the last one it ends.
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

  /// Tells the guardian that this process is about to end, after it has tried to give every line back itself: for those that are left
  /// it takes a moment only.
  public func hurry() {
    state.withLock { state in
      guard let running = state.process.take() else { return }
      try? running.send([.hurry])
      state.process = consume running
    }
  }

  private func start() throws(SystemError) -> Running {
    let pipe = try Pipe()
    let pid = try Subprocess.spawn(
      executable, arguments, newSession: true,
      descriptors: [(pipe.reading.rawValue, 0)] + inheriting.map { ($0, $0) },
      blocking: [.hangUp, .interrupt, .quit, .terminate])
    return Running(pid: pid, pipe: pipe.takeWriting())
  }

  /// Closes the pipe and waits for the end elsewhere, so that no zombie stays.
  private func reap(_ running: consuming Running) {
    let pid = running.pid
    DispatchQueue.global(qos: .utility).async { _ = Subprocess.wait(for: pid) }
  }
}
