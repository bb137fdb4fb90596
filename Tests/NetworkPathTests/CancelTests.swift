import Dispatch
import NetworkPath
import OverlineTestSupport
import Synchronization
import OverlineTestThread
import Testing

/// Every way of ending a monitor. None of them hangs, and no handler begins afterwards.
@Suite(.ownThread) struct CancelTests {
  /// K23: a caller on the monitor's queue knows that no handler runs.
  @Test(arguments: [true, false]) func noHandlerBeginsAfterCancel(_ isOnQueue: Bool) throws {
    for _ in 0..<5 {
      let world = try World { try $0.addUplink("eth0") }
      let queue = DispatchQueue(label: "test.flood")
      try world.start(queue: queue)
      let flood = world.flood()
      try world.paths.wait("some of the flood") { $0.count > 1 }
      if isOnQueue {
        queue.sync { world.monitor.cancel() }
      } else {
        world.monitor.cancel()
        // A handler that was running ends.
        queue.sync {}
      }
      let count = world.paths.values.count
      flood.wait()
      queue.sync {}
      #expect(world.paths.values.count == count)
    }
  }

  /// As in Apple's framework. The handler may be waiting for the caller.
  @Test func cancelDoesNotWaitForAHandlerThatIsRunning() throws {
    let world = try World { try $0.addUplink("eth0") }
    let isInside = DispatchSemaphore(value: 0)
    let mayLeave = DispatchSemaphore(value: 0)
    let events = Recorder<String>()
    world.monitor.pathUpdateHandler = { _ in
      isInside.signal()
      mayLeave.wait()
      events.record("handler left")
    }
    let queue = DispatchQueue(label: "test.slow")
    world.monitor.start(queue: queue)
    isInside.wait()
    try world.namespace.ip("link set eth0p down")
    let monitor = world.monitor
    DispatchQueue(label: "test.canceller").async {
      monitor.cancel()
      events.record("cancelled")
    }
    // Also after a failure: the handler must not keep its thread.
    defer { queue.sync {} }
    defer { mayLeave.signal() }
    try events.wait("the canceller") { $0 == ["cancelled"] }
    mayLeave.signal()
    queue.sync {}
    // The outage, which waited behind the first path, is not reported.
    queue.sync {}
    #expect(events.values == ["cancelled", "handler left"])
  }

  /// A window observes the monitor beside the program's handler.
  @Test func aHandlerThatCancelsIsTheLast() throws {
    let world = try World { try $0.addUplink("eth0") }
    let told = Recorder<String>()
    let monitor = world.monitor
    monitor.pathUpdateHandler = { _ in told.record("handler") }
    let queue = DispatchQueue(label: "test.two")
    queue.hold()
    monitor.start(queue: queue)
    _ = monitor.observe { [weak monitor] _ in
      told.record("observer")
      monitor?.cancel()
    }
    queue.resume()
    try told.wait("the observer") { !$0.isEmpty }
    queue.sync {}
    #expect(told.values == ["observer"])
  }

  @Test func theHandlerMayCancel() throws {
    let world = try World { try $0.addUplink("eth0") }
    let told = Recorder<String>()
    let monitor = world.monitor
    let other = DispatchQueue(label: "test.other")
    monitor.pathUpdateHandler = { [weak monitor] _ in
      monitor?.cancel()
      other.sync { monitor?.cancel() }
      told.record("told")
    }
    let queue = DispatchQueue(label: "test.own")
    monitor.start(queue: queue)
    try told.wait("the handler") { !$0.isEmpty }
    try world.namespace.ip("link set eth0p down")
    queue.sync {}
    #expect(told.values.count == 1)
  }

  /// A handler that waits for its first path retains its monitor until then.
  @Test func aHandlerThatHoldsItsMonitorIsLetGoWithIt() throws {
    let world = try World { try $0.addUplink("eth0") }
    let told = DispatchSemaphore(value: 0)
    weak var gone: NWPathMonitor?
    do {
      let monitor = World.monitor(in: world.namespace)
      gone = monitor
      monitor.pathUpdateHandler = { _ in
        monitor.cancel()
        told.signal()
      }
      monitor.start(queue: DispatchQueue(label: "test.once"))
    }
    told.wait()
    #expect(eventually { gone == nil })
    // A handler set late is not retained either.
    do {
      let monitor = World.monitor(in: world.namespace)
      gone = monitor
      monitor.cancel()
      monitor.pathUpdateHandler = { _ in monitor.cancel() }
    }
    #expect(gone == nil)
  }

  @Test func aMonitorThatWasCancelledIsNotReused() throws {
    let world = try World { try $0.addUplink("eth0") }
    world.monitor.cancel()
    world.monitor.cancel()
    let queue = DispatchQueue(label: "test.late")
    world.monitor.start(queue: queue)
    queue.sync {}
    #expect(world.monitor.queue == nil)
    #expect(world.paths.values.isEmpty)
    #expect(!world.monitor.currentPath.isKnown)
  }

  @Test func theLastPathStaysReadable() throws {
    let world = try World { try $0.addUplink("eth0") }
    let path = try world.start()
    world.monitor.cancel()
    #expect(world.monitor.currentPath == path)
  }

  /// The monitor's queue may be blocked until the cancelling thread goes on, as the main queue is when its own code cancels.
  @Test func cancelDoesNotWaitForTheQueue() throws {
    let world = try World { try $0.addUplink("eth0") }
    let queue = DispatchQueue(label: "test.held")
    try world.start(queue: queue)
    queue.sync { world.monitor.cancel() }
    queue.hold()
    let second = World.monitor(in: world.namespace)
    second.start(queue: queue)
    second.cancel()
    queue.resume()
    queue.sync {}
    #expect(world.paths.values.count == 1)
  }

  /// As in Apple's framework: a start lasts until the monitor is cancelled.
  @Test func aMonitorThatIsOnlyALocalVariableGoesOn() throws {
    let world = try World { try $0.addUplink("eth0") }
    let paths = Recorder<NWPath>()
    weak var kept: NWPathMonitor?
    do {
      let monitor = World.monitor(in: world.namespace)
      kept = monitor
      monitor.pathUpdateHandler = { paths.record($0) }
      monitor.start(queue: DispatchQueue(label: "test.local"))
    }
    try paths.wait("the first path") { !$0.isEmpty }
    try world.namespace.ip("link set eth0p down")
    try paths.first("the outage") { $0.reason == .noCarrier }
    kept?.cancel()
    #expect(eventually { kept == nil })
  }

  /// A monitor that only waits ends with its last user.
  @Test func aMonitorThatWasNeverStartedByHandEndsWithItsRelease() async throws {
    let world = try World { try $0.addUplink("eth0") }
    weak var kept: NWPathMonitor?
    do {
      let monitor = World.monitor(in: world.namespace)
      kept = monitor
      try await monitor.waitUntilSatisfied(timeout: .seconds(30))
    }
    #expect(eventually { kept == nil })
  }

  /// The handler releases the last reference.
  @Test func theHandlerMayLetGoOfTheMonitor() throws {
    let world = try World { try $0.addUplink("eth0") }
    let told = Recorder<String>()
    let holder = Mutex<NWPathMonitor?>(World.monitor(in: world.namespace))
    weak let gone = holder.withLock { $0 }
    holder.withLock { monitor in
      monitor!.pathUpdateHandler = { _ in
        let last = holder.withLock { $0.take() }
        last?.cancel()
        told.record("told")
      }
      monitor!.start(queue: DispatchQueue(label: "test.last"))
    }
    try told.wait("the handler") { !$0.isEmpty }
    #expect(eventually { gone == nil })
  }

  @Test func manyThreadsMayDoEverythingAtOnce() throws {
    let world = try World { try $0.addUplink("eth0") }
    let flood = world.flood(300)
    for _ in 0..<30 {
      let monitor = World.monitor(in: world.namespace)
      let isCancelled = Atomic(false)
      let late = Atomic(0)
      monitor.pathUpdateHandler = { _ in if isCancelled.load(ordering: .acquiring) { late.add(1, ordering: .relaxed) } }
      let queue = DispatchQueue(label: "test.all", attributes: .concurrent)
      DispatchQueue.concurrentPerform(iterations: 8) { number in
        switch number % 4 {
        case 0: monitor.start(queue: queue)
        case 1: _ = monitor.currentPath
        case 2: monitor.reportSuccess()
        default:
          monitor.cancel()
          isCancelled.store(true, ordering: .releasing)
        }
      }
      queue.sync(flags: .barrier) {}
      // One that had begun.
      #expect(late.load(ordering: .relaxed) <= 1)
    }
    flood.wait()
  }
}
