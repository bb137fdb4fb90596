internal import OverlineSystem

/// The sockets of a path watcher, opened together in the network namespace of the calling thread.
///
/// Not thread-safe: a watcher uses them on its queue only.
package final class NetlinkSockets: @unchecked Sendable {
  private(set) var events: EventSocket
  let queries: QuerySocket
  /// Nil where the kernel does not report neighbours to this process: then no router counts as silent.
  private(set) var neighbours: NeighbourSocket?
  private var kicks: KickSocket?
  /// Nil where the kernel does not list its TCP sockets: then no path reports connections without answers.
  private let looker: ConnectionLooker?
  /// The connection that waits for the answer of a silent host.
  private var question: HostQuestion?
  /// Opens a TCP socket in the network namespace of these sockets.
  let openConnection: @Sendable (AddressFamily) -> Int32
  /// False after an error of the neighbour socket. The caller removes it from its poller and then calls ``closeNeighbours()``: a socket
  /// that fails stays ready for ever.
  private(set) var areNeighboursUsable = true
  /// Records every netlink message; nil when recording is off.
  var recorder: (any PathRecorder)? {
    didSet {
      events.socket.recorder = recorder
      queries.recorder = recorder
      neighbours?.socket.recorder = recorder
    }
  }

  /// - Parameters:
  ///   - receiveBuffer: bytes for announcements that wait to be read. Only root can exceed the system's limit.
  ///   - openConnection: opens a TCP socket, later. A test opens it in another network namespace.
  package init(
    receiveBuffer: Int32 = 4 << 20, openConnection: @escaping @Sendable (AddressFamily) -> Int32 = HostQuestion.open
  ) throws(NetlinkError) {
    self.openConnection = openConnection
    events = try EventSocket(receiveBuffer: receiveBuffer)
    queries = try QuerySocket()
    neighbours = try? NeighbourSocket()
    kicks = try? KickSocket()
    looker = try? ConnectionLooker()
  }

  /// A stand-in for the kernel behind all sockets.
  package init(_ kernel: any KernelStandIn) {
    events = EventSocket(NetlinkChannel(kernel))
    queries = QuerySocket(NetlinkChannel(kernel))
    neighbours = NeighbourSocket(NetlinkChannel(kernel))
    kicks = nil
    looker = nil
    openConnection = { _ in -1 }
  }

  /// The number of datagrams to read before the queue's other work.
  private static let batch = 256

  /// Reads the waiting announcements.
  func read() -> [PathMachine.Event] {
    let received: (events: [KernelEvent], lost: Bool)
    do { received = try events.receive(limit: Self.batch) } catch { return [.failed(why: "\(error)")] }
    // The loss comes first, so that no decision uses incomplete tables.
    return (received.lost ? [.overran] : []) + (received.events.isEmpty ? [] : [.received(received.events)])
  }

  /// Discards the waiting announcements, which are older and may have gaps, then reads all links and addresses. Announcements that arrive
  /// meanwhile are read afterwards. The tables may already contain some of them. That is harmless: the newer ones follow.
  package func dump() -> PathMachine.Event {
    do {
      try events.drain()
    } catch {
      return error.code == ENOBUFS ? .overran : .failed(why: "\(error)")
    }
    do {
      let (events, complete) = try queries.dump()
      return .dumped(events, complete: complete)
    } catch {
      return .failed(why: "\(error)")
    }
  }

  // MARK: Routers

  /// Throws the kernel's reason if it does not report changes of the neighbour table to this process.
  package static func checkNeighbours() throws(NetlinkError) { _ = try NeighbourSocket() }

  /// Throws the kernel's reason if it does not list its TCP sockets, or does not count packets.
  package static func checkConnections() throws(NetlinkError) {
    let looker = try ConnectionLooker()
    try looker.check()
    if !looker.countsDatagrams { throw NetlinkError(code: ENOENT, attempt: "read /proc/net/snmp, netstat and dev") }
  }

  /// Nil where the kernel does not list its sockets.
  var diagnostics: SocketDiagnostics? { looker?.diagnostics }

  /// All descriptors that may be polled.
  var descriptors: [Int32] { [events.descriptor] + [neighbourDescriptor, questionDescriptor].compactMap(\.self) }

  /// For polling; nil without neighbours.
  var neighbourDescriptor: Int32? { neighbours?.descriptor }

  func closeNeighbours() { neighbours = nil }

  /// Reads the waiting changes of the neighbour table.
  func readNeighbours() -> [PathMachine.Event] {
    guard let received = try? neighbours?.receive(limit: Self.batch) else {
      areNeighboursUsable = false
      return []
    }
    return (received.changes.isEmpty ? [] : [.neighboursChanged(received.changes)])
      + (received.lost ? [.neighboursOverran] : [])
  }

  /// Without its filter the socket would wake this process for each host of the network.
  func watch(_ routers: [RouterMachine.Watch]) {
    do { try neighbours?.watch(routers) } catch { areNeighboursUsable = false }
  }

  package func read(_ routers: [Gateway]) -> PathMachine.Event { .routersRead(queries.neighbours(routers)) }

  package func countPackets(of links: [Int]) -> PathMachine.Event { .packetsCounted(queries.packets(of: links)) }

  func kick(_ router: Gateway, at now: Duration) { kicks?.send(to: router, at: now) }

  /// Asks a silent host, the next one each time. Returns the descriptor, which becomes writable at the answer; nil without such a host.
  func askHost() -> Int32? {
    guard question == nil, let host = looker?.nextSilentHost() else { return nil }
    question = try? HostQuestion(to: host, on: openConnection)
    return questionDescriptor
  }

  /// For polling; nil without a question.
  var questionDescriptor: Int32? { question?.rawValue }

  /// Closes the connection. Returns whether the host has answered. The caller removes the descriptor from its poller first.
  func endQuestion() -> Bool {
    defer { question = nil }
    return question?.isAnswered ?? false
  }

  /// Looks at the machine's TCP connections; nil if the kernel did not list them.
  ///
  /// - Parameter isAnswered: whether a silent host has answered.
  func look(
    _ depth: ConnectionLook.Depth, _ machine: PathMachine, isAnswered: Bool, at now: Duration
  ) -> ConnectionLook? {
    var look = try? looker?.look(
      depth, routers: machine.connections.routers,
      tunnels: machine.path.map(machine.tables.tunnels) ?? [], tables: machine.tables)
    look?.routers.merge(kicks?.takeRefusals(at: now) ?? [:]) { min($0, $1) }
    if isAnswered { look?.heardAge = .zero }
    recorder?.note(.connections(look))
    return look
  }

  /// Looks at the figures of the machine's TCP connections; nil if the kernel did not list them.
  func lookAtQuality(_ machine: PathMachine) -> QualityLook? {
    guard let path = machine.path else { return nil }
    return try? looker?.quality(of: path, tables: machine.tables)
  }

  /// No look follows for a while.
  func forgetConnections() { looker?.forget() }

  /// Receives the routes that cover these networks too: they decide about targets, nameservers and tunnels. Call this before ``evaluate``, since
  /// earlier routes were dropped.
  func pass(_ networks: [IPPrefix]) throws(NetlinkError) {
    do throws(NetlinkError) { try events.pass(networks) } catch {
      recorder?.note(.failed(errno: error.code))
      throw error
    }
  }

  /// Decides the path. Fails if the kernel left a question unanswered.
  package func evaluate(
    _ machine: PathMachine, options: PathOptions, host: any HostInfo
  ) -> PathMachine.Event {
    let oracle = KernelOracle(queries: queries, host: host)
    let decision = PathDecision(
      tables: machine.tables, options: options, lastUsed: machine.lastUsed, silentRouters: machine.silentRouters,
      tunnels: machine.tunnels.knowledge, endsOutage: machine.isOffline, oracle: oracle)
    do {
      return .evaluated(try queries.answered(decision.evaluation))
    } catch {
      return .failed(why: "\(error)")
    }
  }
}

extension PathMachine.Event {
  /// The machine's events for a recorded or live event. Reads the waiting announcements if it means that some can be read.
  package static func all(of event: WatcherEvent, sockets: NetlinkSockets?) -> [PathMachine.Event] {
    switch event {
    case .deadlinePassed: [.deadlinePassed]
    case .clockStepped: [.clockStepped]
    case .resolverChanged: [.resolverChanged]
    case .readable: sockets?.read() ?? []
    case .neighboursReadable: sockets?.readNeighbours() ?? []
    case .hostAnswered: [.hostAnswered]
    // Results of the machine's effects, not events from outside.
    case .opened, .dumped, .evaluated, .routersRead, .connectionsLooked, .packetsCounted: []
    }
  }
}
