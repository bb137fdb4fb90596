import NetworkPath
import OverlineCore
import OverlineTestThread
import Testing
@testable import OverlineCLI

/// The end of a wait, without a clock or a kernel.
@Suite(.ownThread) struct WaitMachineTests {
  private let online = NWPath(status: .satisfied, explanation: "online", supportsIPv4: true)
  private let offline = NWPath(status: .unsatisfied, explanation: "offline")

  private func machine(
    _ goal: WaitCondition.Goal, families: [AddressFamily] = [], target: PathTarget? = nil, stable: Duration = .zero,
    timeout: Duration? = .seconds(10)
  ) throws -> WaitMachine {
    WaitMachine(
      condition: try WaitCondition(goal, families: families, target: target), stable: stable, timeout: timeout,
      at: .zero)
  }

  @Test func noTimeAtAllStillLooksOnce() throws {
    for (path, outcome) in [(online, WaitMachine.Outcome.met), (offline, .timedOut)] {
      var machine = try machine(.online, timeout: .zero)
      _ = machine.handle(.deadlineReached, at: .seconds(1))
      #expect(machine.outcome == nil && machine.nextDeadline == nil)
      _ = machine.handle(.pathChanged(path), at: .seconds(1))
      #expect(machine.outcome == outcome)
    }
  }

  @Test func whatIsOverStaysOver() throws {
    var machine = try machine(.change)
    _ = machine.handle(.pathChanged(online), at: .seconds(1))
    _ = machine.handle(.pathChanged(offline), at: .seconds(2))
    #expect(machine.outcome == .met)
    // The change is undone before the outcome is read.
    _ = machine.handle(.pathChanged(online), at: .seconds(3))
    #expect(machine.outcome == .met)
  }

  @Test func aBreakStartsTheStableTimeAnew() throws {
    var machine = try machine(.online, stable: .seconds(4))
    _ = machine.handle(.pathChanged(online), at: .seconds(1))
    #expect(machine.nextDeadline == .seconds(5))
    _ = machine.handle(.pathChanged(offline), at: .seconds(3))
    _ = machine.handle(.pathChanged(online), at: .seconds(4))
    _ = machine.handle(.deadlineReached, at: .seconds(5))
    #expect(machine.outcome == nil && machine.nextDeadline == .seconds(8))
    _ = machine.handle(.deadlineReached, at: .seconds(8))
    #expect(machine.outcome == .met)
  }

  /// A path that comes after the timeout does not count: the timer was only late.
  @Test func aPathAfterTheTimeoutDoesNotCount() throws {
    var machine = try machine(.online)
    _ = machine.handle(.pathChanged(offline), at: .seconds(1))
    _ = machine.handle(.pathChanged(online), at: .seconds(11))
    #expect(machine.outcome == .timedOut)
  }

  @Test func aKernelThatCannotBeAskedIsNoOutage() throws {
    let unknown = NWPath(status: .satisfied, isKnown: false, reason: .noNetlink, explanation: "unknown")
    for families in [[], [AddressFamily.ipv4, .ipv6]] {
      var machine = try machine(.online, families: families)
      _ = machine.handle(.pathChanged(unknown), at: .zero)
      #expect(machine.outcome == .met)
    }
    var target = try machine(.online, target: PathTarget("10.0.0.0/8"))
    _ = target.handle(.pathChanged(unknown), at: .zero)
    #expect(target.outcome == .met)
    var offline = try machine(.offline)
    _ = offline.handle(.pathChanged(unknown), at: .zero)
    #expect(offline.outcome == nil)
  }

  @Test func bothFamiliesMustBeThere() throws {
    var machine = try machine(.online, families: [.ipv4, .ipv6])
    _ = machine.handle(.pathChanged(online), at: .zero)
    #expect(machine.outcome == nil)
    #expect(machine.progress(at: .seconds(3)) == "waiting for online by IPv4 and IPv6, 3 s (online; no IPv6)")
    var both = online
    both.supportsIPv6 = true
    _ = machine.handle(.pathChanged(both), at: .seconds(3))
    #expect(machine.outcome == .met)
  }

  /// K30: the default route does not make a private network reachable, and the command says how it would.
  @Test func theDefaultRouteToAPrivateNetworkDoesNotCount() throws {
    let target = try PathTarget(name: "vpn", network: "10.8.0.0/16")
    func path(isByDefaultRoute: Bool) -> NWPath {
      var path = online
      path.targets = [
        .init(
          name: target.name, network: target.network, status: isByDefaultRoute ? .unsatisfied : .satisfied,
          isByDefaultRoute: isByDefaultRoute, explanation: "vpn is there or not")
      ]
      return path
    }
    func outcome(_ goal: WaitCondition.Goal, _ paths: NWPath...) throws -> WaitMachine.Outcome? {
      var machine = WaitMachine(
        condition: try WaitCondition(goal, target: target), timeout: .seconds(10), at: .zero)
      for path in paths { _ = machine.handle(.pathChanged(path), at: .zero) }
      if machine.outcome == nil {
        #expect(machine.progress(at: .zero).contains("; --any-route accepts that") == (goal == .online))
      }
      return machine.outcome
    }
    #expect(try outcome(.online, path(isByDefaultRoute: true)) == nil)
    #expect(try outcome(.online, path(isByDefaultRoute: false)) == .met)
    #expect(try outcome(.offline, path(isByDefaultRoute: true)) == .met)
    #expect(try outcome(.offline, path(isByDefaultRoute: false)) == nil)
    #expect(try outcome(.change, path(isByDefaultRoute: true), path(isByDefaultRoute: false)) == .met)
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
    _ = machine.handle(.pathChanged(path(.satisfied, "192.0.2.1")), at: .zero)
    _ = machine.handle(.pathChanged(path(.satisfied, "192.0.2.9")), at: .zero)
    #expect(machine.outcome == nil)
    _ = machine.handle(.pathChanged(path(.unsatisfied, "192.0.2.9")), at: .zero)
    #expect(machine.outcome == .met)
  }

  // MARK: With a check

  private static let server = CheckSettings(url: CheckURL("http://example.net/")!, interval: .seconds(300))

  private func checking(stable: Duration = .zero, timeout: Duration? = .seconds(10)) throws -> WaitMachine {
    WaitMachine(
      condition: try WaitCondition(.online), check: Self.server, stable: stable, timeout: timeout, at: .zero)
  }

  /// Delivers the deadlines until the check asks, and answers.
  private func answer(_ machine: inout WaitMachine, _ verdict: CheckVerdict) -> Duration? {
    for _ in 0..<10 {
      guard let deadline = machine.nextDeadline else { return nil }
      for case .ask(_, let request) in machine.handle(.deadlineReached, at: deadline) {
        _ = machine.handle(.answered(verdict, request: request), at: deadline)
        return deadline
      }
    }
    return nil
  }

  @Test func theServerMustAnswerToo() throws {
    var machine = try checking()
    _ = machine.handle(.pathChanged(offline), at: .zero)
    #expect(machine.timeoutMessage(at: .zero).hasSuffix("online with an answer: offline"))
    _ = machine.handle(.pathChanged(online), at: .seconds(1))
    #expect(machine.outcome == nil)
    #expect(machine.timeoutMessage(at: .zero).hasSuffix("no answer from example.net yet"))
    #expect(answer(&machine, .failed(.status(511))) == .milliseconds(1250))
    #expect(
      machine.timeoutMessage(at: .zero).hasSuffix(
        "limited: example.net answered that the network wants a log-in first (511)"))
    #expect(machine.outcome == nil)
    #expect(answer(&machine, .reached) == .milliseconds(2250))
    #expect(machine.outcome == .met)
  }

  @Test func aTimeoutOfZeroGetsOneAnswer() throws {
    for (verdict, outcome) in [
      (CheckVerdict.reached, WaitMachine.Outcome.met), (.failed(.late), .timedOut), (.notAsked, .cannotAsk),
    ] {
      var machine = try checking(timeout: .zero)
      _ = machine.handle(.pathChanged(online), at: .zero)
      #expect(machine.outcome == nil)
      _ = answer(&machine, verdict)
      #expect(machine.outcome == outcome)
    }
    var machine = try checking(timeout: .zero)
    _ = machine.handle(.pathChanged(offline), at: .zero)
    #expect(machine.outcome == .timedOut)
  }

  /// Another way to the internet needs an answer of its own, and a script does not wait five minutes for the next request.
  @Test func anAnswerCountsForItsWayOnly() throws {
    var machine = try checking(stable: .seconds(20), timeout: nil)
    _ = machine.handle(.pathChanged(online), at: .zero)
    _ = answer(&machine, .reached)
    var other = online
    other.supportsIPv6 = true
    _ = machine.handle(.pathChanged(other), at: .seconds(5))
    #expect(answer(&machine, .reached) == .milliseconds(5250))
    #expect(answer(&machine, .reached) == .milliseconds(15_250))
    _ = machine.handle(.deadlineReached, at: .milliseconds(25_249))
    #expect(machine.outcome == nil)
    _ = machine.handle(.deadlineReached, at: .milliseconds(25_250))
    #expect(machine.outcome == .met)
  }

  @Test func withoutTheKernelThereIsNoWayToAskOn() throws {
    var machine = try checking(timeout: nil)
    _ = machine.handle(.pathChanged(NWPath(status: .satisfied, isKnown: false)), at: .zero)
    #expect(machine.outcome == .cannotAsk)
  }
}
