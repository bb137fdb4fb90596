import NetworkPath
import Overline
import OverlineCore
import OverlineTestThread
import Testing

/// What a window takes from the monitor that it follows, and when it doubts it.
@Suite(.ownThread) struct FollowMachineTests {
  private static let portal = Limitation(.captivePortal, cause: "Log in", explanation: "a login page")

  private static func state(_ limitation: Limitation?) -> FollowMachine.Event {
    let time = "2026-11-20T21:04:05.123Z"
    return .state(
      ObserverState(
        seq: 1, time: time, since: time, path: NWPath(status: .satisfied, explanation: "online via eth0"),
        limitation: limitation, phase: .hidden, appearance: nil, inset: TerminalInsets()))
  }

  private var machine = FollowMachine()

  @Test("without a limitation it waits for ever") mutating func waits() {
    #expect(machine.patience == nil)
    #expect(machine.handle(Self.state(nil)) == nil)
    #expect(machine.patience == nil)
  }

  @Test("a monitor that does not answer loses its limitation, and gets it back") mutating func doubts() {
    let found = FollowMachine.Effect.take(MonitorFinding(limitation: Self.portal))
    #expect(machine.handle(Self.state(Self.portal)) == found)
    #expect(machine.patience == .seconds(30))
    #expect(machine.handle(.silence) == .ask)
    #expect(machine.patience == .seconds(2))
    // The answer.
    #expect(machine.handle(Self.state(Self.portal)) == nil)
    #expect(machine.patience == .seconds(30))
    #expect(machine.handle(.silence) == .ask)
    #expect(machine.handle(.silence) == .take(MonitorFinding()))
    #expect(machine.patience == nil)
    #expect(machine.handle(Self.state(Self.portal)) == found)
    #expect(machine.patience == .seconds(30))
  }

  @Test func theEndOfTheMonitorEndsItsLimitation() {
    var machine = FollowMachine()
    _ = machine.handle(Self.state(Self.portal))
    #expect(machine.handle(.ended) == .take(MonitorFinding()))
    #expect(machine.handle(.ended) == nil)
  }
}
