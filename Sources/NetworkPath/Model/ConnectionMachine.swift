/// Decides from the machine's TCP connections whether anything beyond its routers answers, as a value.
///
/// Acknowledgements keep a router's entry in the kernel's neighbour table REACHABLE. When they cease, the entry becomes STALE. Only this
/// event starts the looks. If the first look finds nothing stalled, the machine sleeps until the next event.
///
///     asleep ──STALE──► looking ──something waits──► watching ──proof──► claimed ──sign of life──► watching
///                          └──nothing waits──► asleep ◄──nothing waits──┴─────────────┘
///
/// The proof: several hosts have stopped acknowledging, and no sign of life has come since. Each later sign of life refutes it. A datagram
/// does not void the stalls that began before it: the claim returns when no more come.
package struct ConnectionMachine: Equatable, Sendable {
  package enum Event: Equatable, Sendable {
    /// The path was decided: the routers by which it leads, each with the state of its link.
    case evaluated([Gateway: RouterMachine.LinkState], Terms)
    /// Changes of the routers' entries in the neighbour table.
    case changed([Neighbour])
    case looked(ConnectionLook)
    /// The kernel did not list its sockets, or not all of them.
    case lookFailed
    /// A host that had stopped answering has accepted or refused a new connection.
    case hostAnswered
    /// The machine has woken from suspend, or the clock was set.
    case clockStepped
    case deadlinePassed
  }

  package enum Effect: Equatable, Sendable {
    /// Look at the TCP connections.
    case look(ConnectionLook.Depth)
    /// Send an empty datagram to this router, so that the kernel asks whether it answers.
    indirect case kick(Gateway)
    /// Open a TCP connection to one of the hosts that the last looks found silent. Close it at the answer, before the next look, or when
    /// ``ConnectionMachine/needsAnswers`` becomes false.
    case ask
    /// Several new connections wait for their first answer. That proves nothing, since their servers may be dead. A check may tell.
    case suggestCheck
    /// ``ConnectionMachine/claim`` has changed.
    case publish
  }

  /// The conditions for a claim.
  package struct Terms: Equatable, Sendable {
    package var isOn: Bool
    /// Whether ``SendingMachine`` may make a claim.
    package var watchesSending: Bool
    /// False during an outage, to which connections add nothing.
    package var isSatisfied: Bool
    package var mayKick: Bool
    package var mayAsk: Bool

    package init(
      isOn: Bool = true, watchesSending: Bool = true, isSatisfied: Bool = true, mayKick: Bool = true,
      mayAsk: Bool = false
    ) {
      self.isOn = isOn
      self.watchesSending = watchesSending
      self.isSatisfied = isSatisfied
      self.mayKick = mayKick
      self.mayAsk = mayAsk
    }
  }

  package struct Claim: Equatable, Sendable {
    /// The time when the first unanswered data was sent.
    var since: Duration
    var routers: Set<Gateway>
    var report: NWPath.NoAnswers
    /// The times at which the kernel has asked the routers in vain. Earlier answers say nothing.
    var failures: [Gateway: Duration] = [:]
  }

  private(set) package var schedule = LookSchedule()
  private var claimed: Claim?
  /// The time of the next whole look.
  private var nextWhole = Duration.zero
  private var linkStates: [Gateway: RouterMachine.LinkState]?
  private var terms = Terms(isOn: false)
  /// The time of the last sign of life.
  private var lastHeard: Duration?
  private var datagrams = DatagramNews()
  /// The earliest time of the next connection to a silent host.
  private var askAt: Duration?

  /// The time between whole looks while nothing is claimed: connections that are not followed may have stalled meanwhile.
  private static let wholeInterval = Duration.seconds(5)
  /// The minimum age of stalls to ``minimumHosts`` hosts, and the minimum time without UDP from outside.
  private static let minimumStall = Duration.seconds(5)
  private static let minimumConnections = 2
  private static let minimumHosts = 2
  /// The tolerance when the start of a stall is compared with the last sign of life: the last acknowledgement may arrive a round trip after
  /// the first unanswered data was sent, and the age of a stall is a lower bound.
  private static let slack = Duration.milliseconds(500)
  /// The minimum time between two connections to silent hosts.
  private static let askPause = Duration.seconds(5)

  package init() {}

  /// The routers of the path.
  package var routers: Set<Gateway> { Set((linkStates ?? [:]).keys) }

  /// Whether the answer of a silent host would change anything. While it does not, the driver keeps no connection of its own.
  package var needsAnswers: Bool { schedule.watch != nil }

  /// The report to publish; nil while connections are answered, or nothing is known.
  package var claim: NWPath.NoAnswers? { claimed?.report }

  /// The time when ``Event/deadlinePassed`` is due; nil when only an event can change anything.
  package var nextDeadline: Duration? { schedule.nextDeadline }

  package mutating func handle(_ event: Event, at now: Duration) -> [Effect] {
    let before = claim
    var effects = apply(event, at: now)
    if claim != before { effects.append(.publish) }
    return effects
  }

  private mutating func apply(_ event: Event, at now: Duration) -> [Effect] {
    switch event {
    case .evaluated(let current, let terms): evaluate(current, terms, at: now)
    case .changed(let neighbours):
      noteFailures(in: neighbours, at: now)
      if neighbours.contains(where: { $0.state == .stale && linkStates?[$0.gateway] != nil }) {
        return begin(at: now)
      }
    case .looked(let look): return judge(look, at: now)
    case .lookFailed: handleFailure()
    case .hostAnswered: handleAnswer(at: now)
    case .clockStepped: forget(at: now)
    case .deadlinePassed: return handleDeadline(at: now)
    }
    return []
  }

  // MARK: Links

  private mutating func evaluate(
    _ current: [Gateway: RouterMachine.LinkState], _ terms: Terms, at now: Duration
  ) {
    self.terms = terms
    // The first routes that the monitor sees need no quiet time: they existed before.
    if let linkStates, linkStates != current { forget(at: now) }
    linkStates = current
    if !terms.isOn || !terms.isSatisfied { sleep() }
  }

  /// What has stalled before the quiet time proves nothing.
  private mutating func forget(at now: Duration) {
    sleep()
    schedule.beQuiet(at: now)
    lastHeard = now
  }

  private mutating func sleep() {
    schedule.sleep()
    claimed = nil
    datagrams = DatagramNews()
  }

  // MARK: Looks

  private mutating func begin(at now: Duration) -> [Effect] {
    terms.isOn && terms.isSatisfied && schedule.begin(at: now) ? [.look(.whole)] : []
  }

  private mutating func handleDeadline(at now: Duration) -> [Effect] {
    let isFirst = schedule.watch == nil
    guard schedule.passDeadline(at: now) else { return [] }
    // An answer on any connection ends the claim, so look at all of them.
    if isFirst || claimed != nil { return [.look(.whole)] }
    let isWhole = nextWhole <= now
    if isWhole { nextWhole = now + Self.wholeInterval }
    return [.look(isWhole ? .whole : .followed)]
  }

  private mutating func handleFailure() {
    schedule.noteFailure()
    if schedule.phase == .asleep { sleep() }
  }

  // MARK: Evidence

  private mutating func judge(_ look: ConnectionLook, at now: Duration) -> [Effect] {
    schedule.noteLook(cost: look.cost, at: now)
    switch schedule.phase {
    case .asleep, .waiting: return []
    case .looking:
      noteLife(look, at: now)
      if look.isWaiting {
        schedule.beginWatch(at: now)
        nextWhole = now + Self.wholeInterval
      } else {
        sleep()
      }
      return suggestion(look, at: now)
    case .watching:
      noteLife(look, at: now)
      guard let claimed else {
        return suggestion(look, at: now) + conclude(look, at: now) + questions(after: look, at: now)
      }
      return review(claimed, look, at: now) + questions(after: look, at: now)
    }
  }

  /// While another packet shows that the network answers, only the servers of these connections are dead.
  private func suggestion(_ look: ConnectionLook, at now: Duration) -> [Effect] {
    let isSilent = lastHeard.map { now - $0 >= ConnectionLook.overdueAge } ?? true
    return look.isWhole && isSilent && look.overdue >= Self.minimumConnections ? [.suggestCheck] : []
  }

  private mutating func handleAnswer(at now: Duration) {
    lastHeard = now
    claimed = nil
  }

  /// TCP sends again at growing pauses, so a stalled connection notices the end of a long outage late. A new connection notices it at once.
  private mutating func questions(after look: ConnectionLook, at now: Duration) -> [Effect] {
    guard terms.mayAsk, askAt.map({ $0 <= now }) ?? true else { return [] }
    guard schedule.watch != nil else { return [] }
    // No question while other packets show that the network answers: then only this host is dead.
    guard claimed != nil || current(look.stalls, at: now).contains(where: { $0.age >= Self.minimumStall }) else {
      return []
    }
    askAt = now + Self.askPause
    return [.ask]
  }

  private mutating func noteLife(_ look: ConnectionLook, at now: Duration) {
    if let age = look.heardAge { lastHeard = max(lastHeard ?? .zero, now - age) }
    guard look.isWhole else { return }
    datagrams.note(look, at: now)
    if datagrams.hasNews, let age = look.halfClosedAge { lastHeard = max(lastHeard ?? .zero, now - age) }
  }

  private mutating func conclude(_ look: ConnectionLook, at now: Duration) -> [Effect] {
    guard let proof = proof(in: look, at: now),
      datagrams.areQuiet(for: Self.minimumStall, look, at: now)
    else {
      if look.isWaiting { return [] }
      if look.isWhole {
        sleep()
        return []
      }
      // The followed connections were answered or closed. Others may have stalled meanwhile.
      return [.look(.whole)]
    }
    // Before a claim ask for all that could refute it: an answer on a connection that is not followed or has ended, a datagram.
    if look.depth != .thorough { return [.look(.thorough)] }
    var claim = Claim(
      since: now - proof.age, routers: proof.routers, report: proof.report(since: now - proof.age, at: now))
    claim.report.routerAnswers = hasAnswered(claim, look, at: now)
    claimed = claim
    datagrams.forgetLast()
    // If the kernel already knows that the router answers, a datagram would find out nothing.
    if claim.report.routerAnswers || !terms.mayKick { return [] }
    return claim.routers.sorted().map { .kick($0) }
  }

  private mutating func review(
    _ earlier: Claim, _ look: ConnectionLook, at now: Duration
  ) -> [Effect] {
    if let lastHeard, lastHeard > earlier.since + Self.slack {
      claimed = nil
      return conclude(look, at: now)
    }
    if datagrams.hasNews {
      // A thorough look tells a datagram and a connection that has ended from packets of the local network.
      if look.depth != .thorough { return [.look(.thorough)] }
      if datagrams.mayHear {
        claimed = nil
        return []
      }
      datagrams.forgetLast()
    }
    // Programs give up, and try again with new connections. While any waits, the claim stays; without one there is nothing to claim.
    guard look.isWaiting || look.connecting > 0 else {
      sleep()
      return []
    }
    var claim = earlier
    let age = now - claim.since
    // Renew the duration only when it has doubled: a new path each second would wake all observers.
    if age >= claim.report.duration * 2 {
      if let proof = proof(in: look, at: now) { claim.report = proof.report(since: claim.since, at: now) }
      claim.report.duration = age
      claim.report.routerAnswers = earlier.report.routerAnswers
    }
    if !claim.report.routerAnswers { claim.report.routerAnswers = hasAnswered(claim, look, at: now) }
    claimed = claim
    return []
  }

  private func hasAnswered(_ claim: Claim, _ look: ConnectionLook, at now: Duration) -> Bool {
    claim.routers.contains { router in
      guard let age = look.routers[router] else { return false }
      return now - age > max(claim.since + Self.slack, claim.failures[router] ?? .zero)
    }
  }

  /// The router may have died after it answered. The next look asks for its answers again.
  private mutating func noteFailures(in neighbours: [Neighbour], at now: Duration) {
    for neighbour in neighbours where neighbour.state == .failed {
      guard claimed?.routers.contains(neighbour.gateway) == true else { continue }
      claimed?.failures[neighbour.gateway] = now
      claimed?.report.routerAnswers = false
    }
  }

  private struct Proof {
    var connections: Int
    var hosts: Int
    /// The age of the oldest stall.
    var age: Duration
    var routers: Set<Gateway>

    func report(since: Duration, at now: Duration) -> NWPath.NoAnswers {
      NWPath.NoAnswers(connections: connections, hosts: hosts, duration: now - since)
    }
  }

  private func proof(in look: ConnectionLook, at now: Duration) -> Proof? {
    if now < schedule.quietUntil { return nil }
    let stalls = current(look.stalls, at: now)
    let ages = Dictionary(stalls.map { ($0.host, $0.age) }) { max($0, $1) }.values.sorted(by: >)
    guard stalls.count >= Self.minimumConnections, ages.count >= Self.minimumHosts,
      ages[Self.minimumHosts - 1] >= Self.minimumStall
    else { return nil }
    return Proof(
      connections: stalls.count, hosts: ages.count, age: ages[0], routers: Set(stalls.map(\.router)))
  }

  /// The stalls that no later sign of life refutes.
  private func current(_ stalls: [ConnectionLook.Stall], at now: Duration) -> [ConnectionLook.Stall] {
    stalls.filter { stall in lastHeard.map { now - stall.age >= $0 - Self.slack } ?? true }
  }
}

extension ConnectionLook {
  /// Whether any connection has stalled or may have stalled.
  fileprivate var isWaiting: Bool { !stalls.isEmpty || doubtful > 0 }
}
