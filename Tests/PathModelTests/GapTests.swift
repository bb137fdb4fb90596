import NetworkPath
import OverlineTestThread
import Testing

/// K38: a script or a daemon replaces a route or an address by removing it first.
@Suite(.ownThread) struct GapTests {
  private let eth0 = NWInterface(name: "eth0", index: 2, type: .wiredEthernet)
  private let target = try! PathTarget(name: "office", network: "10.20.0.0/16")

  private var online: NWPath {
    path(.satisfied)
  }

  private func path(_ status: NWPath.Status, _ reason: NWPath.Reason? = nil, target: NWPath.Reason? = nil) -> NWPath {
    NWPath(
      status: status, reason: reason, usedInterfaces: status == .satisfied ? [eth0] : [],
      supportsIPv4: status == .satisfied,
      targets: [
        .init(
          name: "office", network: self.target.network, status: target == nil ? .satisfied : .unsatisfied,
          reason: target)
      ])
  }

  private func lost(_ reason: NWPath.Reason) -> PathMachine.Event {
    .evaluated(PathEvaluation(path: path(.unsatisfied, reason), gaps: reason == .noRoute ? [.ipv4] : []))
  }

  private func link(flags: UInt32 = 0x1_1043) -> PathMachine.Event {
    .received([.linkChanged(LinkChange(index: 2, flags: flags, name: "eth0", operationalState: .up))])
  }

  /// A machine that published its path at 0 s, and looks at 2 s.
  private func looking() -> PathMachine {
    var machine = PathMachine()
    _ = machine.handle(.deadlinePassed, at: .zero)
    _ = machine.handle(.opened, at: .zero)
    _ = machine.handle(.dumped([], complete: true), at: .zero)
    _ = machine.handle(link(), at: .zero)
    _ = machine.handle(.evaluated(PathEvaluation(path: online)), at: .zero)
    _ = machine.handle(.deadlinePassed, at: .milliseconds(50))
    _ = machine.handle(.evaluated(PathEvaluation(path: online)), at: .milliseconds(50))
    _ = machine.handle(.deadlinePassed, at: .seconds(1))
    #expect(machine.nextDeadline == nil)
    #expect(machine.handle(.received([.routingChanged]), at: .seconds(2)) == [.evaluate])
    return machine
  }

  @Test("a route that is missing for less than 50 ms is no outage") func aGap() {
    var machine = looking()
    #expect(machine.handle(lost(.noRoute), at: .milliseconds(2001)) == [])
    #expect(machine.nextDeadline == .milliseconds(2050))
    #expect(machine.handle(.received([.routingChanged]), at: .milliseconds(2006)) == [])
    #expect(machine.handle(.deadlinePassed, at: .milliseconds(2050)) == [.evaluate])
    #expect(machine.handle(.evaluated(PathEvaluation(path: online)), at: .milliseconds(2050)) == [])
    _ = machine.handle(.deadlinePassed, at: .seconds(3))
    #expect(machine.nextDeadline == nil && machine.counters.updates == 1)
  }

  @Test("a route that stays away is an outage after 50 ms, also if no message follows") func aLoss() {
    var machine = looking()
    #expect(machine.handle(lost(.noRoute), at: .milliseconds(2001)) == [])
    #expect(machine.handle(.deadlinePassed, at: .milliseconds(2050)) == [.evaluate])
    #expect(
      machine.handle(lost(.noRoute), at: .milliseconds(2050)).contains(.publish(path(.unsatisfied, .noRoute))))
    #expect(machine.path?.reason == .noRoute)
  }

  @Test(
    "a lost carrier, a link that is down and a refusal are published at once",
    arguments: [
      NWPath.Reason.noCarrier, .linkDown, .prohibited, .blocked, .routerSilent,
    ])
  func otherCauses(_ reason: NWPath.Reason) {
    var machine = looking()
    #expect(machine.handle(lost(reason), at: .milliseconds(2001)).contains(.publish(path(.unsatisfied, reason))))
  }

  private func dead(_ reason: NWPath.Reason) -> PathMachine.Event {
    .evaluated(PathEvaluation(path: path(.unsatisfied, reason), gaps: [.ipv4]))
  }

  @Test("a route names a link that its message calls down, while the used link carries: no outage for 50 ms")
  func aNewLink() {
    var machine = looking()
    #expect(machine.handle(dead(.linkDown), at: .milliseconds(2001)) == [])
    #expect(machine.handle(.deadlinePassed, at: .milliseconds(2050)) == [.evaluate])
    #expect(machine.handle(dead(.linkDown), at: .milliseconds(2050)).contains(.publish(path(.unsatisfied, .linkDown))))
  }

  @Test("the used link's own end is published at once") func theUsedLink() {
    var machine = looking()
    _ = machine.handle(link(flags: 0x1003), at: .milliseconds(2001))
    let effects = machine.handle(dead(.noCarrier), at: .milliseconds(2001))
    #expect(effects.contains(.publish(path(.unsatisfied, .noCarrier))))
  }

  @Test("the routes of a link vanish before its message: the message ends the wait") func aCarrierLost() {
    var machine = looking()
    #expect(machine.handle(lost(.noRoute), at: .milliseconds(2001)) == [])
    #expect(machine.handle(link(flags: 0x1003), at: .milliseconds(2002)) == [.evaluate])
    let effects = machine.handle(lost(.noRoute), at: .milliseconds(2002))
    #expect(effects.contains(.publish(path(.unsatisfied, .noRoute))))
  }

  @Test(
    "a named network's route is waited for too, but not its refusal",
    arguments: [
      (NWPath.Reason.noRoute, true), (.noAddress, true), (.prohibited, false), (.noCarrier, false),
    ])
  func aTarget(_ reason: NWPath.Reason, _ isGap: Bool) {
    var machine = looking()
    let new = path(.satisfied, target: reason)
    let effects = machine.handle(.evaluated(PathEvaluation(path: new)), at: .milliseconds(2001))
    #expect(effects.contains(.publish(new)) == !isGap)
  }

  @Test("the first path is published at once") func theFirstPath() {
    var machine = PathMachine()
    _ = machine.handle(.deadlinePassed, at: .zero)
    _ = machine.handle(.opened, at: .zero)
    _ = machine.handle(.dumped([], complete: true), at: .zero)
    #expect(machine.handle(lost(.noRoute), at: .zero).contains(.publish(path(.unsatisfied, .noRoute))))
  }
}
