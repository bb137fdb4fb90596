import OverlineTestThread
import Testing

/// Each process around a window, struck by each fault at each moment.
@Suite(.ownThread) struct WindowFaultTests {
  @Test(arguments: FaultCase<WindowScene.Process>.all { WindowScene.promise($0, $1, at: $2) })
  func thePromiseIsKept(_ example: FaultCase<WindowScene.Process>) throws {
    try WindowScene(at: example.moment).check(example.promise, when: example.fault, meets: example.process)
  }
}
