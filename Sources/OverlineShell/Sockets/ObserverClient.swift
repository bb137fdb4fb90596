package import OverlineCore
internal import OverlineProcess
internal import OverlineSystem

/// A connection to a monitor or a window, for programs with nothing else to do: every call blocks.
package struct ObserverClient: ~Copyable, Sendable {
  private let socket: FileDescriptor
  private let path: String
  private var input = LineBuffer(maximum: 1 << 20)
  private let timeout: Duration

  /// Connects. Throws `noMonitor` if no monitor listens at `path`, and `refused` if the listener belongs to another user.
  ///
  /// - Parameter timeout: the limit for this call's wait for room at the socket, and for the waits of ``status()`` and ``request(_:)`` for
  ///   an answer. A monitor answers within milliseconds; a stopped one never answers.
  package init(path: String, timeout: Duration = .seconds(2)) throws(ObserverSocketError) {
    socket = try Self.connect(path, timeout)
    self.path = path
    self.timeout = timeout
  }

  private static func connect(_ path: String, _ timeout: Duration) throws(ObserverSocketError) -> FileDescriptor {
    try checkSocketPath(path)
    do {
      let socket = try UnixSocket.connect(to: path, timeout: timeout)
      // Trust only a listener that runs as this user or as root.
      let user = try UnixSocket.peer(of: socket.rawValue).uid
      if user == ProcessEnvironment.userID || user == 0 { return socket }
    } catch {
      if error.isWouldBlock { throw Self.late }
      guard error.isNoSuchFile || error.isNotADirectory || error.isConnectionRefused else {
        throw ObserverSocketError(error, code: error.isPermissionDenied ? .refused : .system)
      }
      throw ObserverSocketError(
        .noMonitor, "no monitor answers at \(path); start one with: overline monitor")
    }
    throw ObserverSocketError(.refused, "the socket \(path) belongs to another user")
  }

  /// The current state: the first line from a monitor.
  package static func status(path: String, timeout: Duration = .seconds(2)) throws(ObserverSocketError) -> ObserverState
  {
    var client = try ObserverClient(path: path, timeout: timeout)
    guard let state = try client.next(timeout: timeout) else { throw ended }
    return state
  }

  /// The current state as finished text.
  ///
  /// - Parameter isTrusted: called with the pid of the process that listens. If it returns false, this throws `noMonitor`.
  package static func status(
    path: String, as format: ObserverFormat, timeout: Duration = .seconds(2), isTrusted: (Int32) -> Bool = { _ in true }
  ) throws(ObserverSocketError) -> StatusText {
    let deadline = BootClock.now + timeout
    var client = try ObserverClient(path: path, timeout: timeout)
    guard let peer = try? UnixSocket.peer(of: client.socket.rawValue), isTrusted(peer.pid) else { throw ended }
    do { try client.send(.status(format: format)) } catch {
      if !error.isBrokenPipe { throw ObserverSocketError(error) }
    }
    while let line = try client.receive(deadline: deadline) {
      if let header = StatusText.header(line) {
        var lines: [[UInt8]] = []
        while lines.count < header.count, let line = try client.receive(deadline: deadline) { lines.append(line) }
        if lines.count == header.count { return StatusText(state: header.state, lines: lines) }
        break
      }
      switch try Self.response(line) {
      // This is the state that each client gets when it connects.
      case .none: continue
      // A monitor of version 0.1 answers with the state.
      case .ok(let data):
        do throws(ProtocolError) {
          return StatusText(try ObserverState(json: data ?? .null), as: format)
        } catch {
          throw ObserverSocketError(.badAnswer, "the monitor's answer is not a state: \(error.message)")
        }
      case .failure(_, ProtocolError.Code.noState.rawValue):
        // The monitor has just started, and will send its first state as soon as it has one.
        guard let state = try client.next(timeout: deadline - BootClock.now) else { throw ended }
        return StatusText(state, as: format)
      case .failure(let message, _): throw ObserverSocketError(.refused, message)
      }
    }
    throw ended
  }

  /// The next state; nil when the monitor has ended. Throws `timeout` if no state arrives in that time; nil waits for ever.
  package mutating func next(timeout: Duration? = nil) throws(ObserverSocketError) -> ObserverState? {
    guard let line = try nextLine(timeout: timeout) else { return nil }
    do {
      return try ObserverState(jsonLine: line)
    } catch {
      throw ObserverSocketError(.badAnswer, "the monitor's answer is not a state: \(error.message)")
    }
  }

  /// Asks for the current state again. ``next(timeout:)`` returns it, or the end of a monitor that reads no more requests.
  package func askAgain() { try? send(.watch()) }

  /// Requests states in a format and passes them on in whole lines with their line feeds. Returns when the monitor has ended.
  ///
  /// A monitor that hangs cannot report the end of an outage. So half a minute after a change, and then at this interval until the state is
  /// online, this asks the monitor for its state. Throws `timeout` if no answer comes. While the state is online it only waits.
  ///
  /// - Parameters:
  ///   - isPatient: waits for the first line without a time limit: a slow or stopped monitor will continue at some time.
  ///   - output: the descriptor that `body` writes to. Throws `EPIPE` when its reader has closed it.
  package mutating func follow(
    _ format: ObserverFormat, isPatient: Bool, handingOnTo output: Int32, _ body: ([UInt8]) throws -> Void
  ) throws {
    let limit = isPatient ? nil : timeout
    guard try waitUntilReadable(socket.rawValue, handingOnTo: output, timeout: limit) else { throw Self.late }
    // The state that each client gets when it connects. The next one is the same in the format. Later ones are only text here.
    guard let first = try next(timeout: limit) else { return }
    var isOnline = first.state == .online
    if case .failure(let message, _) = try answer(
      to: .watch(format: format), deadline: limit.map { BootClock.now + $0 })
    {
      throw ObserverSocketError(.refused, message)
    }
    var pause: Duration?
    while true {
      var lines: [UInt8] = []
      while let line = input.next() {
        guard case .complete(let bytes) = line else { throw Self.endless }
        lines += bytes + [0x0a]
      }
      if !lines.isEmpty {
        try body(lines)
        pause = isOnline ? nil : Self.questionPause
        isOnline = false
      }
      guard try waitUntilReadable(socket.rawValue, handingOnTo: output, timeout: pause) else {
        pause = try isOnlineNow(format) ? nil : Self.questionPause
        continue
      }
      guard let bytes = try readSome(deadline: nil), !bytes.isEmpty else { return }
      input.append(bytes)
    }
  }

  /// Half a minute. A thousand watchers do not ask at the same moment after a change.
  private static var questionPause: Duration { .milliseconds(.random(in: 27_000...33_000)) }

  /// The monitor's answer on another connection: on this one it would stand between the lines. Throws only `timeout`. A monitor that refuses
  /// the client does not hang.
  private func isOnlineNow(_ format: ObserverFormat) throws(ObserverSocketError) -> Bool {
    do throws(ObserverSocketError) {
      return try Self.status(path: path, as: format, timeout: timeout).state == .online
    } catch {
      if error.code == .timeout { throw error }
      return false
    }
  }

  private mutating func nextLine(timeout: Duration? = nil) throws(ObserverSocketError) -> [UInt8]? {
    let deadline = timeout.map { BootClock.now + $0 }
    while let line = try receive(deadline: deadline) {
      switch try Self.response(line) {
      case .none: return line
      // An unsolicited answer gives the reason why no states will follow.
      case .failure(let message, _): throw ObserverSocketError(.refused, message)
      case .ok: continue
      }
    }
    return nil
  }

  /// Sends a request and waits for its answer, skipping states that arrive before it. The wait for a user's answer
  /// (``ObserverRequest/alert(_:)``) has no time limit.
  ///
  /// - Parameter limit: the time for an answer that takes longer than the client's own limit. Before such a request this asks for the state:
  ///   a stopped monitor is noticed in the client's own time.
  package mutating func request(
    _ request: ObserverRequest, within limit: Duration? = nil
  ) throws(ObserverSocketError) -> ObserverResponse {
    if case .alert = request { return try answer(to: request, deadline: nil) }
    guard let limit else { return try answer(to: request, deadline: BootClock.now + timeout) }
    _ = try answer(to: .status(), deadline: BootClock.now + timeout)
    return try answer(to: request, deadline: BootClock.now + limit)
  }

  private mutating func answer(
    to request: ObserverRequest, deadline: Duration?
  ) throws(ObserverSocketError) -> ObserverResponse {
    do {
      try send(request)
    } catch {
      // A monitor that refuses this client sends the reason before it closes. The reason can still be read.
      if !error.isBrokenPipe { throw ObserverSocketError(error) }
    }
    while let line = try receive(deadline: deadline) {
      if let response = try Self.response(line) { return response }
    }
    throw Self.ended
  }

  private func send(_ request: ObserverRequest) throws(SystemError) {
    var rest = request.jsonLine[...]
    while !rest.isEmpty { rest = rest.dropFirst(try UnixSocket.send(rest, to: socket.rawValue)) }
  }

  private mutating func receive(deadline: Duration?) throws(ObserverSocketError) -> [UInt8]? {
    while true {
      switch input.next() {
      case .complete(let line): return line
      case .tooLong: throw Self.endless
      case .none: break
      }
      guard let bytes = try readSome(deadline: deadline) else {
        throw Self.late
      }
      if bytes.isEmpty { return nil }
      input.append(bytes)
    }
  }

  /// Empty at the end, nil when the deadline passes first.
  private func readSome(deadline: Duration?) throws(ObserverSocketError) -> [UInt8]? {
    do {
      if let deadline, try !waitUntilReadable(socket.rawValue, timeout: max(.zero, deadline - BootClock.now)) {
        return nil
      }
      // The buffer has space for some states. Without a deadline the read itself waits.
      return try socket.read(atMost: 4096)
    } catch {
      // The monitor closed before it had read the whole request. Treat this as a normal end.
      if error.isBrokenPipe { return [] }
      throw ObserverSocketError(error)
    }
  }

  /// Nil for a state. The cheap test comes first, because a state's line is long. It starts with its version.
  private static func response(_ line: [UInt8]) throws(ObserverSocketError) -> ObserverResponse? {
    if line.starts(with: Array("{\"v\":".utf8)) { return nil }
    do {
      return try ObserverResponse(line: line)
    } catch {
      throw ObserverSocketError(.badAnswer, "the monitor's answer is not JSON: \(error.message)")
    }
  }

  private static let late = ObserverSocketError(.timeout, "the monitor did not answer in time; it may be stopped")
  private static let endless = ObserverSocketError(.badAnswer, "the monitor sent a line of more than 1 MiB")
  private static let ended = ObserverSocketError(.noMonitor, "the monitor ended before it answered")
}
