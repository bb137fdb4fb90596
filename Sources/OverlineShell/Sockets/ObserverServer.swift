package import Dispatch
package import OverlineCore
internal import OverlineProcess
internal import OverlineSystem

/// Carries out what ``ServerMachine`` decides: accepts clients at a unix socket, reads, and writes.
///
/// All work runs on the queue given at the start. Call every method there. SIGPIPE cannot happen (`MSG_NOSIGNAL`).
package final class ObserverServer: @unchecked Sendable {
  /// Called on the queue for every request except `watch` and `status`, which the server answers. The completion may be called from
  /// any thread, once; until then the client's further requests wait.
  package typealias RequestHandler =
    @Sendable (ObserverRequest, ClientID, _ completion: @escaping @Sendable (ObserverResponse) -> Void) -> Void

  /// A client's socket, which closes with the last reference to this.
  private final class Connection {
    let socket: FileDescriptor
    init(_ socket: consuming FileDescriptor) { self.socket = socket }
  }

  // All state is used on `queue` only, which makes this class Sendable.
  private let queue: DispatchQueue
  private let onRequest: RequestHandler
  private let onLeave: @Sendable (ClientID) -> Void
  private let poller: SharedPoller
  private var machine: ServerMachine
  private var listener: ObserverListener?
  private var isAccepting = true
  private var source: ReadSource?
  private var timer: DeadlineTimer?
  /// The event that is being handled, and those that its effects have reported.
  private var events: [ServerMachine.Event] = []
  /// The requests that the last events have brought.
  private var requests: [(ObserverRequest, from: ClientID, number: UInt64)] = []
  private var isPerforming = false
  private var connections: [ClientID: Connection] = [:]
  /// The client that waits to be admitted.
  private var arrival: Connection?

  /// No client has this token.
  private static let listenerToken: UInt64 = 0
  private static let readSize = 16384

  /// Serves the clients of a socket.
  ///
  /// - Parameter onLeave: called on the queue when a client has hung up: first while one of its requests is being performed, and again
  ///   after its last request. The client's overlays then have no owner, and no client waits for the answer.
  package init(
    listener: consuming ObserverListener, queue: DispatchQueue, limits: ServerMachine.Limits = ServerMachine.Limits(),
    onRequest: @escaping RequestHandler,
    onLeave: @escaping @Sendable (ClientID) -> Void = { _ in }
  ) throws(ObserverSocketError) {
    self.queue = queue
    self.onRequest = onRequest
    self.onLeave = onLeave
    machine = ServerMachine(limits)
    do {
      poller = SharedPoller(try Poller())
      try poller.poller.add(listener.socket.rawValue, token: Self.listenerToken, .readable)
      self.listener = consume listener
      timer = try DeadlineTimer(queue: queue) { [weak self] in self?.handle(.deadlineReached) }
      source = try ReadSource(poller, queue: queue) { [weak self] in self?.handleReady() }
    } catch {
      throw ObserverSocketError(error)
    }
  }

  /// Listens at `path` itself.
  package convenience init(
    path: String, queue: DispatchQueue, limits: ServerMachine.Limits = ServerMachine.Limits(),
    onRequest: @escaping RequestHandler,
    onLeave: @escaping @Sendable (ClientID) -> Void = { _ in }
  ) throws(ObserverSocketError) {
    try self.init(
      listener: ObserverListener(path: path), queue: queue, limits: limits, onRequest: onRequest, onLeave: onLeave)
  }

  /// The number of connected clients.
  var clientCount: Int { machine.clientCount }

  /// The number of clients that follow the state in a status bar's format.
  package var barCount: Int { machine.barCount }

  /// Sends a state to all clients; later clients get it as their first message.
  package func publish(_ state: ObserverState) {
    handle(.published(state))
    // Let the clients run now: the kernel may have queued them on this processor, because it expects a sender to sleep soon.
    Processor.yield()
  }

  /// Closes every connection, and removes the socket file if this process made it. Harmless when repeated.
  package func close() {
    stopListening()
    connections = [:]
    source = nil
    timer = nil
  }

  /// Whether clients that connect to the socket's path reach this server.
  package var isReachable: Bool { listener.isCurrent }

  /// Whether the service manager made the socket.
  package var isInherited: Bool { listener.isInherited }

  /// Serves the clients of another socket, and keeps the old socket's clients. After an error the old socket stays in use.
  package func replaceListener(_ new: consuming ObserverListener) throws(ObserverSocketError) {
    do {
      if isAccepting { try poller.poller.add(new.socket.rawValue, token: Self.listenerToken, .readable) }
    } catch {
      new.removeFile()
      throw ObserverSocketError(error)
    }
    stopListening()
    listener = consume new
  }

  /// Accepts no more clients, and keeps the connected ones.
  package func stopListening() {
    guard let old = listener.take() else { return }
    if isAccepting { try? poller.poller.remove(old.socket.rawValue) }
    old.removeFile()
  }

  // MARK: - Facts in

  private func handle(_ event: ServerMachine.Event) {
    carryOut(event)
    performRequests()
  }

  private func carryOut(_ event: ServerMachine.Event) {
    events.append(event)
    guard events.count == 1 else { return }
    // An effect reports its result as an event. The machine hears of it after the other effects.
    while let event = events.first {
      for effect in machine.handle(event, at: BootClock.now) { perform(effect) }
      events.removeFirst()
    }
    timer?.arm(machine.nextDeadline)
  }

  /// Performs requests when no event is being handled: what a request publishes is sent at once, and not after the rest of its work.
  private func performRequests() {
    guard events.isEmpty, !isPerforming else { return }
    isPerforming = true
    while !requests.isEmpty {
      let (request, id, number) = requests.removeFirst()
      onRequest(request, id) { [weak self, queue] response in
        queue.async { [weak self] in self?.handle(.answered(response, id, number: number)) }
      }
    }
    isPerforming = false
  }

  private func handleReady() {
    for (token, what) in poller.poller.takeReady() {
      if token == Self.listenerToken {
        acceptAll()
        continue
      }
      let id = ClientID(token: token)
      guard let connection = connections[id] else { continue }
      if what.contains(.hungUp) {
        // Otherwise the poller would report the client as ready until its last request is done.
        try? poller.poller.remove(connection.socket.rawValue)
        handle(.hungUp(id, rest: rest(of: connection)))
        continue
      }
      if what.contains(.writable) { handle(.writable(id)) }
      if what.contains(.readable), connections[id] != nil { read(id, connection) }
    }
  }

  private func acceptAll() {
    while isAccepting, let listener = listener.rawValue {
      do {
        let connection = Connection(try UnixSocket.accept(from: listener))
        // A client that cannot be served is closed.
        guard let peer = try? UnixSocket.peer(of: connection.socket.rawValue) else { continue }
        arrival = connection
        handle(.connected(isOwnUser: peer.uid == ProcessEnvironment.userID))
        arrival = nil
      } catch {
        // The client disconnected before it was accepted. The next one may be fine.
        if error.isConnectionAborted { continue }
        if !error.isWouldBlock { handle(.acceptFailed) }
        return
      }
    }
  }

  private func read(_ id: ClientID, _ connection: Connection) {
    do {
      handle(.received(try readBytes(from: connection.socket.rawValue, atMost: Self.readSize), from: id))
    } catch {
      if !error.isWouldBlock { handle(.failed(id)) }
    }
  }

  /// What a client sent before it hung up. No more bytes can arrive, and these fit into a socket's buffer.
  private func rest(of connection: Connection) -> [UInt8] {
    var rest: [UInt8] = []
    while let bytes = try? readBytes(from: connection.socket.rawValue, atMost: Self.readSize), !bytes.isEmpty {
      rest += bytes
    }
    return rest
  }

  // MARK: - Effects out

  private func perform(_ effect: ServerMachine.Effect) {
    switch effect {
    case .admit(let id): admit(id)
    case .refuse(let bytes): if let arrival { _ = try? UnixSocket.send(bytes[...], to: arrival.socket.rawValue) }
    case .send(let id): send(to: id)
    case .watch(let id, let reads, let writes): watch(id, reads: reads, writes: writes)
    case .perform(let request, let id, let number): requests.append((request, from: id, number: number))
    case .takeTurn(let id): queue.async { [weak self] in self?.handle(.turnCame(id)) }
    case .left(let id): onLeave(id)
    case .close(let id):
      if let connection = connections.removeValue(forKey: id) {
        try? poller.poller.remove(connection.socket.rawValue)
      }
    case .accept(let isOn): accept(isOn)
    }
  }

  private func admit(_ id: ClientID) {
    guard let arrival else { return }
    connections[id] = arrival
    do {
      try poller.poller.add(arrival.socket.rawValue, token: id.token, .readable)
    } catch {
      handle(.failed(id))
    }
  }

  private func send(to id: ClientID) {
    guard let connection = connections[id] else { return }
    do {
      while let head = machine.head(for: id) {
        machine.sent(try UnixSocket.send(head, to: connection.socket.rawValue), to: id)
      }
    } catch {
      if error.isWouldBlock { return handle(.flushed(id, .full)) }
      return handle(error.isBrokenPipe ? .flushed(id, .broken) : .failed(id))
    }
    handle(.flushed(id, .done))
  }

  private func watch(_ id: ClientID, reads: Bool, writes: Bool) {
    guard let connection = connections[id] else { return }
    var interest: Poller.Interest = []
    if reads { interest.insert(.readable) }
    if writes { interest.insert(.writable) }
    do {
      try poller.poller.change(connection.socket.rawValue, token: id.token, interest)
    } catch {
      handle(.failed(id))
    }
  }

  private func accept(_ isOn: Bool) {
    guard isOn != isAccepting else { return }
    isAccepting = isOn
    guard let listener = listener.rawValue else { return }
    if isOn {
      try? poller.poller.add(listener, token: Self.listenerToken, .readable)
    } else {
      try? poller.poller.remove(listener)
    }
  }
}
