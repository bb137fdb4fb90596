import NetworkPath
import OverlineTestThread
import Testing

/// The life of a path monitor, without a kernel.
@Suite(.ownThread) struct PathMachineTests {
  private let online = NWPath(status: .satisfied, explanation: "online", supportsIPv4: true)
  private let offline = NWPath(status: .unsatisfied, reason: .noCarrier, explanation: "offline")

  /// A machine that has dumped, decided and published at time 0.
  private func watching() -> PathMachine {
    var machine = PathMachine()
    #expect(machine.handle(.deadlinePassed, at: .zero) == [.open])
    #expect(machine.handle(.opened, at: .zero) == [.dump])
    #expect(machine.handle(.dumped([], complete: true), at: .zero) == [.evaluate])
    #expect(machine.handle(.evaluated(PathEvaluation(path: online)), at: .zero) == [.publish(online)])
    _ = machine.handle(.deadlinePassed, at: .seconds(1))
    return machine
  }

  @Test func isAsleepWhenNothingHappens() {
    #expect(watching().nextDeadline == nil)
  }

  @Test func looksAtOnceThenOncePerBurst() {
    var machine = watching()
    #expect(machine.handle(.received([.routingChanged]), at: .seconds(2)) == [.evaluate])
    for millisecond in 1..<50 {
      #expect(machine.handle(.received([.routingChanged]), at: .seconds(2) + .milliseconds(millisecond)) == [])
    }
    #expect(machine.nextDeadline == .milliseconds(2050))
    #expect(machine.handle(.deadlinePassed, at: .milliseconds(2049)) == [])
    #expect(machine.handle(.deadlinePassed, at: .milliseconds(2050)) == [.evaluate])
    #expect(machine.handle(.deadlinePassed, at: .milliseconds(2100)) == [])
    #expect(machine.nextDeadline == nil)
  }

  @Test func tellsAPathOnlyWhenItDiffers() {
    var machine = watching()
    #expect(machine.handle(.evaluated(PathEvaluation(path: online)), at: .seconds(2)) == [])
    #expect(machine.handle(.evaluated(PathEvaluation(path: offline)), at: .seconds(2)) == [.publish(offline)])
    #expect(machine.counters.updates == 2)
  }

  @Test func asksAgainWhenADumpWasInterruptedAndGivesUpForAWhileAtTheFifth() {
    var machine = PathMachine()
    _ = machine.handle(.deadlinePassed, at: .zero)
    _ = machine.handle(.opened, at: .zero)
    for _ in 1..<5 { #expect(machine.handle(.dumped([], complete: false), at: .zero) == [.dump]) }
    #expect(machine.handle(.dumped([], complete: false), at: .zero) == [.evaluate])
    #expect(machine.nextDeadline == .seconds(2))
    #expect(machine.handle(.deadlinePassed, at: .seconds(2)) == [.dump])
  }

  /// An interrupted dump may have left out the link in use.
  @Test(arguments: [1, 2, 3]) func believesALossOnlyFromAWholeReadingOrTheThird(_ wholeReading: Int) {
    var machine = watching()
    _ = machine.handle(.clockStepped, at: .seconds(5))
    var now = Duration.seconds(5)
    for reading in 1...wholeReading {
      if reading == wholeReading, reading < 3 {
        #expect(machine.handle(.dumped([], complete: true), at: now) == [.evaluate])
      } else {
        for _ in 1...5 { _ = machine.handle(.dumped([], complete: false), at: now) }
      }
      let isBelieved = reading == wholeReading
      #expect(
        machine.handle(.evaluated(PathEvaluation(path: offline)), at: now) == (isBelieved ? [.publish(offline)] : []))
      now += .seconds(2)
      if !isBelieved { #expect(machine.handle(.deadlinePassed, at: now) == [.dump]) }
    }
  }

  @Test func readsTheTablesAgainAfterAnOverrunWithGrowingPauses() {
    var machine = watching()
    var now = Duration.seconds(10)
    for pause in [100, 200, 400, 800, 1600, 2000, 2000] {
      #expect(machine.handle(.overran, at: now) == [])
      #expect(machine.handle(.received([.routingChanged]), at: now) == [])
      #expect(machine.nextDeadline == now + .milliseconds(pause))
      now += .milliseconds(pause)
      #expect(machine.handle(.deadlinePassed, at: now) == [.dump])
      #expect(machine.handle(.dumped([], complete: true), at: now) == [.evaluate])
    }
    #expect(machine.counters.overruns == 7)
    _ = machine.handle(.deadlinePassed, at: now + .seconds(1))
    _ = machine.handle(.overran, at: now + .seconds(2))
    #expect(machine.nextDeadline == now + .seconds(2) + .milliseconds(100))
  }

  /// However long messages are lost, the tables are read, and the path is decided.
  @Test func aFloodWithoutEndDoesNotPutOffTheReading() {
    var machine = watching()
    var last = Duration.seconds(10)
    for tenth in 0..<300 {
      let now = Duration.seconds(10) + .milliseconds(10 * tenth)
      _ = machine.handle(.overran, at: now)
      if machine.handle(.deadlinePassed, at: now) == [.dump] {
        last = now
        #expect(machine.handle(.dumped([], complete: true), at: now) == [.evaluate])
      }
      #expect(now - last <= .milliseconds(2010))
    }
    #expect(machine.counters.evaluations >= 5)
  }

  @Test func keepsThePathThroughOneFailureAndSaysUnknownAfterTheSecond() {
    var machine = watching()
    #expect(machine.handle(.failed(why: "cannot try"), at: .seconds(5)) == [.close])
    #expect(machine.handle(.deadlinePassed, at: .milliseconds(5100)) == [.open])
    let effects = machine.handle(.failed(why: "cannot try"), at: .milliseconds(5100))
    #expect(effects.count == 2)
    #expect(machine.path?.isKnown == false)
    // It never gives up.
    var now = Duration.seconds(6)
    for _ in 0..<40 {
      now = machine.nextDeadline!
      #expect(machine.handle(.deadlinePassed, at: now) == [.open])
      _ = machine.handle(.failed(why: "cannot try"), at: now)
    }
    #expect(machine.nextDeadline == now + .seconds(30))
    _ = machine.handle(.deadlinePassed, at: now + .seconds(30))
    #expect(machine.handle(.opened, at: now + .seconds(30)) == [.dump])
  }

  @Test func aKernelThatCannotBeQueriedIsReportedAtOnceAndIsNoOutage() {
    var machine = PathMachine()
    _ = machine.handle(.deadlinePassed, at: .zero)
    let effects = machine.handle(.failed(why: "cannot try"), at: .zero)
    #expect(effects.contains { if case .publish(let path) = $0 { !path.isKnown } else { false } })
  }

  @Test func partialLinkMessagesClearNothing() {
    var machine = watching()
    _ = machine.handle(
      .received([.linkChanged(LinkChange(index: 2, flags: 0x11043, name: "eth0", operationalState: .up, kind: "veth"))]
      ),
      at: .seconds(3))
    _ = machine.handle(.received([.linkChanged(LinkChange(index: 2, flags: 0x1003))]), at: .seconds(4))
    #expect(machine.tables.links[2]?.name == "eth0")
    #expect(machine.tables.links[2]?.kind == "veth")
    #expect(machine.tables.links[2]?.hasCarrier == false)
  }
}

@Suite(.ownThread) struct IPAddressTests {
  @Test(arguments: [
    ("192.0.2.1", "192.0.2.1"), ("2001:DB8::1", "2001:db8::1"), ("::", "::"), ("::1", "::1"),
    ("1:0:0:2:0:0:0:3", "1:0:0:2::3"), ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"), ("fe80::1%eth0", "fe80::1"),
    ("::ffff:192.0.2.1", "::ffff:c000:201"), ("0.0.0.10", "0.0.0.10"), ("2001:0Db8::0001", "2001:db8::1"),
    ("1:0:3:4:5:6:7:8", "1:0:3:4:5:6:7:8"),
  ])
  func readsAndWrites(_ text: String, _ canonical: String) {
    #expect(AnyIPAddress(text)?.description == canonical)
  }

  @Test(arguments: [
    "", "1.2.3", "1.2.3.256", "1.2.3.4.5", "1..2.3", ":::", "1:2", "12345::", "1:2:3:4:5:6:7:8::", "x",
    "010.0.0.1", "1.2.3.00", "+1.2.3.4", "1.2.3.-0", "١.1.1.1", "2001:+db8::", "::+1", "::-1", "::ffff:010.0.0.1",
  ])
  func refuses(_ text: String) {
    #expect(AnyIPAddress(text) == nil)
  }
}

@Suite(.ownThread) struct ResolverConfigurationTests {
  @Test func readsNameserversAndPassesOverTheRest() {
    let text = "# comment\nsearch example.org\nnameserver 192.0.2.53\n nameserver\t2001:db8::53 \nnameserver nonsense\n"
    #expect(ResolverConfiguration.nameservers(in: text).map(\.description) == ["192.0.2.53", "2001:db8::53"])
  }
}

@Suite(.ownThread) struct InterfaceGlobTests {
  @Test(arguments: [
    ("eth0", "eth0", true), ("eth*", "eth0", true), ("eth?", "eth10", false), ("*", "", true), ("*0", "wlan00", true),
    ("a*b*c", "axxbyyc", true), ("a*b*c", "axxbyy", false), ("docker*", "eth0", false), ("eth[0-3]", "eth2", true),
    ("eth[!0-3]", "eth2", false), ("[]]", "]", true),
  ])
  func matches(_ pattern: String, _ name: String, _ expected: Bool) throws {
    #expect(try InterfaceGlob(pattern).matches(name) == expected)
  }

  @Test(arguments: ["", "a/b", "a b", "[a", "[z-a]"])
  func refuses(_ pattern: String) {
    #expect(throws: InterfaceGlob.Invalid.self) { try InterfaceGlob(pattern) }
  }
}
