import NetworkPath
import OverlineSimulatedMachine
import OverlineTestThread
import Testing

/// Whole outages in simulated time, with the kernel's default timers.
@Suite(.ownThread) struct OutageTests {
  private static let router = Gateway(AnyIPAddress("192.0.2.1")!, on: 2)
  private static let linkStates = [router: RouterMachine.LinkState()]
  private static let tick = Duration.milliseconds(100)

  /// The times in seconds when a claim began and ended, and when the first sign came that led to it.
  private struct Report: Equatable {
    var sign: Double?
    var claims: [Double] = []
    var ends: [Double] = []
  }

  private static func seconds(_ time: Duration) -> Double { time / .seconds(1) }

  // MARK: A silent router

  /// The router is silent from 0 s on.
  ///
  /// - Parameters:
  ///   - outage: its duration in seconds.
  ///   - pause: the time between two packets that programs send.
  private func silentRouter(
    for outage: Int, reachableTime: Int, pause: Int, mayKick: Bool = true
  ) -> Report {
    var entry = SimulatedEntry(Self.router, reachableTime: .seconds(reachableTime))
    var machine = RouterMachine()
    var report = Report()
    var isWatched = false
    func perform(_ effects: [RouterMachine.Effect], at now: Duration) {
      var effects = effects
      while !effects.isEmpty {
        switch effects.removeFirst() {
        case .watch(let watches): isWatched = watches.contains { $0.includesAnswers }
        case .read: effects += machine.handle(.read([entry.neighbour(at: now)]), at: now)
        case .kick: entry.use(at: now)
        case .decide:
          if machine.silent.isEmpty {
            report.ends.append(Self.seconds(now))
          } else if report.claims.count == report.ends.count {
            report.claims.append(Self.seconds(now))
          }
        }
      }
    }
    perform(machine.handle(.evaluated(Self.linkStates, mayKick: mayKick), at: .zero), at: .zero)
    for count in 1...2000 {
      let now = Self.tick * count
      if count % (pause * 10) == 0 { entry.use(at: now) }
      if let message = entry.advance(to: now, answers: now >= .seconds(outage)) {
        // The socket's filter.
        let passes =
          switch message.state {
          case .stale, .failed: true
          case .reachable: isWatched
          default: false
          }
        if message.state == .failed { report.sign = report.sign ?? Self.seconds(now) }
        if passes { perform(machine.handle(.changed([message]), at: now), at: now) }
      }
      if let deadline = machine.nextDeadline, deadline <= now {
        perform(machine.handle(.deadlinePassed, at: now), at: now)
      }
    }
    return report
  }

  /// The kernel asks the router only when an answer is 15 to 45 s old: the router is back before.
  @Test(arguments: [15, 30, 45]) func aRouterThatIsSilentFor20SecondsIsNoOutage(reachableTime: Int) {
    for pause in [1, 20] {
      #expect(silentRouter(for: 20, reachableTime: reachableTime, pause: pause) == Report())
    }
  }

  @Test(arguments: [15, 30, 45]) func aRouterThatIsSilentFor75SecondsIsOneOutage(reachableTime: Int) throws {
    for pause in [1, 20] {
      let report = silentRouter(for: 75, reachableTime: reachableTime, pause: pause)
      let failed = try #require(report.sign)
      #expect(failed >= 23 && failed <= (pause == 1 ? 55 : 75), "\(report)")
      try #require(report.claims.count == 1 && report.ends.count == 1, "\(report)")
      #expect(report.claims[0] - failed <= 10, "\(report)")
      // With datagrams of its own the monitor notices the end.
      #expect(report.ends[0] >= 75 && report.ends[0] <= 81, "\(report)")
    }
    // Without them, the next packet of a program shows it.
    let report = silentRouter(for: 75, reachableTime: reachableTime, pause: 20, mayKick: false)
    if !report.claims.isEmpty { #expect(report.ends.count == 1 && report.ends[0] <= 101, "\(report)") }
  }

  // MARK: Nothing forwarded

  /// From 0 s on the router answers and forwards nothing.
  ///
  /// - Parameter outage: its duration in seconds.
  private func deadUplink(for outage: Int, reachableTime: Int, connections count: Int, asks: Bool = false) -> Report {
    var entry = SimulatedEntry(Self.router, reachableTime: .seconds(reachableTime))
    var connections = (0..<count).map {
      SimulatedConnection(to: $0 + 1, timeout: .milliseconds(200 + 17 * $0 % 40), start: .milliseconds(31 * $0))
    }
    var machine = ConnectionMachine()
    var report = Report()
    func perform(_ effects: [ConnectionMachine.Effect], at now: Duration) {
      var effects = effects
      while !effects.isEmpty {
        switch effects.removeFirst() {
        case .look(let depth):
          report.sign = report.sign ?? Self.seconds(now)
          var look = ConnectionLook(
            connections.map { $0.socket(at: now) }.filter { depth != .followed || $0.isUnanswered }, depth: depth,
            owners: StallOwners(user: 1000), isOwn: { _ in true }, router: { _ in Self.router })
          look.counters = DatagramCounters(ipv4: 0)
          effects += machine.handle(.looked(look), at: now)
        case .kick: entry.use(at: now)
        // The kernel sends the first packet again after 1 s, and the watcher closes the connection at the next look.
        case .ask: if now >= .seconds(outage) { effects += machine.handle(.hostAnswered, at: now) }
        case .suggestCheck: break
        case .publish:
          if machine.claim == nil {
            report.ends.append(Self.seconds(now))
          } else if report.claims.count == report.ends.count {
            report.claims.append(Self.seconds(now))
          }
        }
      }
    }
    _ = machine.handle(.evaluated(Self.linkStates, .init(mayAsk: asks)), at: .zero)
    for tick in 1...1500 {
      let now = Self.tick * tick
      let isForwarded = now >= .seconds(outage)
      for index in connections.indices {
        let (isSent, isHeard) = connections[index].advance(to: now, isForwarded: isForwarded)
        if isSent { entry.use(at: now) }
        if isHeard { entry.confirm(at: now) }
      }
      if let message = entry.advance(to: now, answers: true), message.state == .stale {
        perform(machine.handle(.changed([message]), at: now), at: now)
      }
      if let deadline = machine.nextDeadline, deadline <= now {
        perform(machine.handle(.deadlinePassed, at: now), at: now)
      }
    }
    return report
  }

  /// TCP sends again 25 s after the outage began: that is how late the end shows.
  @Test func anUplinkThatIsDeadFor20SecondsIsClaimedUntilTCPSendsAgain() throws {
    let report = deadUplink(for: 20, reachableTime: 18, connections: 3)
    try #require(report.claims.count == 1 && report.ends.count == 1, "\(report)")
    #expect(report.claims[0] >= 20 && report.claims[0] <= 24, "\(report)")
    #expect(report.ends[0] <= 27.5, "\(report)")
    // The kernel asks later than the outage lasts: no connection is looked at.
    #expect(deadUplink(for: 20, reachableTime: 45, connections: 3) == Report())
  }

  @Test func theEndOfALongOutageShowsLateUnlessTheMonitorAsks() throws {
    for (asks, latest) in [(false, 110.0), (true, 81.0)] {
      let report = deadUplink(for: 75, reachableTime: 33, connections: 3, asks: asks)
      try #require(report.claims.count == 1 && report.ends.count == 1, "\(report)")
      #expect(report.claims[0] <= 50, "\(report)")
      #expect(report.ends[0] > (asks ? 75 : 95) && report.ends[0] <= latest, "\(report)")
    }
  }

  /// For each reachable time that the kernel may choose.
  @Test(arguments: [3, 20]) func theClaimComesWithinEightSecondsOfTheFirstLook(connections: Int) throws {
    for reachableTime in 15...45 {
      let report = deadUplink(for: 150, reachableTime: reachableTime, connections: connections)
      let look = try #require(report.sign, "\(reachableTime)")
      let claim = try #require(report.claims.first, "\(reachableTime)")
      #expect(claim - look <= 8 && claim <= 51, "\(report)")
    }
  }
}
