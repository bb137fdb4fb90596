package import Dispatch
package import OverlineCore
internal import OverlineSystem

/// Serves the state to every client of a unix socket, and handles their requests.
///
/// Each client gets the current state when it connects, and then every change. It may send requests on the same connection; each has one
/// answer, in order. No client can make the server wait or grow: writes never block, and a slow reader gets only the newest state. A client
/// that has read nothing for ten seconds while output is due is dropped.
///
/// All work runs on the queue given at the start. Call every method there. SIGPIPE cannot happen (`MSG_NOSIGNAL`).
package final class ObserverServer: @unchecked Sendable {
  /// Called on the queue for every request except `watch` and `status`, which the server answers. The completion may be called from
  /// any thread, once; until then the client's further requests wait.
  package typealias RequestHandler =
    @Sendable (ObserverRequest, ClientID, _ completion: @escaping @Sendable (ObserverResponse) -> Void) -> Void

  // All state is used on `queue` only, which makes this class Sendable.
  private let queue: DispatchQueue
  private let limits: Limits
  private let onRequest: RequestHandler
  private let onLeave: @Sendable (ClientID) -> Void
  private let poller: SharedPoller
  private var listener: ObserverListener?
  private var source: ReadSource?
  private var timer: DeadlineTimer?
  private var timerDeadline: Duration?
  private var clients: [UInt64: ServedClient] = [:]
  private var nextToken = listenerToken + 1
  private var newestState: ObserverState?
  /// ``newestState`` in the formats that clients read. Each format is made once, not for every client.
  private var newestLines = StateLines()
  /// Set while the listening socket is not polled, because its next client could not be accepted.
  private var acceptAgainAt: Duration?

  private static let listenerToken: UInt64 = 0
  /// The maximum number of one client's requests per turn on the queue. It limits the delay that a flooding client causes for others.
  private static let requestsPerTurn = 64

  /// Serves the clients of a socket.
  ///
  /// - Parameter onLeave: called on the queue when a client has hung up: first while one of its requests is being performed, and again
  ///   after its last request. The client's overlays then have no owner, and no client waits for the answer.
  package init(
    listener: consuming ObserverListener, queue: DispatchQueue, limits: Limits = Limits(),
    onRequest: @escaping RequestHandler,
    onLeave: @escaping @Sendable (ClientID) -> Void = { _ in }
  ) throws(ObserverSocketError) {
    self.queue = queue
    self.limits = limits
    self.onRequest = onRequest
    self.onLeave = onLeave
    do {
      poller = SharedPoller(try Poller())
      try poller.poller.add(listener.socket.rawValue, token: Self.listenerToken, .readable)
      self.listener = consume listener
      timer = try DeadlineTimer(queue: queue) { [weak self] in self?.handleDeadline() }
      source = try ReadSource(poller, queue: queue) { [weak self] in self?.handleReady() }
    } catch {
      throw ObserverSocketError(error)
    }
  }

  /// Listens at `path` itself.
  package convenience init(
    path: String, queue: DispatchQueue, limits: Limits = Limits(), onRequest: @escaping RequestHandler,
    onLeave: @escaping @Sendable (ClientID) -> Void = { _ in }
  ) throws(ObserverSocketError) {
    try self.init(
      listener: ObserverListener(path: path), queue: queue, limits: limits, onRequest: onRequest, onLeave: onLeave)
  }

  /// The number of connected clients.
  var clientCount: Int { clients.count }

  /// The number of clients that follow the state in a status bar's format.
  package var barCount: Int { clients.values.count { $0.format.isBar } }

  /// Sends a state to all clients; later clients get it as their first message.
  package func publish(_ state: ObserverState) {
    let announcement = state.hasNewOverlay(since: newestState) ? Array((state.announcement + "\n").utf8) : nil
    newestState = state
    let oldLines = newestLines
    newestLines = StateLines()
    for client in clients.values {
      // Some changes, such as of a phase, do not change the text of a format. Then its clients get nothing.
      let isNews = newestLine(client.format) != oldLines[client.format]
      if isNews { client.outbox.addState() }
      if let announcement, client.format == .text {
        client.outbox.add(announcement: announcement)
      } else if !isNews {
        continue
      }
      // Do not write to a stalled client before it reads: its socket's buffer is still full.
      if client.stalledSince == nil { flush(client) }
    }
    // Let the clients run now: the kernel may have queued them on this processor, because it expects a sender to sleep soon.
    Processor.yield()
  }

  private func newestLine(_ format: ObserverFormat) -> [UInt8]? {
    if let line = newestLines[format] { return line }
    guard let newestState else { return nil }
    let line = format.line(newestState)
    newestLines[format] = line
    return line
  }

  /// Closes every connection, and removes the socket file if this process made it. Harmless when repeated.
  package func close() {
    stopListening()
    clients = [:]
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
      try poller.poller.add(new.socket.rawValue, token: Self.listenerToken, .readable)
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
    if acceptAgainAt == nil { try? poller.poller.remove(old.socket.rawValue) }
    acceptAgainAt = nil
    old.removeFile()
  }

  // MARK: - Events

  private func handleReady() {
    for (token, what) in poller.poller.takeReady() {
      if token == Self.listenerToken {
        acceptAll()
      } else if let client = clients[token] {
        if what.contains(.hungUp) {
          handleHangUp(of: client)
          continue
        }
        if what.contains(.writable) { flush(client) }
        if what.contains(.readable), isServed(client) { read(client) }
      }
    }
  }

  private func acceptAll() {
    while let listener = listener.rawValue {
      let socket: FileDescriptor
      do {
        socket = try UnixSocket.accept(from: listener)
      } catch {
        // The client disconnected before it was accepted. The next one may be fine.
        if error.isConnectionAborted { continue }
        if !error.isWouldBlock { stopAccepting() }
        return
      }
      // A client that cannot be served is closed.
      try? admit(socket)
    }
  }

  private func admit(_ socket: consuming FileDescriptor) throws(SystemError) {
    let peer = try UnixSocket.peer(of: socket.rawValue)
    guard peer.uid == ProcessEnvironment.userID else {
      return refuse(
        socket, ProtocolError(.refused, "this monitor belongs to another user; it serves its own user only"))
    }
    guard clients.count < limits.clients else {
      return refuse(socket, ProtocolError(.tooManyClients, "this monitor serves \(limits.clients) clients already"))
    }
    let client = ServedClient(token: nextToken, socket: socket, allowance: RequestAllowance(limits.requests))
    nextToken += 1
    try poller.poller.add(client.descriptor, token: client.token, .readable)
    clients[client.token] = client
    client.outbox.addState()
    flush(client)
  }

  private func refuse(_ socket: consuming FileDescriptor, _ error: ProtocolError) {
    _ = try? UnixSocket.send(ObserverResponse(error).jsonLine[...], to: socket.rawValue)
  }

  // No descriptor is left, or the socket is broken. A level-triggered poller would report the socket again and again, so stop polling it
  // until a client leaves or a second has passed.
  private func stopAccepting() {
    guard acceptAgainAt == nil, let listener = listener.rawValue else { return }
    try? poller.poller.remove(listener)
    let time = BootClock.now + limits.exhaustedRetry
    acceptAgainAt = time
    armTimer(noLaterThan: time)
  }

  private func startAccepting() {
    guard acceptAgainAt != nil, let listener = listener.rawValue else { return }
    acceptAgainAt = nil
    try? poller.poller.add(listener, token: Self.listenerToken, .readable)
  }

  private func handleDeadline() {
    let now = BootClock.now
    timerDeadline = nil
    if let time = acceptAgainAt, time <= now { startAccepting() }
    for client in clients.values {
      if let since = client.stalledSince, since + limits.stall <= now { drop(client) }
    }
    let next = clients.values.compactMap(\.stalledSince).min().map { $0 + limits.stall }
    if let next = [next, acceptAgainAt].compactMap(\.self).min() { armTimer(noLaterThan: next) }
  }

  /// The timer is never disarmed early. A delivery without due work is harmless and rare.
  private func armTimer(noLaterThan deadline: Duration) {
    if let timerDeadline, timerDeadline <= deadline { return }
    timerDeadline = deadline
    timer?.arm(deadline)
  }

  private func isServed(_ client: ServedClient) -> Bool { clients[client.token] === client }

  private func drop(_ client: ServedClient) {
    guard clients.removeValue(forKey: client.token) != nil else { return }
    onLeave(ClientID(token: client.token))
    // The socket closes with the last reference to the client.
    try? poller.poller.remove(client.descriptor)
    if acceptAgainAt != nil { queue.async { [weak self] in self?.startAccepting() } }
  }

  // MARK: - Requests

  private func read(_ client: ServedClient) {
    do {
      let bytes = try readBytes(from: client.descriptor, atMost: 16384)
      // The client may have closed only its sending half (`nc -U … </dev/null`): serve it until it hangs up.
      if bytes.isEmpty { client.hasInputEnded = true } else { client.input.append(bytes) }
    } catch {
      if !error.isWouldBlock { return drop(client) }
    }
    serve(client)
  }

  /// Handles a client that has hung up: it gets no answers, but its earlier requests are still performed.
  private func handleHangUp(of client: ServedClient) {
    client.isGone = true
    // Otherwise the poller would report the client as ready until its last request is done.
    try? poller.poller.remove(client.descriptor)
    // No more bytes can arrive, and the rest fits into a socket's buffer.
    while let bytes = try? readBytes(from: client.descriptor, atMost: 16384), !bytes.isEmpty {
      client.input.append(bytes)
    }
    flush(client)
    serve(client)
  }

  private func serve(_ client: ServedClient) {
    var turn = 0
    // Writing the last answer may have dropped the client.
    while isServed(client), client.isReadyForRequests, let line = client.input.next() {
      handle(line, from: client)
      flush(client)
      turn += 1
      if turn == Self.requestsPerTurn {
        serveLater(client)
      }
    }
    guard isServed(client) else { return }
    if client.isGone, client.isReadyForRequests { return drop(client) }
    if client.isGone, client.isBusy { onLeave(ClientID(token: client.token)) }
    watch(client)
  }

  private func serveLater(_ client: ServedClient) {
    let token = client.token
    client.isWaitingForTurn = true
    queue.async { [weak self] in
      guard let self, let client = clients[token] else { return }
      client.isWaitingForTurn = false
      serve(client)
    }
  }

  private func handle(_ line: LineBuffer.Line, from client: ServedClient) {
    switch line {
    case .tooLong: client.outbox.add(answer: ObserverResponse(.lineTooLong).jsonLine)
    case .complete([]): break
    case .complete(let bytes):
      do {
        try perform(ObserverRequest(line: bytes), for: client)
      } catch {
        client.outbox.add(answer: ObserverResponse(error).jsonLine)
      }
    }
  }

  private func perform(_ request: ObserverRequest, for client: ServedClient) throws(ProtocolError) {
    switch request {
    case .watch(let format):
      client.format = format
      client.outbox.add(answer: ObserverResponse.ok().jsonLine)
      client.outbox.addState()
    case .status(let format):
      guard let newestState else {
        throw ProtocolError(.noState, "the monitor has no state yet, because it has just started; ask again")
      }
      client.outbox.add(
        answer: format.map { StatusText(newestState, as: $0).bytes } ?? ObserverResponse.statusLine(newestState))
    case .present, .dismiss, .dismissClaim, .toast, .dismissToast, .alert, .reload, .refresh, .metrics, .tmuxAttach,
      .tmuxDetach,
      .tmuxStatus:
      try client.allowance.consume(at: BootClock.now)
      client.requestNumber += 1
      client.isBusy = true
      let (token, number) = (client.token, client.requestNumber)
      onRequest(request, ClientID(token: token)) { [weak self, queue] response in
        queue.async { [weak self] in self?.answer(response, to: token, number: number) }
      }
    }
  }

  private func answer(_ response: ObserverResponse, to token: UInt64, number: UInt64) {
    guard let client = clients[token], client.isBusy, client.requestNumber == number else { return }
    client.isBusy = false
    client.outbox.add(answer: response.jsonLine)
    flush(client)
    serve(client)
  }

  // MARK: - Writing

  private func flush(_ client: ServedClient) {
    if client.isGone { client.outbox = Outbox() }
    let wasFull = client.outbox.isFull
    do {
      while let head = client.outbox.head(newestState: newestLine(client.format)) {
        client.outbox.sent(try UnixSocket.send(head, to: client.descriptor))
        client.stalledSince = nil
      }
    } catch {
      // The poller later reports the closed client as hung up. Its last requests are read then.
      if error.isBrokenPipe { client.outbox = Outbox() }
      guard error.isWouldBlock || error.isBrokenPipe else { return drop(client) }
      if error.isWouldBlock, client.stalledSince == nil {
        let now = BootClock.now
        client.stalledSince = now
        armTimer(noLaterThan: now + limits.stall)
      }
    }
    watch(client)
    // Requests that arrived while the answers were unread are still in the buffer.
    if wasFull, !client.outbox.isFull, !client.input.isEmpty, !client.isWaitingForTurn { serveLater(client) }
  }

  /// Updates the poller's interest in this client.
  private func watch(_ client: ServedClient) {
    guard isServed(client), !client.isGone else { return }
    var interest: Poller.Interest = []
    if client.isReadyForRequests, !client.hasInputEnded { interest.insert(.readable) }
    if client.stalledSince != nil { interest.insert(.writable) }
    guard interest != client.interest else { return }
    client.interest = interest
    do {
      try poller.poller.change(client.descriptor, token: client.token, interest)
    } catch {
      drop(client)
    }
  }
}
