import OverlineCore
import OverlineTestThread
import Testing

/// The messages that the monitor sends to its service manager, and their times.
@Suite(.ownThread) struct ServiceMachineTests {
  private var service = ServiceMachine(watchdog: .seconds(20))

  private mutating func lines(_ event: ServiceMachine.Event, at seconds: Int = 0) -> [String]? {
    service.handle(event, at: .seconds(seconds))?.assignments
  }

  @Test("ready is said once, with the first state") mutating func ready() {
    #expect(lines(.told("online")) == ["STATUS=online", "READY=1"])
    #expect(lines(.told("online")) == nil)
    #expect(lines(.told("offline")) == ["STATUS=offline"])
  }

  @Test("the manager must not miss the start, a reload and the end") mutating func patience() {
    let events: [ServiceMachine.Event] = [
      .told("online"), .told("offline"), .reloading(awake: .seconds(7)), .reloaded, .stopping,
    ]
    #expect(events.map { service.handle($0, at: .zero)?.isPatient } == [true, false, true, true, true])
  }

  @Test func aReloadEndsWithTheStateBefore() {
    var service = ServiceMachine(watchdog: nil)
    _ = service.handle(.told("online"), at: .zero)
    #expect(
      service.handle(.reloading(awake: .milliseconds(7)), at: .zero)?.assignments == [
        "RELOADING=1", "MONOTONIC_USEC=7000",
      ])
    #expect(service.handle(.reloaded, at: .zero)?.assignments == ["READY=1", "STATUS=online"])
    #expect(service.nextDeadline == nil)
  }

  @Test("a sign of life is due at half of the limit, from ready to the end") mutating func signsOfLife() {
    #expect(service.nextDeadline == nil)
    _ = lines(.told("online"), at: 1)
    #expect(service.nextDeadline == .seconds(11))
    #expect(lines(.deadlineReached, at: 10) == nil)
    #expect(lines(.deadlineReached, at: 12) == ["WATCHDOG=1"])
    #expect(service.nextDeadline == .seconds(22))
    _ = lines(.told("offline"), at: 13)
    #expect(service.nextDeadline == .seconds(22))
    #expect(lines(.stopping, at: 14) == ["STOPPING=1", "STATUS=ending"])
    #expect(service.nextDeadline == nil)
    #expect(lines(.deadlineReached, at: 30) == nil)
  }
}
