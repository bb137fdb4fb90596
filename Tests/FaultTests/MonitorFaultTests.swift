import OverlineTestThread
import Testing

/// Each process around a monitor and a tmux server, struck by each fault at each moment.
@Suite(.ownThread) struct MonitorFaultTests {
  @Test(arguments: FaultCase<MonitorScene.Process>.all { MonitorScene.promise($0, $1, at: $2) })
  func thePromiseIsKept(_ example: FaultCase<MonitorScene.Process>) throws {
    try MonitorScene(at: example.moment).check(example.promise, when: example.fault, meets: example.process)
  }

  /// The monitor is struck together with something else.
  @Test(arguments: FaultCase<MonitorScene.Companion>.all { MonitorScene.promise(withMonitor: $0, $1, at: $2) })
  func thePromiseIsKeptForTwoFaults(_ example: FaultCase<MonitorScene.Companion>) throws {
    try MonitorScene(at: example.moment)
      .check(example.promise, when: example.fault, meetsMonitorAnd: example.process)
  }
}
