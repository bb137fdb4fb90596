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
package struct SendingMachine: Hashable, Sendable {
  package typealias Event = ConnectionMachine.Event
  package typealias Effect = ConnectionMachine.Effect

  package enum Phase: Hashable, Sendable {
    case asleep
    /// A router became STALE in the quiet time, or soon after an expensive look. The first look comes at its end.
    case waiting(until: Duration)
    /// The first look is under way.
    case looking
    case watching(Watch)
    case claimed(Watch, Claim)
  }

  package struct Watch: Hashable, Sendable {
    var start: Duration
    var next: Duration
    /// The counters of the first look.
    var counters: SendingCounters?
    /// The number of looks that failed in a row.
    var failures = 0
  }

  package struct Claim: Hashable, Sendable {
    /// The time when the first unsent data was to be sent.
    var since: Duration
    var report: NWPath.NotSent
  }

  private(set) package var phase = Phase.asleep
  private var linkStates: [Gateway: RouterMachine.LinkState]?
  private var terms = ConnectionMachine.Terms(isOn: false, watchesSending: false)
  /// The time of the last sign that a packet has left.
  private var lastLeft: Duration?
  private var datagrams = DatagramNews()
  /// Looks take at most a fiftieth of a processor: no look before this time.
  private var restUntil = Duration.zero
  /// The end of the quiet time. Before it the machine does not look.
  private var quietUntil = Duration.zero

  private static let interval = Duration.seconds(1)
  private static let longInterval = Duration.seconds(5)
  /// After this time the interval is ``longInterval``.
  private static let longWatch = Duration.seconds(60)
  /// The minimum age of unsent data to ``minimumHosts`` hosts, and the minimum time without UDP from outside.
  private static let minimumStall = Duration.seconds(5)
  private static let minimumHosts = 2
  /// The tolerance when the start of a stall is compared with the last sign that a packet has left: the last acknowledgement may arrive a
  /// round trip after the first segment was stopped.
  private static let slack = Duration.milliseconds(500)
  private static let toleratedFailures = 3
  /// The pause after a look, in multiples of its processor time.
  private static let rest = 50

  package init() {}

  /// Whether a look may follow.
  package var isAwake: Bool { phase != .asleep }

  /// The report to publish; nil while packets leave, or nothing is known.
  package var claim: NWPath.NotSent? { if case .claimed(_, let claim) = phase { claim.report } else { nil } }

  /// The time when ``ConnectionMachine/Event/deadlinePassed`` is due; nil when only an event can change anything.
  package var nextDeadline: Duration? {
    switch phase {
    case .asleep, .looking: nil
    case .waiting(let until): until
    case .watching(let watch), .claimed(let watch, _): watch.next
    }
  }

  package mutating func handle(_ event: Event, at now: Duration) -> [Effect] {
    let before = claim
    let effects = apply(event, at: now)
    return effects + (claim == before ? [] : [.publish])
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
    case .deadlinePassed: return handleDeadline(at: now)
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

  /// Starts the quiet time, as in ``ConnectionMachine``.
  private mutating func forget(at now: Duration) {
    sleep()
    quietUntil = now + RouterMachine.quiet
  }

  private mutating func sleep() {
    phase = .asleep
    datagrams = DatagramNews()
  }

  // MARK: Looks

  private mutating func begin(at now: Duration) -> [Effect] {
    guard phase == .asleep, terms.watchesSending, terms.isSatisfied else { return [] }
    let start = max(quietUntil, restUntil)
    if now < start {
      phase = .waiting(until: start)
      return []
    }
    phase = .looking
    return [.look(.whole)]
  }

  private mutating func handleDeadline(at now: Duration) -> [Effect] {
    guard let deadline = nextDeadline, deadline <= now else { return [] }
    switch phase {
    case .asleep, .looking: return []
    case .waiting: phase = .looking
    case .watching(var watch):
      watch.next = now + Self.interval(watch, at: now)
      phase = .watching(watch)
    case .claimed(var watch, let claim):
      watch.next = now + Self.interval(watch, at: now)
      phase = .claimed(watch, claim)
    }
    return [.look(.whole)]
  }

  private static func interval(_ watch: Watch, at now: Duration) -> Duration {
    now - watch.start < longWatch ? interval : longInterval
  }

  private mutating func handleFailure() {
    switch phase {
    case .asleep, .waiting: break
    case .looking: sleep()
    case .watching(var watch):
      watch.failures += 1
      phase = .watching(watch)
      if watch.failures >= Self.toleratedFailures { sleep() }
    case .claimed(var watch, let claim):
      watch.failures += 1
      phase = .claimed(watch, claim)
      if watch.failures >= Self.toleratedFailures { sleep() }
    }
  }

  // MARK: Evidence

  private mutating func noteSign(at now: Duration) {
    lastLeft = now
    if case .claimed(let watch, _) = phase { phase = .watching(watch) }
  }

  private mutating func judge(_ look: ConnectionLook, at now: Duration) -> [Effect] {
    restUntil = max(restUntil, now) + look.cost * Self.rest
    guard look.isWhole else { return [] }
    switch phase {
    case .asleep, .waiting: return []
    case .looking:
      guard look.sending.isWaiting else {
        sleep()
        return []
      }
      note(look, at: now)
      phase = .watching(Watch(start: now, next: max(now + Self.interval, restUntil), counters: look.sending.counters))
      return []
    case .watching(var watch):
      watch.failures = 0
      watch.next = max(watch.next, restUntil)
      phase = .watching(watch)
      note(look, at: now)
      return conclude(look, watch, at: now)
    case .claimed(var watch, let claim):
      watch.failures = 0
      watch.next = max(watch.next, restUntil)
      note(look, at: now)
      return review(claim, look, watch, at: now)
    }
  }

  private mutating func note(_ look: ConnectionLook, at now: Duration) {
    if let age = look.sending.leftAge { lastLeft = max(lastLeft ?? .zero, now - age) }
    datagrams.note(look, at: now)
  }

  private mutating func conclude(
    _ look: ConnectionLook, _ watch: Watch, at now: Duration
  ) -> [Effect] {
    guard look.sending.isWaiting else {
      sleep()
      return []
    }
    guard let proof = proof(in: look.sending, watch, at: now), datagrams.areQuiet(for: Self.minimumStall, look, at: now)
    else { return [] }
    // Before a claim ask for all that could refute it: a connection that has ended, a datagram.
    if look.depth != .thorough { return [.look(.thorough)] }
    phase = .claimed(watch, Claim(since: now - proof.duration, report: proof))
    datagrams.forgetLast()
    return []
  }

  private mutating func review(
    _ earlier: Claim, _ look: ConnectionLook, _ watch: Watch, at now: Duration
  ) -> [Effect] {
    if let lastLeft, lastLeft > earlier.since + Self.slack {
      phase = .watching(watch)
      return conclude(look, watch, at: now)
    }
    if datagrams.hasNews {
      if look.depth != .thorough { return [.look(.thorough)] }
      if datagrams.mayHear {
        phase = .watching(watch)
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
    phase = .claimed(watch, claim)
    return []
  }

  private func proof(in sending: SendingLook, _ watch: Watch, at now: Duration) -> NWPath.NotSent? {
    // What happened before the quiet time proves nothing, and refutes nothing.
    let recent = sending.stalls.map {
      SendingLook.Stall(host: $0.host, age: min($0.age, now - quietUntil), attemptAge: $0.attemptAge)
    }
    let stalls = recent.filter { stall in lastLeft.map { now - stall.age >= $0 - Self.slack } ?? true }
    // What was tried last before the watch may have been stopped by an obstacle that is gone.
    let tried = stalls.filter { now - $0.attemptAge > watch.start }
    let ages = Dictionary(tried.map { ($0.host, $0.age) }) { max($0, $1) }.values.sorted(by: >)
    guard ages.count >= Self.minimumHosts, ages[Self.minimumHosts - 1] >= Self.minimumStall,
      let oldest = stalls.map(\.age).max()
    else { return nil }
    let origin = watch.counters.flatMap { sending.counters?.origin(since: $0, connections: tried.count) }
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
