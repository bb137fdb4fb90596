import NetworkPath
import OverlineTestThread
import Testing

/// After an outage whose carrier or route is back: the outage lasts until the router answers.
@Suite(.ownThread) struct AwaitedRouterTests {
  private static let router = Gateway(AnyIPAddress("192.0.2.1")!, on: 2)
  private static let other = Gateway(AnyIPAddress("fe80::1")!, on: 2)
  private static let online = NWPath(status: .satisfied, explanation: "online", supportsIPv4: true)
  private static let offline = NWPath(status: .unsatisfied, reason: .noCarrier, explanation: "offline")
  private static let silent = NWPath(status: .unsatisfied, reason: .routerSilent, explanation: "silent")

  private static func entry(_ state: Neighbour.State, _ router: Gateway = router, hasLinkAddress: Bool = true)
    -> Neighbour
  {
    Neighbour(router, state: state, hasLinkAddress: hasLinkAddress && state != .failed, confirmedAge: .seconds(9))
  }

  private static func link(hasCarrier: Bool) -> KernelEvent {
    .linkChanged(LinkChange(index: 2, flags: hasCarrier ? 0x11043 : 0x1003, name: "eth0", operationalState: .up))
  }

  private static func evaluation(
    _ path: NWPath = online, needing routers: [Gateway] = [router], linkState: RouterMachine.LinkState = .init(),
    mayKick: Bool = true
  ) -> PathMachine.Event {
    .evaluated(
      PathEvaluation(
        path: path, routers: Dictionary(uniqueKeysWithValues: routers.map { ($0, linkState) }),
        neededRouters: Set(routers), mayKick: mayKick))
  }

  /// A machine that has published an outage at 1 s, and whose link is up again at 10 s.
  private func returning() -> PathMachine {
    var machine = PathMachine()
    for event: PathMachine.Event in [
      .deadlinePassed, .opened, .dumped([Self.link(hasCarrier: true)], complete: true), Self.evaluation(),
      .routersRead([Self.entry(.reachable)]),
    ] {
      _ = machine.handle(event, at: .zero)
    }
    _ = machine.handle(.received([Self.link(hasCarrier: false)]), at: .seconds(1))
    #expect(
      machine.handle(Self.evaluation(Self.offline, needing: []), at: .seconds(1)).contains(.publish(Self.offline)))
    _ = machine.handle(.deadlinePassed, at: .seconds(2))
    #expect(machine.nextDeadline == nil)
    #expect(machine.handle(.received([Self.link(hasCarrier: true)]), at: .seconds(10)) == [.evaluate])
    return machine
  }

  private func isPublished(_ effects: [PathMachine.Effect]) -> Bool {
    effects.contains { if case .publish = $0 { true } else { false } }
  }

  @Test func theOutageEndsWithTheRoutersAnswer() {
    var machine = returning()
    let effects = machine.handle(Self.evaluation(), at: .seconds(10))
    #expect(!isPublished(effects) && effects.contains(.readRouters([Self.router])))
    // One datagram makes the kernel ask.
    #expect(
      machine.handle(.routersRead([Self.entry(.failed)]), at: .seconds(10)) == [
        .kick(Self.router), .readRouters([Self.router]),
      ])
    #expect(machine.handle(.routersRead([Self.entry(.incomplete)]), at: .seconds(10)) == [])
    _ = machine.handle(.deadlinePassed, at: .seconds(11))
    #expect(machine.nextDeadline == .seconds(14))
    #expect(machine.handle(.neighboursChanged([Self.entry(.reachable)]), at: .seconds(12)).contains(.evaluate))
    #expect(machine.handle(Self.evaluation(), at: .seconds(12)).contains(.publish(Self.online)))
    _ = machine.handle(.deadlinePassed, at: .seconds(13))
    #expect(machine.nextDeadline == nil)
  }

  /// A process that starts while the running monitor waits for the router waits too.
  @Test func theRunningMonitorsOutageCounts() {
    var machine = PathMachine()
    for event: PathMachine.Event in [
      .outageReported, .deadlinePassed, .opened, .dumped([Self.link(hasCarrier: true)], complete: true),
    ] {
      _ = machine.handle(event, at: .zero)
    }
    #expect(!isPublished(machine.handle(Self.evaluation(), at: .zero)))
    _ = machine.handle(.routersRead([Self.entry(.reachable)]), at: .zero)
    #expect(machine.handle(Self.evaluation(), at: .zero).contains(.publish(Self.online)))
  }

  /// The router has asked for this machine first, is not probed, or the route was lost but not the router.
  @Test(arguments: [Neighbour.State.reachable, .stale, .delay, .permanent, .noARP])
  func whatTheKernelKnowsEndsTheOutageAtOnce(state: Neighbour.State) {
    var machine = returning()
    #expect(!isPublished(machine.handle(Self.evaluation(), at: .seconds(10))))
    let effects = machine.handle(.routersRead([Self.entry(state)]), at: .seconds(10))
    #expect(effects.contains(.evaluate) && !effects.contains(.kick(Self.router)))
    #expect(machine.handle(Self.evaluation(), at: .seconds(10)).contains(.publish(Self.online)))
  }

  /// The kernel's question was not sent, or no message about it came: nothing is known.
  @Test(arguments: [nil, entry(.incomplete), entry(.probe), entry(.stale, hasLinkAddress: false), entry(.failed)])
  func withoutAnAnswerAndWithoutAFailureItEndsAfterFourSeconds(entry: Neighbour?) {
    var machine = returning()
    _ = machine.handle(Self.evaluation(), at: .seconds(10))
    _ = machine.handle(.routersRead([entry].compactMap(\.self)), at: .seconds(10))
    // A new address meanwhile neither prolongs the wait nor sends another datagram.
    let address = InterfaceAddress.Key(index: 2, address: AnyIPAddress("192.0.2.9")!, prefixLength: 24)
    var effects = machine.handle(Self.evaluation(linkState: .init(addresses: [address])), at: .seconds(12))
    effects += machine.handle(.routersRead([]), at: .seconds(12))
    #expect(!isPublished(effects) && !effects.contains(.kick(Self.router)))
    _ = machine.handle(.deadlinePassed, at: .seconds(13))
    #expect(machine.nextDeadline == .seconds(14))
    #expect(machine.handle(.deadlinePassed, at: .seconds(14)) == [.publish(Self.online)])
    #expect(machine.nextDeadline == nil)
  }

  @Test func oneFailureKeepsTheOutage() {
    var machine = returning()
    _ = machine.handle(Self.evaluation(), at: .seconds(10))
    _ = machine.handle(.routersRead([]), at: .seconds(10))
    #expect(machine.handle(.neighboursChanged([Self.entry(.failed)]), at: .seconds(13)).contains(.evaluate))
    #expect(machine.silentRouters == [Self.router: .sinceLinkUp])
    #expect(
      machine.handle(Self.evaluation(Self.silent, needing: [Self.router]), at: .seconds(13))
        .contains(.publish(Self.silent)))
    _ = machine.handle(.deadlinePassed, at: .seconds(14))
    #expect(machine.nextDeadline == .seconds(15))
    #expect(machine.handle(.deadlinePassed, at: .seconds(15)) == [.kick(Self.router)])
    #expect(machine.handle(.neighboursChanged([Self.entry(.reachable)]), at: .seconds(16)).contains(.evaluate))
    #expect(machine.handle(Self.evaluation(), at: .seconds(16)).contains(.publish(Self.online)))
    #expect(machine.silentRouters.isEmpty)
  }

  /// The link was up all the time: nothing says since when the router is silent.
  @Test func theWordsNameNoTimeThatWasNotSeen() {
    var machine = PathMachine()
    for event: PathMachine.Event in [
      .deadlinePassed, .opened, .dumped([Self.link(hasCarrier: true)], complete: true),
      Self.evaluation(Self.offline, needing: []), Self.evaluation(), .routersRead([]),
      .neighboursChanged([Self.entry(.failed)]),
    ] {
      _ = machine.handle(event, at: .zero)
    }
    #expect(machine.silentRouters == [Self.router: .unheard])
  }

  @Test func anyOfTheRoutersIsEnough() {
    var machine = returning()
    _ = machine.handle(Self.evaluation(needing: [Self.router, Self.other]), at: .seconds(10))
    #expect(machine.handle(.routersRead([]), at: .seconds(10)).count { $0 == .kick(Self.router) } == 1)
    #expect(
      machine.handle(.neighboursChanged([Self.entry(.reachable, Self.other)]), at: .seconds(11)).contains(.evaluate))
    #expect(
      machine.handle(Self.evaluation(needing: [Self.router, Self.other]), at: .seconds(11))
        .contains(.publish(Self.online)))
  }

  /// Both routers are dead: neither's silence excuses the other.
  @Test func allOfTheRoutersMayBeSilent() {
    var machine = returning()
    _ = machine.handle(Self.evaluation(needing: [Self.router, Self.other]), at: .seconds(10))
    _ = machine.handle(.routersRead([]), at: .seconds(10))
    for router in [Self.router, Self.other] {
      _ = machine.handle(.neighboursChanged([Self.entry(.failed, router)]), at: .seconds(13))
    }
    _ = machine.handle(.neighboursChanged([Self.entry(.incomplete)]), at: .seconds(13))
    #expect(Set(machine.silentRouters.keys) == [Self.router, Self.other])
  }

  @Test(arguments: [
    evaluation(mayKick: false), evaluation(needing: []),
  ]) func nothingIsAwaitedWithoutKicksOrWithoutANeededRouter(evaluation: PathMachine.Event) {
    var machine = returning()
    #expect(machine.handle(evaluation, at: .seconds(10)).contains(.publish(Self.online)))
    #expect(!machine.handle(.routersRead([]), at: .seconds(10)).contains(.kick(Self.router)))
  }

  /// At a start nothing is known, and that is no outage.
  @Test func withoutAnOutageNothingIsAwaited() {
    var machine = PathMachine()
    for event: PathMachine.Event in [.deadlinePassed, .opened, .dumped([], complete: true)] {
      _ = machine.handle(event, at: .zero)
    }
    #expect(machine.handle(Self.evaluation(), at: .zero).contains(.publish(Self.online)))
    #expect(machine.handle(.routersRead([]), at: .zero) == [])
  }

  @Test func anotherLossEndsTheWait() {
    var machine = returning()
    _ = machine.handle(Self.evaluation(), at: .seconds(10))
    _ = machine.handle(.routersRead([]), at: .seconds(10))
    _ = machine.handle(.received([Self.link(hasCarrier: false)]), at: .seconds(11))
    _ = machine.handle(Self.evaluation(Self.offline, needing: []), at: .seconds(11))
    _ = machine.handle(.deadlinePassed, at: .seconds(12))
    #expect(machine.nextDeadline == nil)
    // The next return has four seconds of its own.
    _ = machine.handle(Self.evaluation(), at: .seconds(20))
    #expect(machine.handle(.deadlinePassed, at: .seconds(23)) == [])
    #expect(machine.handle(.deadlinePassed, at: .seconds(24)).contains(.publish(Self.online)))
  }
}
