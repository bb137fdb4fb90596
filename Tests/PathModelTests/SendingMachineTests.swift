import NetworkPath
import OverlineTestThread
import Testing

/// The claim that nothing leaves this machine: data to several hosts is tried in vain, and no sign shows that anything left since.
@Suite(.ownThread) struct SendingMachineTests {
  private static let router = Gateway(AnyIPAddress("192.0.2.1")!, on: 2)
  private static let linkStates = [router: RouterMachine.LinkState()]
  private static let stale = SendingMachine.Event.changed([Neighbour(router, state: .stale)])

  /// A connection with unsent data since a time, last tried at another.
  private typealias Waiting = (host: Int, since: Int, tried: Int)

  /// - Parameters:
  ///   - left: the time of the last sign that a packet has left.
  ///   - datagrams: the counter of packets that have come without explanation.
  private static func look(
    _ waiting: [Waiting], at now: Int, left: Int? = nil, datagrams: Int64? = 0, mayHear: Bool = true, doubtful: Int = 0,
    connecting: Int = 0, counters: SendingCounters? = nil, cost: Duration = .zero,
    depth: ConnectionLook.Depth = .whole
  ) -> ConnectionLook {
    var look = ConnectionLook(depth)
    look.counters = datagrams.map { DatagramCounters(ipv4: $0) }
    look.mayHearDatagrams = mayHear && depth == .thorough
    look.connecting = connecting
    look.cost = cost
    var sending = SendingLook()
    sending.stalls = waiting.map {
      SendingLook.Stall(host: $0.host, age: .seconds(now - $0.since), attemptAge: .seconds(now - $0.tried))
    }
    sending.doubtful = doubtful
    sending.leftAge = left.map { .seconds(now - $0) }
    sending.counters = counters
    look.sending = sending
    return look
  }

  private func ready(_ terms: ConnectionMachine.Terms = .init()) -> SendingMachine {
    var machine = SendingMachine()
    #expect(machine.handle(.evaluated(Self.linkStates, terms), at: .zero) == [])
    return machine
  }

  /// A machine that has found data waiting at 100 s.
  private func watching(_ first: ConnectionLook? = nil) -> SendingMachine {
    var machine = ready()
    #expect(machine.handle(Self.stale, at: .seconds(100)) == [.look(.whole)])
    let first = first ?? Self.look([(1, 90, 97), (2, 91, 97)], at: 100)
    #expect(machine.handle(.looked(first), at: .seconds(100)) == [])
    return machine
  }

  /// Delivers deadlines up to a time. Returns the looks, and the other effects.
  @discardableResult private func run(
    _ machine: inout SendingMachine, until end: Int, _ look: (Int, ConnectionLook.Depth) -> ConnectionLook
  ) -> (effects: [SendingMachine.Effect], looks: [Int]) {
    var effects: [SendingMachine.Effect] = []
    var looks: [Int] = []
    while let deadline = machine.nextDeadline, deadline <= .seconds(end) {
      var pending = machine.handle(.deadlinePassed, at: deadline)
      while !pending.isEmpty {
        let effect = pending.removeFirst()
        guard case .look(let depth) = effect else {
          effects.append(effect)
          continue
        }
        let now = Int(deadline.components.seconds)
        looks.append(now)
        pending += machine.handle(.looked(look(now, depth)), at: deadline)
      }
    }
    return (effects, looks)
  }

  @Test func sleepsUntilTheRoutersEntryIsStale() {
    var machine = ready()
    #expect(machine.nextDeadline == nil && !machine.isAwake)
    #expect(machine.handle(.changed([Neighbour(Self.router, state: .reachable)]), at: .seconds(50)) == [])
    #expect(machine.handle(Self.stale, at: .seconds(60)) == [.look(.whole)])
    // Nothing waits: one look, and sleep.
    #expect(machine.handle(.looked(Self.look([], at: 60)), at: .seconds(60)) == [])
    #expect(machine.nextDeadline == nil && !machine.isAwake)
  }

  @Test func claimsWhatSeveralHostsProve() {
    var machine = watching()
    let (effects, looks) = run(&machine, until: 106) { now, depth in
      Self.look([(1, 90, 104), (2, 91, 104), (2, 92, 98)], at: now, left: 89, depth: depth)
    }
    // The last look asks for all that could refute the claim.
    #expect(effects == [.publish] && looks == [101, 102, 103, 104, 105, 105, 106])
    #expect(machine.claim == NWPath.NotSent(connections: 3, hosts: 2, duration: .seconds(15)))
    #expect(machine.claim?.cause == "nothing leaves this machine: 3 connections to 2 hosts, for 15 s")
    // Published again when the duration has doubled.
    let more = run(&machine, until: 121) { now, depth in
      Self.look([(1, 90, 117), (2, 91, 117)], at: now, left: 89, depth: depth)
    }
    #expect(more.effects == [.publish] && machine.claim?.duration == .seconds(30) && machine.claim?.connections == 2)
  }

  @Test(arguments: [
    // One host.
    [(1, 90, 104), (1, 91, 104)],
    // One connection.
    [(1, 90, 104)],
    // What stopped the second one may be gone since the first look.
    [(1, 90, 104), (2, 91, 99)],
    // The second one waits for less than 5 s at 110 s.
    [(1, 90, 104), (2, 106, 109)],
  ]) func noClaimFor(_ waiting: [(Int, Int, Int)]) {
    var machine = watching()
    run(&machine, until: 110) { now, depth in Self.look(waiting.map { $0 }, at: now, left: 89, depth: depth) }
    #expect(machine.claim == nil && machine.isAwake)
  }

  @Test func aPacketThatLeavesRefutes() {
    func proof(_ now: Int, left: Int?, _ depth: ConnectionLook.Depth) -> ConnectionLook {
      Self.look([(1, 90, 104), (2, 91, 104)], at: now, left: left, depth: depth)
    }
    // Before the claim, at the look before it, and afterwards.
    var machine = watching()
    run(&machine, until: 120) { proof($0, left: 93, $1) }
    #expect(machine.claim == nil)
    machine = watching()
    run(&machine, until: 105) { proof($0, left: $1 == .thorough ? 100 : nil, $1) }
    #expect(machine.claim == nil)
    machine = watching()
    run(&machine, until: 105) { proof($0, left: nil, $1) }
    #expect(machine.claim != nil)
    var effects = run(&machine, until: 106) { proof($0, left: 106, $1) }.effects
    #expect(effects == [.publish] && machine.claim == nil)
    // Data that began to wait before a sign is never proof again. Later data is.
    run(&machine, until: 130) { proof($0, left: nil, $1) }
    #expect(machine.claim == nil)
    effects =
      run(&machine, until: 131) { now, depth in
        Self.look([(1, 90, 129), (2, 91, 129), (3, 120, 129), (4, 125, 129)], at: now, depth: depth)
      }.effects
    #expect(effects == [.publish] && machine.claim?.connections == 2)
    // So is an answer to the monitor's own question.
    #expect(machine.handle(.hostAnswered, at: .seconds(132)) == [.publish] && machine.claim == nil)
  }

  @Test func datagramsDelayAndInterruptAClaim() {
    func proof(_ now: Int, _ datagrams: Int64?, _ depth: ConnectionLook.Depth, mayHear: Bool = true) -> ConnectionLook {
      Self.look([(1, 90, 104), (2, 91, 104)], at: now, datagrams: datagrams, mayHear: mayHear, depth: depth)
    }
    var machine = watching()
    run(&machine, until: 112) { proof($0, Int64(min($0, 108)), $1) }
    #expect(machine.claim == nil)
    run(&machine, until: 113) { proof($0, 108, $1) }
    #expect(machine.claim != nil)
    run(&machine, until: 114) { proof($0, 109, $1) }
    #expect(machine.claim == nil)
    // They are for no socket that hears from beyond the routers.
    machine = watching()
    run(&machine, until: 110) { proof($0, Int64($0), $1, mayHear: false) }
    #expect(machine.claim != nil)
    // Where the kernel's counters are unknown there is no claim.
    machine = watching(proof(100, nil, .whole))
    run(&machine, until: 120) { proof($0, nil, $1) }
    #expect(machine.claim == nil)
  }

  @Test func theClaimEndsWhenNothingWaits() {
    var machine = watching()
    run(&machine, until: 105) { Self.look([(1, 90, 104), (2, 91, 104)], at: $0, depth: $1) }
    // Programs try again with new connections.
    run(&machine, until: 106) { Self.look([], at: $0, connecting: 1, depth: $1) }
    #expect(machine.claim != nil)
    let effects = run(&machine, until: 107) { Self.look([], at: $0, depth: $1) }.effects
    #expect(effects == [.publish] && machine.claim == nil && !machine.isAwake)
  }

  /// The kernel tries again at long pauses: data that an outage has stopped may wait for two minutes after it.
  @Test func whatAnOutageStoppedIsNoProof() {
    let endings: [[SendingMachine.Event]] = [
      [.clockStepped], [.evaluated([:], .init()), .evaluated(Self.linkStates, .init())],
      [.evaluated(Self.linkStates, .init(isSatisfied: false)), .evaluated(Self.linkStates, .init())],
    ]
    for ending in endings {
      var machine = watching()
      run(&machine, until: 105) { Self.look([(1, 90, 104), (2, 91, 104)], at: $0, depth: $1) }
      #expect(machine.claim != nil)
      for event in ending { _ = machine.handle(event, at: .seconds(106)) }
      #expect(machine.claim == nil && !machine.isAwake)
      // The first look comes after the quiet time.
      #expect(machine.handle(Self.stale, at: .seconds(107)) == [])
      let start = try! #require(machine.nextDeadline)
      #expect(start == .seconds(106) + RouterMachine.quiet)
      run(&machine, until: 140) { Self.look([(1, 90, 105), (2, 91, 105)], at: $0, depth: $1) }
      #expect(machine.claim == nil)
      // Tried again in vain: it waits since the quiet time at least.
      run(&machine, until: 141) { Self.look([(1, 90, 140), (2, 91, 140)], at: $0, depth: $1) }
      #expect(machine.claim?.duration == .seconds(141) - start)
    }
  }

  @Test func noLookWithoutItsTerms() {
    for terms in [ConnectionMachine.Terms(watchesSending: false), .init(isSatisfied: false)] {
      var machine = ready(terms)
      #expect(machine.handle(Self.stale, at: .seconds(100)) == [] && !machine.isAwake)
    }
    // An option or an outage ends a claim.
    for terms in [ConnectionMachine.Terms(watchesSending: false), .init(isSatisfied: false)] {
      var machine = watching()
      run(&machine, until: 105) { Self.look([(1, 90, 104), (2, 91, 104)], at: $0, depth: $1) }
      #expect(machine.handle(.evaluated(Self.linkStates, terms), at: .seconds(106)) == [.publish])
      #expect(machine.claim == nil && machine.nextDeadline == nil)
    }
  }

  @Test func looksThatFailEndTheWatch() {
    var machine = watching()
    for time in 101...103 {
      #expect(machine.handle(.deadlinePassed, at: .seconds(time)) == [.look(.whole)])
      #expect(machine.handle(.lookFailed, at: .seconds(time)) == [])
    }
    #expect(!machine.isAwake)
  }

  @Test func anExpensiveLookDelaysTheNext() {
    var machine = watching(Self.look([(1, 90, 97), (2, 91, 97)], at: 100, cost: .milliseconds(20)))
    #expect(machine.nextDeadline == .seconds(108))
    // Looks at followed connections tell nothing about this.
    #expect(machine.handle(.looked(Self.look([], at: 102, depth: .followed)), at: .seconds(102)) == [])
    #expect(machine.isAwake)
    run(&machine, until: 170) { Self.look([(1, 90, 97), (2, 91, 97)], at: $0, depth: $1) }
    #expect(machine.nextDeadline == .seconds(175))
  }

  @Test func theCountersNameTheOrigin() {
    func claim(_ first: SendingCounters, _ later: SendingCounters) -> NWPath.NotSent? {
      var machine = watching(Self.look([(1, 90, 97), (2, 91, 97)], at: 100, counters: first))
      run(&machine, until: 105) {
        Self.look([(1, 90, 104), (2, 91, 104)], at: $0, counters: later, depth: $1)
      }
      return machine.claim
    }
    let before = SendingCounters(stopped: -7, forwarded: 1, withoutRoute: 2)
    #expect(claim(before, SendingCounters(stopped: -5, forwarded: 1, withoutRoute: 2))?.origin == .firewall)
    #expect(claim(before, SendingCounters(stopped: -7, forwarded: 1, withoutRoute: 4))?.origin == .routing)
    // Fewer packets than attempts, and packets that were forwarded, prove nothing.
    #expect(claim(before, SendingCounters(stopped: -6, forwarded: 1, withoutRoute: 3)).map(\.origin) == .some(nil))
    #expect(claim(before, SendingCounters(stopped: -5, forwarded: 2, withoutRoute: 4)).map(\.origin) == .some(nil))
    #expect(
      claim(before, SendingCounters(stopped: -5, forwarded: 1, withoutRoute: 2))?.explanation
        == "nothing leaves this machine: 2 connections to 2 hosts, for 15 s; a firewall on this machine stops the packets"
    )
  }
}
