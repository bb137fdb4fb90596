import NetworkPath
@testable import OverlineCLI
import OverlineTestThread
import Testing

/// The end of a wait, without a clock or a kernel.
@Suite(.ownThread) struct WaitMachineTests {
  private let online = NWPath(status: .satisfied, explanation: "online", supportsIPv4: true)
  private let offline = NWPath(status: .unsatisfied, explanation: "offline")

  private func machine(
    _ goal: WaitCommand.Goal, families: [AddressFamily] = [], target: PathTarget? = nil, stable: Duration = .zero,
    timeout: Duration? = .seconds(10)
  ) throws -> WaitMachine {
    WaitMachine(
      wish: try WaitCondition(goal, families: families, target: target), stable: stable, timeout: timeout, at: .zero)
  }

  @Test func noTimeAtAllStillLooksOnce() throws {
    for (path, outcome) in [(online, WaitMachine.Outcome.met), (offline, .timedOut)] {
      var machine = try machine(.online, timeout: .zero)
      machine.handle(.deadlineReached, at: .seconds(1))
      #expect(machine.outcome == nil && machine.nextDeadline == nil)
      machine.handle(.pathChanged(path), at: .seconds(1))
      #expect(machine.outcome == outcome)
    }
  }

  @Test func whatIsOverStaysOver() throws {
    var machine = try machine(.change)
    machine.handle(.pathChanged(online), at: .seconds(1))
    machine.handle(.pathChanged(offline), at: .seconds(2))
    #expect(machine.outcome == .met)
    // The change is undone before the outcome is read.
    machine.handle(.pathChanged(online), at: .seconds(3))
    #expect(machine.outcome == .met)
  }

  @Test func aBreakStartsTheStableTimeAnew() throws {
    var machine = try machine(.online, stable: .seconds(4))
    machine.handle(.pathChanged(online), at: .seconds(1))
    #expect(machine.nextDeadline == .seconds(5))
    machine.handle(.pathChanged(offline), at: .seconds(3))
    machine.handle(.pathChanged(online), at: .seconds(4))
    machine.handle(.deadlineReached, at: .seconds(5))
    #expect(machine.outcome == nil && machine.nextDeadline == .seconds(8))
    machine.handle(.deadlineReached, at: .seconds(8))
    #expect(machine.outcome == .met)
  }

  /// A path that comes after the timeout does not count: the timer was only late.
  @Test func lateIsLate() throws {
    var machine = try machine(.online)
    machine.handle(.pathChanged(offline), at: .seconds(1))
    machine.handle(.pathChanged(online), at: .seconds(11))
    #expect(machine.outcome == .timedOut)
  }

  @Test func aKernelThatCannotBeAskedIsNoOutage() throws {
    let unknown = NWPath(status: .satisfied, isKnown: false, reason: .noNetlink, explanation: "unknown")
    for families in [[], [AddressFamily.ipv4, .ipv6]] {
      var machine = try machine(.online, families: families)
      machine.handle(.pathChanged(unknown), at: .zero)
      #expect(machine.outcome == .met)
    }
    var target = try machine(.online, target: PathTarget("10.0.0.0/8"))
    target.handle(.pathChanged(unknown), at: .zero)
    #expect(target.outcome == .met)
    var offline = try machine(.offline)
    offline.handle(.pathChanged(unknown), at: .zero)
    #expect(offline.outcome == nil)
  }

  @Test func bothFamiliesMustBeThere() throws {
    var machine = try machine(.online, families: [.ipv4, .ipv6])
    machine.handle(.pathChanged(online), at: .zero)
    #expect(machine.outcome == nil)
    #expect(machine.progress(at: .seconds(3)) == "waiting for online by IPv4 and IPv6, 3 s (online; no IPv6)")
    var both = online
    both.supportsIPv6 = true
    machine.handle(.pathChanged(both), at: .seconds(3))
    #expect(machine.outcome == .met)
  }

  /// K30: the default route does not make a private network reachable.
  @Test func theDefaultRouteToAPrivateNetworkDoesNotCount() throws {
    let target = try PathTarget(name: "vpn", network: "10.8.0.0/16")
    func path(isByDefaultRoute: Bool) -> NWPath {
      var path = online
      path.targets = [
        .init(
          name: target.name, network: target.network, status: .satisfied, isByDefaultRoute: isByDefaultRoute,
          explanation: "vpn is there")
      ]
      return path
    }
    func outcome(_ goal: WaitCommand.Goal, acceptsAnyRoute: Bool, _ paths: NWPath...) throws -> WaitMachine.Outcome? {
      var machine = WaitMachine(
        wish: try WaitCondition(goal, target: target, acceptsAnyRoute: acceptsAnyRoute), timeout: .seconds(10),
        at: .zero)
      for path in paths { machine.handle(.pathChanged(path), at: .zero) }
      if machine.outcome == nil {
        #expect(machine.progress(at: .zero).contains("; --any-route accepts that") == (goal == .online))
      }
      return machine.outcome
    }
    #expect(try outcome(.online, acceptsAnyRoute: false, path(isByDefaultRoute: true)) == nil)
    #expect(try outcome(.online, acceptsAnyRoute: true, path(isByDefaultRoute: true)) == .met)
    #expect(try outcome(.online, acceptsAnyRoute: false, path(isByDefaultRoute: false)) == .met)
    #expect(try outcome(.offline, acceptsAnyRoute: false, path(isByDefaultRoute: true)) == .met)
    #expect(try outcome(.offline, acceptsAnyRoute: false, path(isByDefaultRoute: false)) == nil)
    let comes = (path(isByDefaultRoute: true), path(isByDefaultRoute: false))
    #expect(try outcome(.change, acceptsAnyRoute: false, comes.0, comes.1) == .met)
    #expect(try outcome(.change, acceptsAnyRoute: true, comes.0, comes.1) == nil)
  }

  /// A change elsewhere does not end a wait for a target.
  @Test func aChangeOfATargetIsOnlyItsOwn() throws {
    let target = try PathTarget(name: "vpn", network: "10.8.0.0/16")
    func path(_ status: NWPath.Status, _ gateway: String) -> NWPath {
      var path = online
      path.gateways = [.hostPort(host: .ipv4(IPv4Address(gateway)!), port: .any)]
      path.targets = [
        .init(name: target.name, network: target.network, status: status, explanation: "vpn by \(gateway)")
      ]
      return path
    }
    var machine = try machine(.change, target: target)
    machine.handle(.pathChanged(path(.satisfied, "192.0.2.1")), at: .zero)
    machine.handle(.pathChanged(path(.satisfied, "192.0.2.9")), at: .zero)
    #expect(machine.outcome == nil)
    machine.handle(.pathChanged(path(.unsatisfied, "192.0.2.9")), at: .zero)
    #expect(machine.outcome == .met)
  }
}
