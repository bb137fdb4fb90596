import NetworkPath
import OverlineTestThread
import Testing

/// When a path watcher looks at the quality of the connection, and what its path says.
@Suite(.ownThread) struct QualityMachineTests {
  private let online = NWPath(
    status: .satisfied, explanation: "online",
    usedInterfaces: [NWInterface(name: "eth0", index: 2, type: .wiredEthernet)])
  private let offline = NWPath(status: .unsatisfied, reason: .noCarrier, explanation: "offline")

  /// Looks at two hosts that answer after this time.
  private struct Looks {
    var sent: UInt32 = 100

    mutating func next(_ milliseconds: Int, cost: Duration = .zero) -> QualityMachine.Event {
      sent += 16
      let samples = [1, 2].map { host in
        var sample = QualitySample(connection: UInt64(host), host: host)
        sample.roundTrip = .milliseconds(milliseconds)
        sample.shortest = .milliseconds(20)
        (sample.sent, sample.delivered, sample.receivedSegments) = (sent, sent, sent)
        return sample
      }
      return .looked(QualityLook(samples, cost: cost))
    }
  }

  @Test func nothingIsLookedAtUnlessAsked() {
    var machine = QualityMachine()
    #expect(machine.handle(.evaluated(online, .unmeasured), at: .zero) == [])
    #expect(machine.nextDeadline == nil)
    #expect(machine.handle(.deadlinePassed, at: .seconds(100)) == [])
    #expect(machine.handle(.evaluated(offline, .measured), at: .zero) == [])
    #expect(machine.nextDeadline == nil)
  }

  /// All processes that measure look at the same moments.
  @Test func looksEachFiveSeconds() {
    var machine = QualityMachine()
    _ = machine.handle(.evaluated(online, .measured), at: .milliseconds(12_300))
    #expect(machine.nextDeadline == .milliseconds(12_300))
    #expect(machine.handle(.deadlinePassed, at: .milliseconds(12_300)) == [.look])
    #expect(machine.nextDeadline == .seconds(15))
    #expect(machine.handle(.deadlinePassed, at: .milliseconds(14_999)) == [])
    #expect(machine.handle(.deadlinePassed, at: .milliseconds(15_002)) == [.look])
    #expect(machine.nextDeadline == .seconds(20))
    // A failed look changes nothing.
    #expect(machine.handle(.looked(nil), at: .milliseconds(15_002)) == [])
    // The end of the interest ends the looks.
    #expect(machine.handle(.evaluated(online, .unmeasured), at: .seconds(16)) == [])
    #expect(machine.nextDeadline == nil)
  }

  @Test func anExpensiveLookIsRare() {
    var machine = QualityMachine()
    var looks = Looks()
    _ = machine.handle(.evaluated(online, .measured), at: .zero)
    #expect(machine.handle(.deadlinePassed, at: .zero) == [.look])
    _ = machine.handle(looks.next(20, cost: .milliseconds(50)), at: .zero)
    #expect(machine.nextDeadline == .seconds(20))
  }

  @Test func aPathIsPublishedWhenItsQualityChanges() {
    var machine = QualityMachine()
    var looks = Looks()
    _ = machine.handle(.evaluated(online, .limiting), at: .zero)
    #expect(machine.handle(looks.next(20), at: .seconds(5)) == [.publish])
    #expect(machine.report?.level == .good && machine.report?.words == "good: 20 ms round trip")
    #expect(machine.handle(looks.next(30), at: .seconds(10)) == [])
    #expect(machine.handle(looks.next(1400), at: .seconds(15)) == [])
    #expect(machine.handle(looks.next(1500), at: .seconds(20)) == [.publish])
    #expect(machine.report?.words == "poor: 1.5 s round trip, 20 ms at best")
    #expect(machine.report?.cause == "slow: 1.5 s round trip, 20 ms at best")
    #expect(machine.report?.isLimit == true)
    // The figure of the change stays, so that observers are not woken for each new one.
    #expect(machine.handle(looks.next(2000), at: .seconds(25)) == [])
    // Measured only, it limits nothing.
    #expect(machine.handle(.evaluated(online, .measured), at: .seconds(26)) == [.publish])
    #expect(machine.report?.isLimit == false)
  }

  @Test func anotherWayHasAnotherQuality() {
    var machine = QualityMachine()
    var looks = Looks()
    _ = machine.handle(.evaluated(online, .measured), at: .zero)
    #expect(machine.handle(looks.next(20), at: .seconds(5)) == [.publish])
    var other = online
    #expect(machine.handle(.evaluated(other, .measured), at: .seconds(6)) == [])
    other.usedInterfaces = [NWInterface(name: "wlan0", index: 3, type: .wifi)]
    #expect(machine.handle(.evaluated(other, .measured), at: .seconds(7)) == [.publish])
    #expect(machine.report == nil)
    #expect(machine.handle(looks.next(20), at: .seconds(10)) == [.publish])
    #expect(machine.handle(.clockStepped, at: .seconds(11)) == [.publish])
    #expect(machine.report == nil)
    #expect(machine.handle(looks.next(20), at: .seconds(15)) == [.publish])
    #expect(machine.handle(.evaluated(offline, .measured), at: .seconds(16)) == [.publish])
    #expect(machine.report == nil && machine.nextDeadline == nil)
  }

  /// The whole machine of a path: its effect, and what it publishes.
  @Test func thePathHasTheQuality() {
    var machine = PathMachine()
    for event in [PathMachine.Event.deadlinePassed, .opened, .dumped([], complete: true)] {
      _ = machine.handle(event, at: .zero)
    }
    #expect(
      machine.handle(.evaluated(PathEvaluation(path: online, quality: .limiting)), at: .zero) == [.publish(online)])
    #expect(machine.path?.linkQuality == .unknown && machine.path?.linkQualityExplanation == nil)
    var looks = Looks()
    for second in [0, 5] {
      if second > 0 { _ = machine.handle(.deadlinePassed, at: .seconds(1)) }
      #expect(machine.nextDeadline == .seconds(second))
      #expect(machine.handle(.deadlinePassed, at: .seconds(second)) == [.lookAtQuality])
      guard case .looked(let look) = looks.next(1400) else { return }
      _ = machine.handle(.qualityLooked(look), at: .seconds(second))
    }
    #expect(machine.path?.linkQuality == .minimal)
    #expect(machine.path?.linkQualityExplanation == "poor: 1.4 s round trip, 20 ms at best")
    #expect(machine.path?.status == .satisfied)
  }
}
