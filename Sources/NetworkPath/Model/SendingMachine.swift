/// Decides from the machine's TCP connections whether anything leaves this machine, as a value.
///
/// A kill switch, a firewall or an IPsec policy may stop all packets. Then nothing is unacknowledged, and ``ConnectionMachine`` sees no
/// stall. The looks begin as there, when a router's entry becomes STALE.
///
///     asleep ──STALE──► looking ──data waits──► watching ──proof──► claimed ──sign that packets leave──► watching
///                          └──none waits──► asleep ◄──none waits──┴─────────┘
///
/// The proof: connections to several hosts have unsent data, each was tried again after the first look, and no sign shows that a packet has
/// left since the data began to wait. Each later sign refutes it.
package struct SendingMachine: Equatable, Sendable {
  package typealias Event = ConnectionMachine.Event
  package typealias Effect = ConnectionMachine.Effect

  package struct Claim: Equatable, Sendable {
    /// The time when the first unsent data was to be sent.
    var since: Duration
    var report: NWPath.NotSent
  }

  private(set) package var schedule = LookSchedule()
  private var claimed: Claim?
  /// The counters of the first look.
  private var counters: SendingCounters?
  private var linkStates: [Gateway: RouterMachine.LinkState]?
  private var terms = ConnectionMachine.Terms(isOn: false, watchesSending: false)
  /// The time of the last sign that a packet has left.
  private var lastLeft: Duration?
  private var datagrams = DatagramNews()

  /// The minimum age of unsent data to ``minimumHosts`` hosts, and the minimum time without UDP from outside.
  private static let minimumStall = Duration.seconds(5)
  private static let minimumHosts = 2
  /// The tolerance when the start of a stall is compared with the last sign that a packet has left: the last acknowledgement may arrive a
  /// round trip after the first segment was stopped.
  private static let slack = Duration.milliseconds(500)

  package init() {}

  /// Whether a look may follow.
  package var isAwake: Bool { schedule.phase != .asleep }

  /// The report to publish; nil while packets leave, or nothing is known.
  package var claim: NWPath.NotSent? { claimed?.report }

  /// The time when ``ConnectionMachine/Event/deadlinePassed`` is due; nil when only an event can change anything.
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
      if neighbours.contains(where: { $0.state == .stale && linkStates?[$0.gateway] != nil }) { return begin(at: now) }
    case .looked(let look): return judge(look, at: now)
    case .lookFailed: handleFailure()
    case .hostAnswered: noteSign(at: now)
    case .clockStepped: forget(at: now)
    case .deadlinePassed: return schedule.passDeadline(at: now) ? [.look(.whole)] : []
    }
    return []
  }

  // MARK: Links

  private mutating func evaluate(
    _ current: [Gateway: RouterMachine.LinkState], _ new: ConnectionMachine.Terms, at now: Duration
  ) {
    // After an outage the kernel tries again at long pauses. What waited then proves nothing about now.
    let isOver = !terms.isSatisfied && new.isSatisfied
    if let linkStates, linkStates != current || isOver { forget(at: now) }
    linkStates = current
    terms = new
    if !terms.watchesSending || !terms.isSatisfied { sleep() }
  }

  private mutating func forget(at now: Duration) {
    sleep()
    schedule.beQuiet(at: now)
  }

  private mutating func sleep() {
    schedule.sleep()
    claimed = nil
    counters = nil
    datagrams = DatagramNews()
  }

  // MARK: Looks

  private mutating func begin(at now: Duration) -> [Effect] {
    terms.watchesSending && terms.isSatisfied && schedule.begin(at: now) ? [.look(.whole)] : []
  }

  private mutating func handleFailure() {
    schedule.noteFailure()
    if schedule.phase == .asleep { sleep() }
  }

  // MARK: Evidence

  private mutating func noteSign(at now: Duration) {
    lastLeft = now
    claimed = nil
  }

  private mutating func judge(_ look: ConnectionLook, at now: Duration) -> [Effect] {
    schedule.noteLook(cost: look.cost, at: now)
    guard look.isWhole else { return [] }
    switch schedule.phase {
    case .asleep, .waiting: return []
    case .looking:
      guard look.sending.isWaiting else {
        sleep()
        return []
      }
      note(look, at: now)
      counters = look.sending.counters
      schedule.beginWatch(at: now)
      return []
    case .watching(let watch):
      note(look, at: now)
      guard let claimed else { return conclude(look, watch, at: now) }
      return review(claimed, look, watch, at: now)
    }
  }

  private mutating func note(_ look: ConnectionLook, at now: Duration) {
    if let age = look.sending.leftAge { lastLeft = max(lastLeft ?? .zero, now - age) }
    datagrams.note(look, at: now)
  }

  private mutating func conclude(_ look: ConnectionLook, _ watch: LookSchedule.Watch, at now: Duration) -> [Effect] {
    guard look.sending.isWaiting else {
      sleep()
      return []
    }
    guard let proof = proof(in: look.sending, watch, at: now), datagrams.areQuiet(for: Self.minimumStall, look, at: now)
    else { return [] }
    // Before a claim ask for all that could refute it: a connection that has ended, a datagram.
    if look.depth != .thorough { return [.look(.thorough)] }
    claimed = Claim(since: now - proof.duration, report: proof)
    datagrams.forgetLast()
    return []
  }

  private mutating func review(
    _ earlier: Claim, _ look: ConnectionLook, _ watch: LookSchedule.Watch, at now: Duration
  ) -> [Effect] {
    if let lastLeft, lastLeft > earlier.since + Self.slack {
      claimed = nil
      return conclude(look, watch, at: now)
    }
    if datagrams.hasNews {
      if look.depth != .thorough { return [.look(.thorough)] }
      if datagrams.mayHear {
        claimed = nil
        return []
      }
      datagrams.forgetLast()
    }
    // Programs give up, and try again with new connections. While any waits, the claim stays; without one there is nothing to claim.
    guard look.sending.isWaiting || look.connecting > 0 else {
      sleep()
      return []
    }
    var claim = earlier
    let age = now - claim.since
    // Renew the duration only when it has doubled: a new path each second would wake all observers.
    if age >= claim.report.duration * 2 {
      if let proof = proof(in: look.sending, watch, at: now) { claim.report = proof }
      claim.report.duration = age
    }
    claimed = claim
    return []
  }

  private func proof(in sending: SendingLook, _ watch: LookSchedule.Watch, at now: Duration) -> NWPath.NotSent? {
    // What happened before the quiet time proves nothing, and refutes nothing.
    let recent = sending.stalls.map {
      SendingLook.Stall(host: $0.host, age: min($0.age, now - schedule.quietUntil), attemptAge: $0.attemptAge)
    }
    let stalls = recent.filter { stall in lastLeft.map { now - stall.age >= $0 - Self.slack } ?? true }
    // What was tried last before the watch may have been stopped by an obstacle that is gone.
    let tried = stalls.filter { now - $0.attemptAge > watch.start }
    let ages = Dictionary(tried.map { ($0.host, $0.age) }) { max($0, $1) }.values.sorted(by: >)
    guard ages.count >= Self.minimumHosts, ages[Self.minimumHosts - 1] >= Self.minimumStall,
      let oldest = stalls.map(\.age).max()
    else { return nil }
    let origin = counters.flatMap { sending.counters?.origin(since: $0, connections: tried.count) }
    return NWPath.NotSent(
      connections: stalls.count, hosts: Set(stalls.map(\.host)).count, duration: oldest, origin: origin)
  }
}

extension [ConnectionMachine.Effect] {
  /// The effects with the deepest of their looks alone: it serves both machines.
  var withOneLook: Self {
    var depth = compactMap { if case .look(let depth) = $0 { depth } else { nil } }.max()
    return compactMap { effect in
      guard case .look = effect else { return effect }
      defer { depth = nil }
      return depth.map { .look($0) }
    }
  }
}
