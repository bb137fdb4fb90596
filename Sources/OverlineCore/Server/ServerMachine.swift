/// The server of the observers' protocol without its sockets: bytes come in, bytes and requests go out.
///
/// Each client gets the current state when it connects, and then every change. It may send requests on the same connection; each has one
/// answer, in order. No client can make the server wait or grow: a slow reader gets only the newest state, at most
/// ``Outbox/maximumAnswers`` answers wait for it, and a client that has read nothing for ``Limits/stall`` while output is due is dropped.
///
/// The shell accepts, reads and writes. For ``Effect/send(_:)`` it takes bytes with ``head(for:)``, reports what the kernel has accepted with
/// ``sent(_:to:)``, and ends with ``Event/flushed(_:_:)``. It carries out all effects of an event before it reports the next one.
package struct ServerMachine {
  package struct Limits: Equatable, Sendable {
    /// The maximum number of clients, twice the promised number. A further client gets an error and is closed.
    package var clients = 2000
    /// How long a client may read nothing while output is due.
    package var stall: Duration = .seconds(10)
    /// How long to wait before accepting again when the process has no descriptor left.
    package var exhaustedRetry: Duration = .seconds(1)
    /// The rate limit of one client's requests, without requests for the network's state.
    package var requests = RequestAllowance.Rate()

    package init() {}
  }

  /// How the writing to a client ended.
  package enum Flush: Equatable, Sendable {
    case done
    /// The client's socket accepts no more bytes now.
    case full
    /// The client reads no more. It may have written its last requests before.
    case broken
  }

  /// Large values are indirect, also in ``Effect``: a change for a thousand clients makes an effect and an event for each.
  package enum Event: Equatable, Sendable {
    /// A client waits to be admitted.
    ///
    /// - Parameter isOwnUser: whether it belongs to the user of this process.
    case connected(isOwnUser: Bool)
    /// - Parameter bytes: empty if the client has closed its sending half (`nc -U … </dev/null`).
    case received([UInt8], from: ClientID)
    /// The client gets no answers any more, but its earlier requests are still performed.
    ///
    /// - Parameter rest: the last bytes that it has sent.
    case hungUp(ClientID, rest: [UInt8])
    case flushed(ClientID, Flush)
    /// Reading, writing or polling failed.
    case failed(ClientID)
    case writable(ClientID)
    /// The client's next turn has come, after ``Effect/takeTurn(_:)``.
    case turnCame(ClientID)
    /// The answer to the request with this number.
    indirect case answered(ObserverResponse, ClientID, number: UInt64)
    indirect case published(ObserverState)
    /// No descriptor is left for the next client, or the listening socket is broken.
    case acceptFailed
    /// The clock may have reached ``ServerMachine/nextDeadline``. Early, late and repeated deliveries are harmless.
    case deadlineReached
  }

  package enum Effect: Equatable, Sendable {
    case admit(ClientID)
    /// Send these bytes to the client that waits, and close it.
    case refuse([UInt8])
    case send(ClientID)
    /// Poll the client's socket for reading and writing. Its end is always reported.
    case watch(ClientID, reads: Bool, writes: Bool)
    /// Perform the request, and answer it once with its number. Until then the client's further requests wait.
    indirect case perform(ObserverRequest, ClientID, number: UInt64)
    /// Deliver ``Event/turnCame(_:)`` after what else waits on the queue.
    case takeTurn(ClientID)
    /// End what this client owns: it has hung up. Sent while one of its requests is being performed, and again after its last one.
    case left(ClientID)
    case close(ClientID)
    /// Whether to accept clients. A level-triggered poller would report a socket that cannot be accepted again and again.
    case accept(Bool)
  }

  private let limits: Limits
  private typealias Clients = [ClientID: ServedClient]

  private var clients: Clients = [:]
  private var lastToken: UInt64 = 0
  private var newestState: ObserverState?
  /// When ``newestState`` was published.
  private var newestTime = Duration.zero
  /// ``newestState`` in the formats that clients read. Each format is made once, not for every client.
  private var newestLines = StateLines()
  private var acceptAgainAt: Duration?
  /// The time when ``Event/deadlineReached`` is due. It stays when its reason disappears: a delivery without due work is harmless and rare.
  package private(set) var nextDeadline: Duration?

  package init(_ limits: Limits = Limits()) {
    self.limits = limits
  }

  /// The number of connected clients.
  package var clientCount: Int { clients.count }

  /// The number of clients that follow the state in a status bar's format.
  package var barCount: Int { clients.values.count { $0.format.isBar } }

  /// - Parameter now: the time since boot.
  package mutating func handle(_ event: Event, at now: Duration) -> [Effect] {
    switch event {
    case .connected(let isOwnUser): return admit(isOwnUser: isOwnUser)
    case .received(let bytes, let id): return serve(id, at: now) { $0.receive(bytes) }
    case .hungUp(let id, let rest): return serve(id, at: now) { $0.hangUp(rest: rest) }
    case .flushed(let id, let flush): return finish(flush, id, at: now)
    case .failed(let id): return drop(id)
    case .writable(let id): return clients[id] == nil ? [] : [.send(id)]
    case .turnCame(let id): return serve(id, at: now) { $0.beginTurn() }
    case .answered(let response, let id, let number):
      guard clients[id]?.endRequest(number, response) == true else { return [] }
      return serve(id, at: now)
    case .published(let state): return publish(state, at: now)
    case .acceptFailed:
      guard acceptAgainAt == nil else { return [] }
      acceptAgainAt = now + limits.exhaustedRetry
      wake(noLaterThan: now + limits.exhaustedRetry)
      return [.accept(false)]
    case .deadlineReached: return handleDeadline(at: now)
    }
  }

  // MARK: - Output

  /// The bytes to send to a client now; nil for none.
  package mutating func head(for id: ClientID) -> ArraySlice<UInt8>? {
    guard let index = clients.index(forKey: id) else { return nil }
    let line = newestLine(clients.values[index].format)
    return clients.values[index].outbox.head(newestState: line)
  }

  /// The kernel has accepted so many bytes of the head.
  package mutating func sent(_ count: Int, to id: ClientID) {
    guard let index = clients.index(forKey: id) else { return }
    clients.values[index].outbox.sent(count)
    clients.values[index].stalledSince = nil
  }

  private mutating func finish(_ flush: Flush, _ id: ClientID, at now: Duration) -> [Effect] {
    if flush == .full { wake(noLaterThan: now + limits.stall) }
    return serve(id, at: now) { client in
      switch flush {
      case .done: break
      case .full: client.stalledSince = client.stalledSince ?? now
      // The poller reports the client as hung up later. Its last requests are read then.
      case .broken: client.dropOutput()
      }
    }
  }

  private mutating func publish(_ state: ObserverState, at now: Duration) -> [Effect] {
    let announcement = state.hasNewOverlay(since: newestState) ? Array((state.announcement + "\n").utf8) : nil
    newestState = state
    newestTime = now
    let oldLines = newestLines
    newestLines = StateLines()
    var effects: [Effect] = []
    effects.reserveCapacity(clients.count)
    // Some changes, such as of a phase, do not change the text of a format. Then its clients get nothing.
    var news: [ObserverFormat: Bool] = [:]
    // All clients wait for this: they are not looked up one by one. A loop over `clients.indices` would keep a second reference to the
    // clients, and the first change would copy all of them.
    var index = clients.startIndex
    while index != clients.endIndex {
      defer { clients.formIndex(after: &index) }
      if clients.values[index].isGone { continue }
      let format = clients.values[index].format
      let isNews = news[format] ?? (newestLine(format) != oldLines[format])
      news[format] = isNews
      if isNews { clients.values[index].outbox.addState() }
      if let announcement, format == .text {
        clients.values[index].outbox.add(announcement: announcement)
      } else if !isNews {
        continue
      }
      // Do not write to a stalled client before it reads: its socket's buffer is still full.
      if clients.values[index].stalledSince == nil { effects.append(.send(clients.keys[index])) }
    }
    return effects
  }

  private mutating func newestLine(_ format: ObserverFormat) -> [UInt8]? {
    if let line = newestLines[format] { return line }
    guard let newestState else { return nil }
    let line = format.line(newestState)
    newestLines[format] = line
    return line
  }

  // MARK: - Clients

  private mutating func admit(isOwnUser: Bool) -> [Effect] {
    if !isOwnUser {
      return [.refuse(.refusal(.refused, "this monitor belongs to another user; it serves its own user only"))]
    }
    if clients.count >= limits.clients {
      return [.refuse(.refusal(.tooManyClients, "this monitor serves \(limits.clients) clients already"))]
    }
    lastToken += 1
    let id = ClientID(token: lastToken)
    clients[id] = ServedClient(limits.requests)
    return [.admit(id), .send(id)]
  }

  private mutating func drop(_ id: ClientID) -> [Effect] {
    guard clients.removeValue(forKey: id) != nil else { return [] }
    let isAcceptDue = acceptAgainAt != nil
    acceptAgainAt = nil
    // Its descriptor is free for the next client.
    return [.left(id), .close(id)] + (isAcceptDue ? [.accept(true)] : [])
  }

  private mutating func handleDeadline(at now: Duration) -> [Effect] {
    nextDeadline = nil
    var effects: [Effect] = []
    if let time = acceptAgainAt, time <= now {
      acceptAgainAt = nil
      effects.append(.accept(true))
    }
    let late = clients.filter { $0.value.stalledSince.map { $0 + limits.stall <= now } ?? false }
    for id in late.keys { effects += drop(id) }
    if let since = clients.values.compactMap(\.stalledSince).min() { wake(noLaterThan: since + limits.stall) }
    if let acceptAgainAt { wake(noLaterThan: acceptAgainAt) }
    return effects
  }

  private mutating func wake(noLaterThan time: Duration) {
    nextDeadline = nextDeadline.map { min($0, time) } ?? time
  }

  // MARK: - Requests

  /// Makes a change to a client and answers its requests as far as possible. Then says what to do with the client.
  private mutating func serve(
    _ id: ClientID, at now: Duration, after change: (inout ServedClient) -> Void = { _ in }
  ) -> [Effect] {
    // Looked up once: a state for a thousand clients comes by here a thousand times.
    guard let index = clients.index(forKey: id) else { return [] }
    change(&clients.values[index])
    var effects: [Effect] = []
    while let line = clients.values[index].nextLine() {
      if let effect = handle(line, from: id, at: index, now) { effects.append(effect) }
      if clients.values[index].endLine() { effects.append(.takeTurn(id)) }
    }
    if clients.values[index].isGone {
      if clients.values[index].isReadyForRequests { return effects + drop(id) }
      return clients.values[index].isBusy ? effects + [.left(id)] : effects
    }
    let isFull = clients.values[index].stalledSince != nil
    if !isFull, clients.values[index].outbox.hasOutput(hasState: newestState != nil) { effects.append(.send(id)) }
    if let (reads, writes) = clients.values[index].takeNewInterest() {
      effects.append(.watch(id, reads: reads, writes: writes))
    }
    return effects
  }

  private mutating func handle(
    _ line: LineBuffer.Line, from id: ClientID, at index: Clients.Index, _ now: Duration
  ) -> Effect? {
    do throws(ProtocolError) {
      switch line {
      case .tooLong: clients.values[index].outbox.add(answer: ObserverResponse(.lineTooLong).jsonLine)
      case .complete([]): break
      case .complete(let bytes): return try perform(ObserverRequest(line: bytes), for: id, at: index, now)
      }
    } catch {
      clients.values[index].outbox.add(answer: ObserverResponse(error).jsonLine)
    }
    return nil
  }

  private mutating func perform(
    _ request: ObserverRequest, for id: ClientID, at index: Clients.Index, _ now: Duration
  ) throws(ProtocolError) -> Effect? {
    switch request {
    case .watch(let format):
      clients.values[index].format = format
      clients.values[index].outbox.add(answer: ObserverResponse.ok().jsonLine)
      clients.values[index].outbox.addState()
      return nil
    case .status(let format):
      guard let newestState else {
        throw ProtocolError(.noState, "the monitor has no state yet, because it has just started; ask again")
      }
      // The other formats have the state's time.
      let words = format == .text ? newestState.aged(by: Int((now - newestTime).components.seconds)) : newestState
      clients.values[index].outbox.add(
        answer: format.map { StatusText(words, as: $0).bytes } ?? ObserverResponse.statusLine(newestState))
      return nil
    case .present, .dismiss, .dismissClaim, .toast, .dismissToast, .alert, .reload, .refresh, .metrics, .tmuxAttach,
      .tmuxDetach, .tmuxStatus:
      try clients.values[index].allowance.consume(at: now)
      return .perform(request, id, number: clients.values[index].beginRequest())
    }
  }
}

extension [UInt8] {
  fileprivate static func refusal(_ code: ProtocolError.Code, _ message: String) -> [UInt8] {
    ObserverResponse(ProtocolError(code, message)).jsonLine
  }
}
