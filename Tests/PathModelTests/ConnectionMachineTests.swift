import NetworkPath
import OverlineTestThread
import Testing

/// The claim that nothing beyond the router answers: several hosts stopped acknowledging, and no sign of life came since.
@Suite(.ownThread) struct ConnectionMachineTests {
  private static let router = Gateway(AnyIPAddress("192.0.2.1")!, on: 2)
  private static let linkStates = [router: RouterMachine.LinkState()]
  private static let stale = ConnectionMachine.Event.changed([Neighbour(router, state: .stale)])

  /// A look at 12 connections.
  ///
  /// - Parameters:
  ///   - stalls: each with its host, and its age in seconds.
  ///   - datagrams: the counter of datagrams that have come.
  ///   - mayHear: whether a socket may receive them from beyond the router.
  private static func look(
    _ stalls: [(host: Int, age: Int)] = [], heard: Int? = nil, datagrams: Int64? = 0, mayHear: Bool = true,
    connecting: Int = 0,
    overdue: Int = 0, doubtful: Int = 0, routerHeard: Int? = nil, depth: ConnectionLook.Depth = .whole
  ) -> ConnectionMachine.Event {
    var look = ConnectionLook(depth)
    look.count = 12
    look.stalls = stalls.map { ConnectionLook.Stall(host: $0.host, age: .seconds($0.age), router: router) }
    look.heardAge = heard.map { .seconds($0) }
    look.counters = datagrams.map { DatagramCounters(ipv4: $0) }
    look.mayHearDatagrams = mayHear
    look.connecting = connecting
    look.overdue = overdue
    look.doubtful = doubtful
    look.routers = routerHeard.map { [router: .seconds($0)] } ?? [:]
    return .looked(look)
  }

  /// A machine that learned its routers at 0 s.
  private func ready(_ terms: ConnectionMachine.Terms = .init()) -> ConnectionMachine {
    var machine = ConnectionMachine()
    #expect(machine.handle(.evaluated(Self.linkStates, terms), at: .zero) == [])
    return machine
  }

  /// A machine that looked at 100 s and found these ages, with a sign of life at 80 s.
  private func suspicious(
    _ stalls: [(host: Int, age: Int)] = [(1, 10), (2, 9)], mayKick: Bool = true, mayAsk: Bool = false
  ) -> ConnectionMachine {
    var machine = ready(.init(mayKick: mayKick, mayAsk: mayAsk))
    #expect(machine.handle(Self.stale, at: .seconds(100)) == [.look(.whole)])
    #expect(machine.handle(Self.look(stalls, heard: 20), at: .seconds(100)) == [])
    return machine
  }

  /// Delivers deadlines up to a time. Each look has this result, by the time in seconds.
  private func run(
    _ machine: inout ConnectionMachine, until end: Int, _ result: (Int) -> ConnectionMachine.Event
  ) -> (effects: [ConnectionMachine.Effect], looks: [Int]) {
    var effects: [ConnectionMachine.Effect] = []
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
        guard case .looked(var look) = result(now) else { continue }
        look.depth = depth
        if depth == .followed { look.counters = nil }
        pending += machine.handle(.looked(look), at: deadline)
      }
    }
    return (effects, looks)
  }

  /// These stalls began at these times.
  private func since(_ times: [(host: Int, time: Int)], at now: Int) -> [(host: Int, age: Int)] {
    times.map { ($0.host, now - $0.time) }
  }

  @Test func sleepsUntilTheRoutersEntryIsStale() {
    var machine = ready()
    #expect(machine.nextDeadline == nil)
    for state in [Neighbour.State.reachable, .failed, .delay, .probe] {
      #expect(machine.handle(.changed([Neighbour(Self.router, state: state)]), at: .seconds(50)) == [])
    }
    let other = Gateway(AnyIPAddress("192.0.2.2")!, on: 2)
    #expect(machine.handle(.changed([Neighbour(other, state: .stale)]), at: .seconds(50)) == [])
    #expect(machine.handle(Self.stale, at: .seconds(60)) == [.look(.whole)])
    // Nothing has stalled: one look, and sleep.
    #expect(machine.handle(Self.look(heard: 30), at: .seconds(60)) == [])
    #expect(machine.schedule.phase == .asleep && machine.nextDeadline == nil)
  }

  @Test func claimsWhatSeveralHostsProve() {
    var machine = suspicious()
    let (effects, looks) = run(&machine, until: 105) {
      Self.look(since([(1, 90), (2, 91), (2, 92)], at: $0), heard: $0 - 80)
    }
    #expect(effects == [.kick(Self.router), .publish])
    // The last one asks for all that could refute the claim.
    #expect(looks == [101, 102, 103, 104, 105, 105])
    #expect(machine.claim == NWPath.NoAnswers(connections: 3, hosts: 2, duration: .seconds(15)))
    #expect(machine.claim?.cause == "no answers: 3 connections to 2 hosts, for 15 s")
  }

  @Test func looksAtFollowedConnectionsAndAtAllBeforeAClaim() {
    var machine = suspicious([(1, 10)])
    for time in 101...104 {
      #expect(machine.handle(.deadlinePassed, at: .seconds(time)) == [.look(.followed)])
      #expect(machine.handle(Self.look([(1, time - 90)], depth: .followed), at: .seconds(time)) == [])
    }
    // Others may have stalled meanwhile.
    #expect(machine.handle(.deadlinePassed, at: .seconds(105)) == [.look(.whole)])
    #expect(machine.handle(Self.look([(1, 15)]), at: .seconds(105)) == [])
    #expect(machine.handle(.deadlinePassed, at: .seconds(106)) == [.look(.followed)])
    // The followed connections are proof. The look at everything before the claim finds that one was answered.
    let proof = [(host: 1, age: 16), (host: 2, age: 9)]
    #expect(machine.handle(Self.look(proof, depth: .followed), at: .seconds(106)) == [.look(.thorough)])
    #expect(machine.handle(Self.look(proof, heard: 1, depth: .thorough), at: .seconds(106)) == [])
    #expect(machine.claim == nil)
  }

  @Test(arguments: [
    // One host, whatever the number of its connections.
    [(1, 80), (1, 81), (1, 82)],
    // One connection.
    [(1, 80)],
    // The second oldest is younger than 5 s at 110 s.
    [(1, 80), (2, 106)],
    // They stalled before the last sign of life.
    [(1, 70), (2, 71), (3, 72)],
    // Only one stalled since.
    [(1, 70), (2, 71), (3, 82)],
  ])
  func lessProvesNothing(_ times: [(host: Int, time: Int)]) {
    var machine = suspicious()
    let (effects, _) = run(&machine, until: 110) { now in
      Self.look(since(times, at: now).filter { $0.age > 0 }, heard: now - 80)
    }
    #expect(effects == [] && machine.claim == nil)
  }

  @Test func connectionsThatAreBeingMadeProveNothing() {
    var machine = ready()
    _ = machine.handle(Self.stale, at: .seconds(100))
    _ = machine.handle(Self.look(connecting: 20), at: .seconds(100))
    #expect(machine.schedule.phase == .asleep && machine.nextDeadline == nil)
    machine = suspicious([(1, 10)])
    let (effects, _) = run(&machine, until: 160) { Self.look([(1, $0 - 90)], connecting: 20) }
    #expect(effects == [])
  }

  @Test func aSegmentThatWasSentAgainOnceIsFollowed() {
    var machine = ready()
    _ = machine.handle(Self.stale, at: .seconds(100))
    _ = machine.handle(Self.look(doubtful: 1), at: .seconds(100))
    let (effects, looks) = run(&machine, until: 103) { Self.look([], doubtful: $0 < 102 ? 1 : 0) }
    // At 102 s the followed connection is answered; before it sleeps the machine looks at all.
    #expect(effects == [] && looks == [101, 102, 102] && machine.schedule.phase == .asleep)
  }

  /// Two far hosts are dead, and a nameserver answers every two seconds.
  @Test func datagramsFromOutsideRefuteIt() {
    var machine = suspicious()
    let (effects, _) = run(&machine, until: 200) { now in
      Self.look(since([(1, 90), (2, 91)], at: now), heard: now - 80, datagrams: Int64(now / 2))
    }
    #expect(effects == [])
    // No socket can hear them from beyond the router: they come from the local network.
    machine = suspicious()
    let (others, _) = run(&machine, until: 200) { now in
      Self.look(since([(1, 90), (2, 91)], at: now), heard: now - 80, datagrams: Int64(now / 2), mayHear: false)
    }
    #expect(others.contains(.publish) && machine.claim != nil)
  }

  /// It delays the claim, since it came after the stalls began. They count when no more come.
  @Test func aDatagramDoesNotVoidEarlierStalls() {
    var machine = suspicious()
    let (effects, _) = run(&machine, until: 109) {
      Self.look(since([(1, 90), (2, 91)], at: $0), datagrams: $0 < 104 ? 0 : 1)
    }
    #expect(effects == [] && machine.claim == nil)
    #expect(
      run(&machine, until: 110) { Self.look(since([(1, 90), (2, 91)], at: $0), datagrams: 1) }.effects
        .contains(.publish))
  }

  @Test func withoutCountersOfDatagramsItClaimsNothing() {
    var machine = suspicious()
    let (effects, _) = run(&machine, until: 150) { Self.look(since([(1, 90), (2, 91)], at: $0), datagrams: nil) }
    #expect(effects == [])
  }

  @Test func whatStallsAfterADatagramCounts() {
    var machine = suspicious([(1, 5), (2, 5)])
    let (effects, _) = run(&machine, until: 110) { now in
      Self.look(since([(1, 100), (2, 101)], at: now).filter { $0.age > 0 }, datagrams: now < 101 ? 0 : 1)
    }
    #expect(effects.contains(.publish) && machine.claim?.hosts == 2)
  }

  @Test func eachSignOfLifeEndsItAtOnce() {
    var machine = suspicious()
    _ = run(&machine, until: 109) { Self.look(since([(1, 90), (2, 91)], at: $0)) }
    #expect(machine.claim != nil)
    #expect(machine.handle(.deadlinePassed, at: .seconds(110)) == [.look(.whole)])
    #expect(machine.handle(Self.look([(1, 20), (2, 19)], heard: 0), at: .seconds(110)) == [.publish])
    #expect(machine.claim == nil)
    // The same stalls prove nothing any more.
    #expect(run(&machine, until: 150) { Self.look(since([(1, 90), (2, 91)], at: $0)) }.effects == [])
  }

  /// What no known connection explains may be a datagram, the end of a connection that was opened and answered between two looks, or come
  /// from the local network.
  @Test func whatNoConnectionExplainsIsLookedInto() {
    let stalls = [(host: 1, age: 20), (host: 2, age: 19)]
    func claimed() -> ConnectionMachine {
      var machine = suspicious()
      _ = run(&machine, until: 109) { Self.look(since([(1, 90), (2, 91)], at: $0)) }
      #expect(machine.claim != nil)
      #expect(machine.handle(.deadlinePassed, at: .seconds(110)) == [.look(.whole)])
      #expect(machine.handle(Self.look(stalls, datagrams: 1), at: .seconds(110)) == [.look(.thorough)])
      return machine
    }
    var machine = claimed()
    #expect(
      machine.handle(Self.look(stalls, datagrams: 1, mayHear: false, depth: .thorough), at: .seconds(110)) == [])
    #expect(machine.claim != nil)
    #expect(machine.handle(.deadlinePassed, at: .seconds(111)) == [.look(.whole)])
    #expect(machine.handle(Self.look(stalls, datagrams: 1), at: .seconds(111)) == [])
    machine = claimed()
    #expect(
      machine.handle(Self.look(stalls, heard: 1, datagrams: 1, mayHear: false, depth: .thorough), at: .seconds(110))
        == [.publish])
    #expect(machine.claim == nil)
    machine = claimed()
    #expect(machine.handle(Self.look(stalls, datagrams: 1, depth: .thorough), at: .seconds(110)) == [.publish])
    #expect(machine.claim == nil)
    // No more come: the same stalls prove it again.
    let (effects, _) = run(&machine, until: 115) { Self.look(since([(1, 90), (2, 91)], at: $0), datagrams: 1) }
    #expect(effects.contains(.publish) && machine.claim != nil)
  }

  /// A connection that was opened, answered and closed between two looks, and whose server has not closed it yet.
  @Test func aHalfClosedConnectionIsASignOfLifeBesidePackets() {
    for (packets, claims) in [(Int64(0), true), (1, false)] {
      var machine = suspicious()
      let (effects, _) = run(&machine, until: 109) { now in
        let event = Self.look(
          since([(1, 90), (2, 91)], at: now), datagrams: now < 104 ? 0 : packets, mayHear: false)
        guard case .looked(var look) = event else { return event }
        look.halfClosedAge = .seconds(1)
        return .looked(look)
      }
      #expect(effects.contains(.publish) == claims)
    }
  }

  /// Looks take at most a four-hundredth of a processor.
  @Test func anExpensiveLookDelaysTheNext() {
    func look(
      _ stalls: [(host: Int, age: Int)], cost: Duration, depth: ConnectionLook.Depth = .whole
    ) -> ConnectionMachine.Event {
      guard case .looked(var look) = Self.look(stalls, depth: depth) else { return .lookFailed }
      look.cost = cost
      return .looked(look)
    }
    var machine = ready()
    _ = machine.handle(Self.stale, at: .seconds(100))
    #expect(machine.handle(look([(1, 10)], cost: .milliseconds(10)), at: .seconds(100)) == [])
    #expect(machine.nextDeadline == .milliseconds(104_000))
    #expect(machine.handle(.deadlinePassed, at: .milliseconds(104_000)) == [.look(.followed)])
    #expect(machine.handle(look([(1, 14)], cost: .milliseconds(2), depth: .followed), at: .milliseconds(104_000)) == [])
    #expect(machine.nextDeadline == .milliseconds(105_000))
    // The next event does not evade it.
    #expect(machine.handle(.deadlinePassed, at: .milliseconds(105_000)) == [.look(.whole)])
    #expect(machine.handle(look([], cost: .milliseconds(20)), at: .milliseconds(105_000)) == [])
    #expect(machine.schedule.phase == .asleep)
    #expect(machine.handle(Self.stale, at: .milliseconds(106_000)) == [])
    #expect(machine.nextDeadline == .milliseconds(113_000))
    #expect(machine.handle(.deadlinePassed, at: .milliseconds(113_000)) == [.look(.whole)])
    // While a claim holds.
    machine = suspicious()
    _ = run(&machine, until: 105) { Self.look(since([(1, 90), (2, 91)], at: $0)) }
    #expect(machine.claim != nil)
    #expect(machine.handle(.deadlinePassed, at: .seconds(106)) == [.look(.whole)])
    #expect(machine.handle(look([(1, 16), (2, 15)], cost: .milliseconds(10)), at: .seconds(106)) == [])
    #expect(machine.nextDeadline == .seconds(110))
  }

  @Test func oneLookASecondAndOneEachFiveAfterAMinute() {
    var machine = suspicious([(1, 10)])
    let (_, looks) = run(&machine, until: 200) { Self.look([(1, $0 - 90)]) }
    #expect(looks.filter { $0 <= 160 } == Array(101...160))
    #expect(looks.filter { $0 > 160 } == [165, 170, 175, 180, 185, 190, 195, 200])
  }

  @Test func wordsAreRenewedWhenTheTimeHasDoubled() {
    var machine = suspicious(mayKick: false)
    let (effects, _) = run(&machine, until: 180) { now in
      Self.look(since([(1, 90), (2, 91)] + (now > 110 ? [(3, 103), (3, 103)] : []), at: now))
    }
    // At 105 s for 15 s, at 120 s for 30 s, at 150 s for 60 s.
    #expect(effects == [.publish, .publish, .publish])
    #expect(machine.claim == NWPath.NoAnswers(connections: 4, hosts: 3, duration: .seconds(60)))
  }

  @Test func theRoutersOwnAnswerSaysWhere() {
    var machine = suspicious()
    let (effects, _) = run(&machine, until: 112) { now in
      Self.look(since([(1, 90), (2, 91)], at: now), routerHeard: now < 110 ? 40 : 1)
    }
    #expect(effects == [.kick(Self.router), .publish, .publish])
    #expect(machine.claim?.explanation.hasSuffix("; the router answers, nothing behind it does") == true)
    // The router has answered since the first stall: no datagram is needed.
    machine = suspicious()
    #expect(
      run(&machine, until: 112) { Self.look(since([(1, 90), (2, 91)], at: $0), routerHeard: 1) }.effects == [.publish])
    #expect(machine.claim?.routerAnswers == true)
  }

  /// The router may die while nothing behind it answers. What it answered before says nothing then.
  @Test func theWordsAboutTheRouterGoWhenItFails() {
    var machine = suspicious()
    _ = run(&machine, until: 112) { Self.look(since([(1, 90), (2, 91)], at: $0), routerHeard: 1) }
    #expect(machine.claim?.routerAnswers == true)
    let other = Neighbour(Gateway(AnyIPAddress("192.0.2.77")!, on: 2), state: .failed)
    #expect(machine.handle(.changed([other]), at: .seconds(112)) == [] && machine.claim?.routerAnswers == true)
    let failed = Neighbour(Self.router, state: .failed)
    #expect(machine.handle(.changed([failed]), at: .seconds(113)) == [.publish])
    #expect(machine.claim?.explanation.contains("the router") == false)
    // Its entry has the time of an earlier answer; then it answers again.
    _ = run(&machine, until: 117) { Self.look(since([(1, 90), (2, 91)], at: $0), routerHeard: 10) }
    #expect(machine.claim?.routerAnswers == false)
    _ = run(&machine, until: 120) { Self.look(since([(1, 90), (2, 91)], at: $0), routerHeard: 0) }
    #expect(machine.claim?.routerAnswers == true)
  }

  /// A program gives up and tries again: its new connections prove nothing, but they are no sign of life either.
  @Test func theClaimLastsWhileAnythingWaits() {
    var machine = suspicious()
    _ = run(&machine, until: 106) { Self.look(since([(1, 90), (2, 91)], at: $0)) }
    #expect(run(&machine, until: 113) { _ in Self.look(connecting: 1) }.effects == [])
    #expect(machine.claim?.connections == 2)
    #expect(run(&machine, until: 114) { _ in Self.look() }.effects == [.publish])
    #expect(machine.schedule.phase == .asleep)
  }

  /// The times of the questions to silent hosts, by these looks.
  private func questions(
    _ machine: inout ConnectionMachine, until end: Int, _ result: (Int) -> ConnectionMachine.Event
  ) -> [Int] {
    var times: [Int] = []
    for time in Int(machine.nextDeadline?.components.seconds ?? 0)...end {
      let count = run(&machine, until: time, result).effects.count { $0 == .ask }
      times += Array(repeating: time, count: count)
    }
    return times
  }

  @Test func asksASilentHostEveryFiveSeconds() {
    var machine = suspicious(mayAsk: true)
    // The claim comes at 105 s. After a minute the machine looks every five seconds, and asks each time.
    let times = questions(&machine, until: 190) { Self.look(since([(1, 90), (2, 91)], at: $0)) }
    #expect(times == Array(stride(from: 101, to: 160, by: 5)) + [165, 170, 175, 180, 185, 190])
    #expect(machine.claim != nil)
    // Programs give up and try again: the claim lasts, and so do the questions.
    #expect(questions(&machine, until: 200) { _ in Self.look(connecting: 1) }.count == 2)
    machine = suspicious()
    #expect(questions(&machine, until: 190) { Self.look(since([(1, 90), (2, 91)], at: $0)) } == [])
  }

  @Test func theAnswerOfASilentHostEndsTheClaim() {
    var machine = suspicious(mayAsk: true)
    _ = run(&machine, until: 109) { Self.look(since([(1, 90), (2, 91)], at: $0)) }
    #expect(machine.claim != nil)
    #expect(machine.handle(.hostAnswered, at: .milliseconds(109_100)) == [.publish])
    #expect(machine.claim == nil)
    // The same stalls prove nothing any more, and are no reason to ask.
    #expect(run(&machine, until: 150) { Self.look(since([(1, 90), (2, 91)], at: $0)) }.effects == [])
    // A later one is.
    let times = questions(&machine, until: 170) { now in
      Self.look(since([(1, 155), (3, 90)], at: now).filter { $0.age > 0 })
    }
    #expect(times == [160, 165, 170])
  }

  @Test func anAnswerWithoutAClaimVoidsEarlierStalls() {
    var machine = suspicious(mayAsk: true)
    #expect(machine.handle(.hostAnswered, at: .milliseconds(100_500)) == [])
    #expect(run(&machine, until: 130) { Self.look(since([(1, 90), (2, 91)], at: $0)) }.effects == [])
    machine = ready(.init(mayAsk: true))
    #expect(machine.handle(.hostAnswered, at: .seconds(1)) == [] && machine.schedule.phase == .asleep)
  }

  /// Only this host is dead, or the stall is young.
  @Test func noQuestionWhileTheNetworkAnswers() {
    var machine = suspicious([(1, 1)], mayAsk: true)
    #expect(questions(&machine, until: 150) { Self.look(since([(1, 90)], at: $0), heard: 1) } == [])
    machine = suspicious([(1, 1)], mayAsk: true)
    #expect(questions(&machine, until: 103) { Self.look(since([(1, 99)], at: $0)) } == [])
    #expect(questions(&machine, until: 105) { Self.look(since([(1, 99)], at: $0)) } == [104])
  }

  @Test func newConnectionsThatWaitSuggestACheck() {
    var machine = ready()
    _ = machine.handle(Self.stale, at: .seconds(100))
    #expect(machine.handle(Self.look(heard: 30, connecting: 2, overdue: 2), at: .seconds(100)) == [.suggestCheck])
    #expect(machine.schedule.phase == .asleep && machine.claim == nil)
    // One server is dead; other packets come; they have not waited long.
    for look in [
      Self.look(heard: 30, connecting: 9, overdue: 1), Self.look(heard: 1, connecting: 2, overdue: 2),
      Self.look(heard: 30, connecting: 20),
    ] {
      machine = ready()
      _ = machine.handle(Self.stale, at: .seconds(100))
      #expect(machine.handle(look, at: .seconds(100)) == [])
    }
    // Beside a stall: at each look at all connections.
    machine = suspicious([(1, 10)])
    let (effects, _) = run(&machine, until: 111) { Self.look([(1, $0 - 90)], connecting: 3, overdue: 3) }
    #expect(effects == [.suggestCheck, .suggestCheck])
  }

  @Test func threeFailedLooksEndIt() {
    var machine = ready()
    _ = machine.handle(Self.stale, at: .seconds(100))
    #expect(machine.handle(.lookFailed, at: .seconds(100)) == [] && machine.schedule.phase == .asleep)
    machine = suspicious()
    _ = run(&machine, until: 106) { Self.look(since([(1, 90), (2, 91)], at: $0)) }
    for time in [107, 108] {
      _ = machine.handle(.deadlinePassed, at: .seconds(time))
      #expect(machine.handle(.lookFailed, at: .seconds(time)) == [])
    }
    _ = machine.handle(.deadlinePassed, at: .seconds(109))
    #expect(machine.handle(.lookFailed, at: .seconds(109)) == [.publish] && machine.schedule.phase == .asleep)
  }

  @Test func resumeAndNewRoutesForgetAllAndWait() {
    let address = InterfaceAddress.Key(index: 2, address: AnyIPAddress("192.0.2.9")!, prefixLength: 24)
    let other = [Self.router: RouterMachine.LinkState(addresses: [address])]
    for event in [ConnectionMachine.Event.clockStepped, .evaluated(other, .init())] {
      var machine = suspicious()
      _ = run(&machine, until: 109) { Self.look(since([(1, 90), (2, 91)], at: $0)) }
      #expect(machine.handle(event, at: .seconds(110)) == [.publish] && machine.schedule.phase == .asleep)
      #expect(machine.handle(Self.stale, at: .seconds(112)) == [])
      #expect(machine.nextDeadline == .seconds(140))
      #expect(machine.handle(.deadlinePassed, at: .seconds(140)) == [.look(.whole)])
      // What stalled before it never counts; what stalls after it does.
      _ = machine.handle(Self.look([(1, 50), (2, 49)]), at: .seconds(140))
      #expect(run(&machine, until: 150) { Self.look(since([(1, 90), (2, 91)], at: $0)) }.effects == [])
      #expect(run(&machine, until: 160) { Self.look(since([(1, 120), (2, 121)], at: $0)) }.effects.contains(.publish))
    }
  }

  @Test func sleepsWhileTurnedOffOrOffline() {
    for terms in [ConnectionMachine.Terms(isOn: false), .init(isSatisfied: false)] {
      var machine = suspicious()
      _ = run(&machine, until: 109) { Self.look(since([(1, 90), (2, 91)], at: $0)) }
      #expect(machine.handle(.evaluated(Self.linkStates, terms), at: .seconds(110)) == [.publish])
      #expect(machine.handle(Self.stale, at: .seconds(120)) == [] && machine.nextDeadline == nil)
    }
  }
}
