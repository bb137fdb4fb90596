import NetworkPath
import OverlineTestThread
import Testing

/// Which routers count as silent. One FAILED proves nothing, and a router that was never heard must fail for longer.
@Suite(.ownThread) struct RouterMachineTests {
  private static let router = Gateway(AnyIPAddress("192.0.2.1")!, on: 2)
  private static let other = Gateway(AnyIPAddress("fe80::1")!, on: 2)
  private static let linkState = RouterMachine.LinkState()

  private static func entry(_ state: Neighbour.State, _ router: Gateway = router, age: Duration = .zero) -> Neighbour {
    Neighbour(router, state: state, hasLinkAddress: state != .failed, confirmedAge: age)
  }

  /// A machine at 0 s that follows these routers, all of which answered at 0 s.
  private func following(_ routers: [Gateway] = [router], mayKick: Bool = true) -> RouterMachine {
    var machine = RouterMachine()
    _ = machine.handle(
      .evaluated(Dictionary(uniqueKeysWithValues: routers.map { ($0, Self.linkState) }), mayKick: mayKick), at: .zero
    )
    _ = machine.handle(.read(routers.map { Self.entry(.reachable, $0) }), at: .zero)
    return machine
  }

  @Test func receivesAnswersOnlyUntilTheFirst() {
    var machine = RouterMachine()
    let watch = RouterMachine.Watch(Self.router, includesAnswers: true)
    #expect(
      machine.handle(.evaluated([Self.router: Self.linkState], mayKick: true), at: .zero).contains(.watch([watch])))
    #expect(
      machine.handle(.changed([Self.entry(.reachable)]), at: .zero) == [
        .watch([RouterMachine.Watch(Self.router, includesAnswers: false)])
      ])
    #expect(machine.handle(.evaluated([Self.router: Self.linkState], mayKick: true), at: .seconds(9)) == [])
    #expect(machine.nextDeadline == nil)
  }

  @Test func theSecondFailureWithoutAnAnswerIsSilence() {
    var machine = following()
    let effects = machine.handle(.changed([Self.entry(.failed)]), at: .seconds(40))
    #expect(
      effects == [
        .watch([RouterMachine.Watch(Self.router, includesAnswers: true)]), .read([Self.router]), .kick(Self.router),
      ])
    #expect(machine.silent.isEmpty)
    #expect(machine.handle(.changed([Self.entry(.failed)]), at: .seconds(43)) == [.decide])
    #expect(machine.silent == [Self.router: .heard(ago: .seconds(43))])
    #expect(machine.handle(.changed([Self.entry(.failed)]), at: .seconds(44)) == [])
    #expect(machine.nextDeadline == .seconds(45))
    #expect(machine.handle(.deadlinePassed, at: .seconds(45)) == [.kick(Self.router)])
    #expect(machine.nextDeadline == .seconds(50))
    #expect(machine.handle(.changed([Self.entry(.reachable)]), at: .seconds(46)).contains(.decide))
    #expect(machine.silent.isEmpty && machine.nextDeadline == nil)
  }

  /// A process that starts during the silence has not heard the router, so another process's word counts.
  @Test(arguments: [true, false]) func aReportedSilence(beforeTheStart: Bool) {
    var machine = RouterMachine()
    let routes = RouterMachine.Event.evaluated([Self.router: Self.linkState], mayKick: true)
    let report = RouterMachine.Event.reported([Self.router: .heard(ago: .seconds(50))])
    for event in beforeTheStart ? [report, routes] : [routes, report] { _ = machine.handle(event, at: .seconds(100)) }
    #expect(machine.silent == [Self.router: .heard(ago: .seconds(50))])
    // The monitor asks the router already.
    #expect(machine.handle(.deadlinePassed, at: .seconds(104)).contains(.kick(Self.router)) == false)
    #expect(machine.handle(.deadlinePassed, at: .seconds(105)).contains(.kick(Self.router)))
    #expect(machine.handle(.changed([Self.entry(.reachable)]), at: .seconds(106)).contains(.decide))
    // This process has heard it now, and decides by itself.
    _ = machine.handle(report, at: .seconds(107))
    #expect(machine.silent.isEmpty && machine.nextDeadline == nil)
  }

  /// The other process has seen no answer either, and knows no time.
  @Test func aReportedSilenceWithoutATime() {
    var machine = RouterMachine()
    _ = machine.handle(.reported([Self.router: .unheard]), at: .seconds(100))
    _ = machine.handle(.evaluated([Self.router: Self.linkState], mayKick: true), at: .seconds(100))
    #expect(machine.silent == [Self.router: .unheard])
    #expect(machine.handle(.deadlinePassed, at: .seconds(105)).contains(.kick(Self.router)))
    #expect(machine.handle(.changed([Self.entry(.reachable)]), at: .seconds(106)).contains(.decide))
    #expect(machine.silent.isEmpty && machine.nextDeadline == nil)
  }

  @Test func aReportAboutAnotherRouterIsNothing() {
    var machine = following()
    let silence = RouterSilence.heard(ago: .seconds(50))
    _ = machine.handle(.reported([Self.router: silence, Self.other: silence]), at: .seconds(1))
    #expect(machine.silent.isEmpty && machine.nextDeadline == nil)
  }

  /// The words say how long ago the router was heard. A new path each second would wake all observers.
  @Test(arguments: [true, false]) func theAgeIsRenewedWhenItHasDoubled(mayKick: Bool) {
    var machine = following(mayKick: mayKick)
    for time in [40, 43] { _ = machine.handle(.changed([Self.entry(.failed)]), at: .seconds(time)) }
    var ages: [Duration?] = []
    while let deadline = machine.nextDeadline, deadline < .seconds(400) {
      if machine.handle(.deadlinePassed, at: deadline).contains(.decide) {
        ages.append(machine.silent[Self.router]?.age)
      }
    }
    #expect(ages == [.seconds(86), .seconds(172), .seconds(344)])
    _ = machine.handle(.changed([Self.entry(.reachable)]), at: .seconds(400))
    #expect(machine.nextDeadline == nil)
  }

  /// Both families often have the same router, and the kernel probes only the one that is sent packets.
  @Test func aSilentRouterMakesTheMachineAskTheOthers() {
    var machine = following([Self.router, Self.other])
    for time in [40, 43] { _ = machine.handle(.changed([Self.entry(.failed)]), at: .seconds(time)) }
    #expect(Array(machine.silent.keys) == [Self.router])
    var kicks: [Duration] = []
    while let deadline = machine.nextDeadline, deadline < .seconds(200) {
      if machine.handle(.deadlinePassed, at: deadline).contains(.kick(Self.other)) { kicks.append(deadline) }
    }
    // And the first at once. An answer that the kernel takes for granted lasts 15 to 45 seconds.
    #expect(kicks == [58, 73, 88].map { .seconds($0) })
    #expect(machine.handle(.changed([Self.entry(.failed, Self.other)]), at: .seconds(200)).contains(.kick(Self.other)))
    #expect(machine.handle(.changed([Self.entry(.failed, Self.other)]), at: .seconds(203)).contains(.decide))
    #expect(machine.silent.count == 2)
  }

  /// IPv6's router on the same link has never sent a packet. Alone that proves nothing.
  @Test(arguments: [2, 3]) func aRouterThatWasNeverHeardIsSilentBesideASilentOneOnItsLink(interface: Int) {
    let unheard = Gateway(AnyIPAddress("fe80::1")!, on: interface)
    var machine = RouterMachine()
    let both = [Self.router: Self.linkState, unheard: Self.linkState]
    _ = machine.handle(.evaluated(both, mayKick: true), at: .zero)
    _ = machine.handle(.read([Self.entry(.reachable)]), at: .zero)
    for time in [36, 39] { _ = machine.handle(.changed([Self.entry(.failed, unheard)]), at: .seconds(time)) }
    #expect(machine.silent.isEmpty)
    _ = machine.handle(.changed([Self.entry(.failed)]), at: .seconds(40))
    #expect(machine.handle(.changed([Self.entry(.failed)]), at: .seconds(43)).contains(.kick(unheard)))
    for time in [46, 49] { _ = machine.handle(.changed([Self.entry(.failed, unheard)]), at: .seconds(time)) }
    #expect(machine.silent[unheard] == (interface == 2 ? .unheard : nil))
    // The end of the outage ends the doubt.
    for router in [Self.router, unheard] {
      _ = machine.handle(.changed([Self.entry(.reachable, router)]), at: .seconds(60))
    }
    #expect(machine.silent.isEmpty && machine.nextDeadline == nil)
  }

  /// The unheard router has failed once, or twice, when the heard one answers again: it is a router of which nothing is known, as before.
  @Test(arguments: [[46], [46, 49]]) func theHeardRoutersAnswerEndsTheDoubtOfTheUnheard(failures: [Int]) {
    var machine = RouterMachine()
    _ = machine.handle(
      .evaluated([Self.router: Self.linkState, Self.other: Self.linkState], mayKick: true), at: .zero)
    _ = machine.handle(.read([Self.entry(.reachable)]), at: .zero)
    for time in [40, 43] { _ = machine.handle(.changed([Self.entry(.failed)]), at: .seconds(time)) }
    for time in failures { _ = machine.handle(.changed([Self.entry(.failed, Self.other)]), at: .seconds(time)) }
    #expect(machine.silent.keys.contains(Self.other) == (failures.count == 2))
    #expect(machine.handle(.changed([Self.entry(.reachable)]), at: .seconds(60)).contains(.decide))
    #expect(machine.silent.isEmpty && machine.nextDeadline == nil)
    for time in [63, 66] { _ = machine.handle(.changed([Self.entry(.failed, Self.other)]), at: .seconds(time)) }
    #expect(machine.silent.isEmpty)
  }

  @Test func theOthersAreAskedInTheSameCall() {
    var machine = following([Self.router, Self.other])
    _ = machine.handle(.changed([Self.entry(.failed)]), at: .seconds(40))
    let effects = machine.handle(.changed([Self.entry(.failed)]), at: .seconds(43))
    #expect(effects == [.kick(Self.other), .decide])
  }

  /// VRRP without gratuitous ARP: the entry fails once, and the router answers with its new address.
  @Test func aNewHardwareAddressIsNoSilence() {
    var machine = following()
    for time in [40, 140, 240] {
      _ = machine.handle(.changed([Self.entry(.failed)]), at: .seconds(time))
      _ = machine.handle(.changed([Self.entry(.reachable)]), at: .seconds(time) + .milliseconds(92))
      #expect(machine.silent.isEmpty && machine.nextDeadline == nil)
    }
  }

  /// The entry that is read after a FAILED is the same one.
  @Test func aFailureThatIsReadCountsOnce() {
    var machine = following()
    _ = machine.handle(.changed([Self.entry(.failed)]), at: .seconds(40))
    #expect(machine.handle(.read([Self.entry(.failed)]), at: .seconds(40)) == [])
    #expect(machine.silent.isEmpty)
  }

  /// The router boots, or its address is wrong. Nothing says when it was last heard.
  @Test(arguments: [Neighbour.State.failed, .incomplete, .probe], [true, false])
  func aRouterThatWasNeverHeardIsSilentAfterHalfAMinute(first: Neighbour.State, mayKick: Bool) {
    var machine = RouterMachine()
    _ = machine.handle(.evaluated([Self.router: Self.linkState], mayKick: mayKick), at: .zero)
    _ = machine.handle(.read([Self.entry(first)]), at: .zero)
    #expect(machine.nextDeadline == nil)
    for time in 1...10 { _ = machine.handle(.changed([Self.entry(.failed)]), at: .seconds(3 * time)) }
    #expect(machine.silent.isEmpty)
    #expect(machine.nextDeadline == (mayKick ? .seconds(32) : nil))
    #expect(machine.handle(.changed([Self.entry(.failed)]), at: .seconds(33)).contains(.decide))
    #expect(machine.silent == [Self.router: .unheard])
    #expect(machine.handle(.changed([Self.entry(.reachable)]), at: .seconds(34)).contains(.decide))
    #expect(machine.silent.isEmpty && machine.nextDeadline == nil)
  }

  @Test func twoFailuresOrAnAnswerBetweenThemProveNoSilenceOfARouterThatWasNeverHeard() {
    var machine = RouterMachine()
    _ = machine.handle(.evaluated([Self.router: Self.linkState], mayKick: true), at: .zero)
    for time in [10, 70] { _ = machine.handle(.changed([Self.entry(.failed)]), at: .seconds(time)) }
    #expect(machine.silent.isEmpty)
    _ = machine.handle(.changed([Self.entry(.permanent)]), at: .seconds(71))
    for time in [80, 83] { _ = machine.handle(.changed([Self.entry(.failed)]), at: .seconds(time)) }
    #expect(machine.silent.isEmpty)
  }

  /// The kernel invents the time of an entry without a hardware address.
  @Test func aStaleEntryCountsWithItsHardwareAddressOnly() {
    for (hasLinkAddress, silent) in [(true, 1), (false, 0)] {
      var machine = RouterMachine()
      _ = machine.handle(.evaluated([Self.router: Self.linkState], mayKick: true), at: .zero)
      let stale = Neighbour(Self.router, state: .stale, hasLinkAddress: hasLinkAddress, confirmedAge: .seconds(7))
      _ = machine.handle(.read([stale]), at: .seconds(10))
      for time in [20, 23] { _ = machine.handle(.changed([Self.entry(.failed)]), at: .seconds(time)) }
      #expect(machine.silent.count == silent)
      if silent > 0 { #expect(machine.silent[Self.router] == .heard(ago: .seconds(20))) }
    }
  }

  @Test(arguments: [Neighbour.State.permanent, .noARP])
  func entriesThatTheKernelNeverProbesEndIt(state: Neighbour.State) {
    var machine = following()
    for time in [40, 43] { _ = machine.handle(.changed([Self.entry(.failed)]), at: .seconds(time)) }
    #expect(machine.handle(.changed([Self.entry(state)]), at: .seconds(44)).contains(.decide))
    #expect(machine.silent.isEmpty && machine.nextDeadline == nil)
  }

  @Test func anotherAddressCarrierOrRouteMakesAllEvidenceVoid() {
    let address = InterfaceAddress.Key(index: 2, address: AnyIPAddress("192.0.2.9")!, prefixLength: 24)
    for changed: [Gateway: RouterMachine.LinkState] in [
      [Self.router: .init(addresses: [address])], [Self.router: .init(hasCarrier: false)], [:],
    ] {
      var machine = following()
      for time in [40, 43] { _ = machine.handle(.changed([Self.entry(.failed)]), at: .seconds(time)) }
      #expect(machine.handle(.evaluated(changed, mayKick: true), at: .seconds(50)).contains(.decide))
      #expect(machine.silent.isEmpty && machine.nextDeadline == nil)
      _ = machine.handle(.evaluated([Self.router: Self.linkState], mayKick: true), at: .seconds(51))
      _ = machine.handle(.read([Self.entry(.reachable)]), at: .seconds(51))
      for time in [60, 63, 80] { _ = machine.handle(.changed([Self.entry(.failed)]), at: .seconds(time)) }
      #expect(machine.silent.isEmpty, "concluded \(changed) within 30 s")
      for time in [82, 85] { _ = machine.handle(.changed([Self.entry(.failed)]), at: .seconds(time)) }
      #expect(machine.silent == [Self.router: .heard(ago: .seconds(34))])
    }
  }

  @Test func resumeForgetsEverything() {
    var machine = following()
    for time in [40, 43] { _ = machine.handle(.changed([Self.entry(.failed)]), at: .seconds(time)) }
    #expect(machine.handle(.clockStepped, at: .seconds(7200)).contains(.decide))
    for time in [7201, 7204, 7240, 7243] { _ = machine.handle(.changed([Self.entry(.failed)]), at: .seconds(time)) }
    #expect(machine.silent.isEmpty)
  }

  @Test func withoutKicksItOnlyListens() {
    var machine = following(mayKick: false)
    #expect(!machine.handle(.changed([Self.entry(.failed)]), at: .seconds(40)).contains(.kick(Self.router)))
    #expect(machine.nextDeadline == nil)
    #expect(machine.handle(.changed([Self.entry(.failed)]), at: .seconds(43)) == [.decide])
  }

  @Test func followsEightRoutersAtMostAndOneIsNotAnother() {
    let many = (0..<20).map { Gateway(AnyIPAddress("192.0.2.\($0 + 1)")!, on: 2) }
    var machine = following(many)
    for time in [40, 43] {
      _ = machine.handle(.changed(many.map { Self.entry(.failed, $0) }), at: .seconds(time))
    }
    #expect(Set(machine.silent.keys) == Set(many.prefix(RouterMachine.maximumCount)))
    machine = following([Self.router, Self.other])
    for time in [40, 43] { _ = machine.handle(.changed([Self.entry(.failed, Self.other)]), at: .seconds(time)) }
    #expect(Set(machine.silent.keys) == [Self.other])
  }
}
