/// The state machine of a path monitor, as a value: when to look, when to wait and what to publish.
///
/// Its driver owns the sockets. It passes in events, performs the effects in order, and calls again with
/// ``Event/deadlinePassed`` when ``nextDeadline`` has come; early, late and repeated deliveries are harmless.
package struct PathMachine: Sendable {
  package enum Event: Equatable, Sendable {
    /// The sockets are open and subscribed.
    case opened
    /// A socket could not be opened, or failed for good; `why` describes the failure.
    case failed(why: String)
    /// The tables from the kernel's dump. `complete` is false when the kernel reported an interruption.
    case dumped([KernelEvent], complete: Bool)
    case received([KernelEvent])
    /// The kernel dropped messages (`ENOBUFS`).
    case overran
    indirect case evaluated(PathEvaluation)
    /// Another process has found these routers silent.
    case silenceReported([Gateway: RouterSilence])
    /// Changes of the routers' entries in the neighbour table.
    case neighboursChanged([Neighbour])
    /// The routers' entries, read from the neighbour table.
    case routersRead([Neighbour])
    /// The kernel dropped messages about neighbours.
    case neighboursOverran
    /// The look at the TCP connections; nil if it failed.
    indirect case connectionsLooked(ConnectionLook?)
    /// The look at the quality of the connection; nil if it failed.
    indirect case qualityLooked(QualityLook?)
    /// A host that had stopped answering has accepted or refused a new connection.
    case hostAnswered
    /// The packets of tunnels, by the tunnel's index.
    case packetsCounted([Int: PacketCount])
    /// The running monitor's word about a tunnel, before the first look.
    case tunnelReported(TunnelWord)
    /// The running monitor is offline, before the first look.
    case outageReported
    /// The wall clock was set, or the machine has woken from suspend.
    case clockStepped
    /// The nameservers have changed.
    case resolverChanged
    /// The user's options about interfaces and networks have changed.
    case optionsChanged
    case deadlinePassed
  }

  package enum Effect: Equatable, Sendable {
    case open
    /// Close the sockets.
    case close
    /// Discard the waiting announcements, then read all links and addresses. If announcements arrive faster than they can be read, the
    /// answer is ``Event/overran``.
    case dump
    /// Decide the path from ``PathMachine/tables`` and return it as an event.
    case evaluate
    indirect case publish(NWPath)
    /// Receive messages about these routers only.
    case watchRouters([RouterMachine.Watch])
    /// Read the entries of these routers and return them as an event.
    case readRouters([Gateway])
    /// Send an empty datagram to this router.
    indirect case kick(Gateway)
    /// Look at the TCP connections, and return the look as an event.
    case lookAtConnections(ConnectionLook.Depth)
    /// Look at the figures of the TCP connections, and return the look as an event.
    case lookAtQuality
    /// Open a TCP connection to one of the hosts that the last looks found silent, and return its answer as an event. Close it before the
    /// next look.
    case askHost
    /// Read the packet counters of these links, and return them as an event.
    case countPackets([Int])
    /// Several new connections wait for their first answer: a server that a check asks may tell whether the network answers.
    case suggestCheck
  }

  public private(set) var tables = NetworkTables()
  public private(set) var counters = Counters()
  /// The last path published.
  public private(set) var path: NWPath?
  /// The interfaces of the last satisfied path, including those under its tunnels. They explain an outage.
  public private(set) var lastUsed: [NWInterface] = []
  /// Decides which routers do not answer.
  public private(set) var routers = RouterMachine()
  /// Decides whether anything beyond the routers answers.
  public private(set) var connections = ConnectionMachine()
  /// Decides whether anything leaves this machine.
  public private(set) var sending = SendingMachine()
  /// Remembers the tunnels, and decides which are alive in spite of a dead link under them.
  public private(set) var tunnels = TunnelMachine()
  /// Measures how good the connection is.
  public private(set) var quality = QualityMachine()
  /// The last decision, without what the connections say.
  private var decided: NWPath?
  private var reading = ReadingSchedule()
  /// The time until which the end of an outage waits for a router's answer.
  private var returnsAt: Duration?
  /// Whether the running monitor was offline before the first path.
  private var beganOffline = false
  /// The links that have come up since the last satisfied path.
  private var cameUp: Set<Int> = []
  /// The time at which the first router-advertised route expires in the kernel.
  private var routeEnd: Duration?
  /// While the last look found a gap (``PathEvaluation/gaps``): the time from which on it is an outage.
  private var gapEnd: Duration?

  /// The pause between a route's end and the next look. The kernel counts the lifetime in hundredths of a second, and its own clock for the
  /// end may be as coarse.
  private static let routeEndPause = Duration.milliseconds(50)
  /// The longest time for which the end of an outage waits for a router's answer. The kernel gives up a question after three seconds.
  package static let maximumWait = Duration.seconds(4)
  private let unannouncedInterval: Duration

  /// - Parameter unannouncedInterval: how often to look while the path may change without an announcement.
  package init(unannouncedInterval: Duration = .seconds(30)) {
    self.unannouncedInterval = unannouncedInterval
  }

  package var nextDeadline: Duration? {
    [
      reading.nextDeadline, returnsAt, routers.nextDeadline, connections.nextDeadline, sending.nextDeadline,
      tunnels.nextDeadline, quality.nextDeadline,
    ].compactMap(\.self).min()
  }

  /// The routers that do not answer.
  package var silentRouters: [Gateway: RouterSilence] {
    var silent = routers.silent
    for (gateway, silence) in silent where silence == .unheard && cameUp.contains(gateway.interface) {
      silent[gateway] = .sinceLinkUp
    }
    return silent
  }

  /// Whether a path that is satisfied would end an outage.
  package var isOffline: Bool { path.map { $0.status == .unsatisfied } ?? beganOffline }

  package mutating func handle(_ event: Event, at now: Duration) -> [Effect] {
    switch event {
    case .opened: return follow(.opened, at: now) + perform(reading.opened())
    case .failed(let why): return handleFailed(.unknown(because: why), at: now)
    case .dumped(let events, let complete): return handleDumped(events, complete: complete, at: now)
    case .received(let events): return handleReceived(events, at: now)
    case .overran:
      counters.overruns += 1
      reading.overran(at: now)
      return []
    case .evaluated(let evaluation): return handleEvaluated(evaluation, at: now)
    case .silenceReported(let silent): return follow(.reported(silent), at: now)
    case .neighboursChanged(let neighbours):
      return follow(.changed(neighbours), at: now) + observe(.changed(neighbours), at: now)
    case .routersRead(let neighbours): return follow(.read(neighbours), at: now)
    case .neighboursOverran: return follow(.overran, at: now)
    case .connectionsLooked(let look): return observe(look.map { .looked($0) } ?? .lookFailed, at: now)
    case .qualityLooked(let look): return measure(.looked(look), at: now)
    case .hostAnswered: return observe(.hostAnswered, at: now)
    case .packetsCounted(let counts): return judge(.counted(counts), at: now)
    case .tunnelReported(let word): return judge(.told(word), at: now)
    case .outageReported:
      beganOffline = true
      return []
    case .clockStepped:
      returnsAt = nil
      return follow(.clockStepped, at: now) + observe(.clockStepped, at: now) + judge(.clockStepped, at: now)
        + measure(.clockStepped, at: now) + perform(reading.clockStepped())
    // Handled like a message, since one edit of a file may cause several events.
    case .resolverChanged, .optionsChanged: return handleReceived([], at: now)
    case .deadlinePassed:
      return endWait(at: now) + follow(.deadlinePassed, at: now) + observe(.deadlinePassed, at: now)
        + judge(.deadlinePassed, at: now) + measure(.deadlinePassed, at: now) + perform(reading.deadlinePassed(at: now))
    }
  }

  private mutating func follow(_ event: RouterMachine.Event, at now: Duration) -> [Effect] {
    routers.handle(event, at: now).flatMap { effect -> [Effect] in
      switch effect {
      case .watch(let routers): [.watchRouters(routers)]
      case .read(let gateways): [.readRouters(gateways)]
      case .kick(let gateway): [.kick(gateway)]
      case .decide: decideAgain(at: now)
      }
    }
  }

  private mutating func observe(_ event: ConnectionMachine.Event, at now: Duration) -> [Effect] {
    (connections.handle(event, at: now) + sending.handle(event, at: now)).withOneLook.flatMap { effect -> [Effect] in
      switch effect {
      case .look(let depth): [.lookAtConnections(depth)]
      case .kick(let gateway): [.kick(gateway)]
      case .ask: [.askHost]
      case .suggestCheck: [.suggestCheck]
      case .publish: decided.map { publish($0) } ?? []
      }
    }
  }

  private mutating func judge(_ event: TunnelMachine.Event, at now: Duration) -> [Effect] {
    tunnels.handle(event, at: now).flatMap { effect -> [Effect] in
      switch effect {
      case .count(let tunnels): [.countPackets(tunnels)]
      case .decide: decideAgain(at: now)
      }
    }
  }

  private mutating func measure(_ event: QualityMachine.Event, at now: Duration) -> [Effect] {
    quality.handle(event, at: now).flatMap { effect -> [Effect] in
      switch effect {
      case .look: [.lookAtQuality]
      case .publish: decided.map { publish($0) } ?? []
      }
    }
  }

  /// In the other phases the path is decided soon anyway.
  private mutating func decideAgain(at now: Duration) -> [Effect] {
    reading.isWatching ? perform(reading.look(at: now)) : []
  }

  private mutating func perform(_ step: ReadingSchedule.Step?) -> [Effect] {
    switch step {
    case .open: return [.open]
    case .dump: return [.dump]
    case .evaluate:
      counters.evaluations += 1
      return [.evaluate]
    case nil: return []
    }
  }

  /// A monitor that cannot ask the kernel reports that, and keeps trying.
  private mutating func handleFailed(_ unknown: NWPath, at now: Duration) -> [Effect] {
    returnsAt = nil
    // A single failure keeps the old path.
    if reading.failed(at: now), path != nil { return [.close] }
    var path = unknown
    path.explanation += "; trying again"
    return [.close] + publish(path)
  }

  private mutating func handleDumped(_ events: [KernelEvent], complete: Bool, at now: Duration) -> [Effect] {
    let step = reading.dumped(complete: complete, at: now)
    if step == .evaluate {
      tables = NetworkTables()
      for event in events { tables.apply(event) }
    }
    return perform(step)
  }

  private mutating func handleReceived(_ events: [KernelEvent], at now: Duration) -> [Effect] {
    for event in events { apply(event) }
    // The routes of a link may vanish before the kernel reports that its carrier is lost.
    return perform(reading.received(isOutage: gapEnd != nil && !tables.carry(lastUsed), at: now))
  }

  private mutating func handleEvaluated(_ evaluation: PathEvaluation, at now: Duration) -> [Effect] {
    // The kernel did not answer. It may answer on new sockets.
    if !evaluation.path.isKnown { return handleFailed(evaluation.path, at: now) }
    noteRouteEnd(after: evaluation.lifetime, at: now)
    gapEnd = gapEnd(of: evaluation, at: now)
    let lookAt = evaluation.mayChangeUnannounced ? now + unannouncedInterval : nil
    reading.evaluated(lookAt: [lookAt, routeEnd, gapEnd].compactMap(\.self).min())
    if gapEnd != nil || isUnproven(evaluation.path) { return [] }
    decided = evaluation.path
    // Before the path is published: another way has another quality.
    _ = quality.handle(.evaluated(evaluation.path, evaluation.quality), at: now)
    // The machine must know the routers first: a new address makes earlier answers void.
    let following = follow(
      .evaluated(evaluation.routers, mayKick: evaluation.mayKick, countsUnheard: !evaluation.isClassic), at: now)
    return observe(.evaluated(evaluation.routers, evaluation.terms), at: now)
      + publishOrWait(evaluation, following, now)
      + judge(.evaluated(evaluation.tunnels, isSatisfied: evaluation.path.status == .satisfied), at: now)
  }

  /// Whether a loss may come only from what an interrupted dump has left out.
  private func isUnproven(_ new: NWPath) -> Bool {
    reading.mayLackEntries && new.status == .unsatisfied && !isOffline
  }

  /// The time until which the loss in an evaluation may be a gap: a script or a daemon replaces a route or an address by removing it first.
  /// Nil for any other evaluation, and once that time has come.
  private func gapEnd(of evaluation: PathEvaluation, at now: Duration) -> Duration? {
    guard reading.isWatching, let path, path.isGap(evaluation), tables.carry(lastUsed) else { return nil }
    let end = gapEnd ?? reading.quietUntil ?? now + ReadingSchedule.coalescing
    return now < end ? end : nil
  }

  // MARK: After an outage

  /// When a carrier or a route is back, the router may still boot, or its address may be wrong. So the outage lasts until a router answers,
  /// but no longer than ``maximumWait`` unless one fails to answer.
  private mutating func publishOrWait(_ evaluation: PathEvaluation, _ following: [Effect], _ now: Duration) -> [Effect]
  {
    let needed = evaluation.neededRouters
    guard isOffline, evaluation.path.status == .satisfied, evaluation.mayKick, !needed.isEmpty,
      !needed.contains(where: routers.isProven)
    else {
      returnsAt = nil
      return publish(evaluation.path) + following + follow(.awaited([]), at: now)
    }
    returnsAt = returnsAt ?? now + Self.maximumWait
    return following + follow(.awaited(needed), at: now)
  }

  /// Ends a wait in which no router answered, and none failed to: nothing is known, so the path counts.
  private mutating func endWait(at now: Duration) -> [Effect] {
    guard let returnsAt, now >= returnsAt else { return [] }
    self.returnsAt = nil
    return follow(.awaited([]), at: now) + (decided.map { publish($0) } ?? [])
  }

  private mutating func apply(_ event: KernelEvent) {
    guard case .linkChanged(let change) = event else { return tables.apply(event) }
    let wasUp = tables.links[change.index].map { $0.obstacle == nil } ?? false
    tables.apply(event)
    if !wasUp, tables.links[change.index]?.obstacle == nil { cameUp.insert(change.index) }
  }

  private mutating func noteRouteEnd(after lifetime: Duration?, at now: Duration) {
    if let lifetime {
      routeEnd = now + lifetime + Self.routeEndPause
    } else if let end = routeEnd, end <= now || end > now + Self.routeEndPause * 2 {
      routeEnd = nil
    }
    // In the last hundredth of a second of a route the kernel reports no lifetime. Keep the known end.
  }

  /// Publishes a path only when it differs from the last one.
  private mutating func publish(_ decided: NWPath) -> [Effect] {
    var new = decided
    if new.status == .satisfied { cameUp = [] }
    if new.status == .satisfied, new.isKnown {
      new.noAnswers = connections.claim
      new.notSent = sending.claim
      new.quality = quality.report
    }
    guard new != path else { return [] }
    path = new
    if new.status == .satisfied && new.isKnown { lastUsed = new.usedInterfaces }
    counters.updates += 1
    return [.publish(new)]
  }
}
