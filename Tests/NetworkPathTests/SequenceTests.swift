import Dispatch
import NetworkPath
import OverlineTestSupport
import OverlineTestThread
import Testing

/// `for await path in monitor`.
@Suite(.ownThread) struct SequenceTests {
  @Test func theFirstPathComesAndThenEachChange() async throws {
    let world = try World { try $0.addUplink("eth0") }
    var paths = world.monitor.makeAsyncIterator()
    #expect(await paths.next()?.status == .satisfied)
    try world.namespace.ip("link set eth0p down")
    #expect(await paths.next()?.reason == .noCarrier)
    try world.namespace.ip("link set eth0p up")
    #expect(await paths.next()?.status == .satisfied)
    #expect(world.monitor.queue != nil)
  }

  @Test func aLateListenerHearsThePathNowAndABusyOneTheNewest() async throws {
    let world = try World { try $0.addUplink("eth0") }
    var busy = world.monitor.makeAsyncIterator()
    try world.paths.wait("1 paths") { $0.count == 1 }
    try world.namespace.ip("link set eth0p down")
    try world.paths.wait("2 paths") { $0.count == 2 }
    var late = world.monitor.makeAsyncIterator()
    #expect(await late.next()?.status == .unsatisfied)
    #expect(await busy.next()?.status == .unsatisfied)
  }

  @Test func theSequenceEndsWithTheMonitor() async throws {
    let world = try World { try $0.addUplink("eth0") }
    let seen = Recorder<NWPath>()
    let monitor = world.monitor
    let task = Task {
      for await path in monitor { seen.record(path) }
      return "ended"
    }
    try seen.wait("the first path") { !$0.isEmpty }
    monitor.cancel()
    #expect(await task.value == "ended")
    // After `cancel()` a new loop gets no path, not even the last one.
    for await _ in monitor { Issue.record("a path after cancel") }
    #expect(seen.values.count == 1)
  }

  /// A path was waiting to be fetched when the monitor was cancelled.
  @Test func aCancelledMonitorYieldsNoPendingPath() async throws {
    let world = try World { try $0.addUplink("eth0") }
    var paths = world.monitor.makeAsyncIterator()
    try world.paths.wait("the first path") { !$0.isEmpty }
    world.monitor.cancel()
    #expect(await paths.next() == nil)
  }

  @Test func theSequenceEndsWithItsTaskAndLeavesTheMonitorAlone() async throws {
    let world = try World { try $0.addUplink("eth0") }
    let seen = Recorder<NWPath>()
    let monitor = world.monitor
    let task = Task { for await path in monitor { seen.record(path) } }
    try seen.wait("the first path") { !$0.isEmpty }
    task.cancel()
    await task.value
    try world.namespace.ip("link set eth0p down")
    try world.paths.wait("2 paths") { $0.count == 2 }
    #expect(seen.values.count == 1)
  }

  /// `for await path in NWPathMonitor()`: only the iterator holds the monitor.
  @Test func theIteratorHoldsTheMonitor() async throws {
    let namespace = try NetworkNamespace()
    try namespace.addUplink("eth0")
    weak var monitor: NWPathMonitor?
    var paths: NWPathMonitor.Iterator?
    do {
      let made = World.monitor(in: namespace)
      monitor = made
      paths = made.makeAsyncIterator()
    }
    #expect(await paths?.next()?.status == .satisfied)
    #expect(monitor != nil)
    paths = nil
    #expect(monitor == nil)
  }
}
