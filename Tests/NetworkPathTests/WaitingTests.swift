import Dispatch
import Glibc
import NetworkPath
import OverlineSystem
import OverlineTestKit
import OverlineTestSupport
import Synchronization
import OverlineTestThread
import Testing

/// The names of 0.1: a call through this protocol gives no warning.
private protocol OldNames {
  @discardableResult func satisfied(timeout: Duration?) async throws -> NWPath
}

extension NWPathMonitor: OldNames {}

/// Waiting out an outage.
@Suite(.ownThread) struct WaitingTests {
  private struct ConnectionLost: Error, Equatable, RawRepresentable {
    var attempt: Int
    init(attempt: Int) { self.attempt = attempt }
    init?(rawValue: Int32) { nil }
    var rawValue: Int32 { ECONNRESET }
  }

  @Test func onlineThereIsNoWait() async throws {
    let world = try World { try $0.addUplink("eth0") }
    #expect(try await world.monitor.waitUntilSatisfied(timeout: .zero).gateways.count == 1)
    #expect(world.monitor.queue != nil)
  }

  @Test func theNetworkWakesEveryWaitingTask() async throws {
    let world = try World { try $0.addUplink("eth0", gateway: nil) }
    let monitor = world.monitor
    let waiting = (0..<10).map { number in
      Task { try await monitor.waitUntilSatisfied(timeout: number.isMultiple(of: 2) ? nil : .seconds(20)) }
    }
    try world.paths.wait("the first path") { !$0.isEmpty }
    try world.namespace.ip("route add default via 192.0.2.1")
    for task in waiting { #expect(try await task.value.status == .satisfied) }
    #expect(world.monitor.currentPath.gateways.count == 1)
  }

  @Test func theTimeEnds() async throws {
    let world = try World()
    let start = BootClock.now
    for timeout in [50, 0, -1000] {
      let error = await #expect(throws: NWPathMonitor.TimedOut.self) {
        try await world.monitor.waitUntilSatisfied(timeout: .milliseconds(timeout))
      }
      #expect(error?.path.reason == .noRoute)
      #expect(error.map { "\($0)" } == "the network did not come back in time: offline: no route to the internet")
    }
    #expect(BootClock.now - start >= .milliseconds(50))
  }

  /// The old name, which is deprecated.
  @Test func theOldNameDoesTheSame() async throws {
    let world = try World()
    let monitor: any OldNames = world.monitor
    await #expect(throws: NWPathMonitor.TimedOut.self) { try await monitor.satisfied(timeout: .zero) }
    world.monitor.cancel()
    await #expect(throws: CancellationError.self) { try await monitor.satisfied(timeout: .zero) }
  }

  @Test func cancellationEndsAWait() async throws {
    let world = try World()
    let monitor = world.monitor
    let first = Task { try await monitor.waitUntilSatisfied() }
    let second = Task { try await monitor.waitUntilSatisfied(timeout: .seconds(600)) }
    let third = Task { try await monitor.waitUntilSatisfied(timeout: .seconds(600)) }
    try world.paths.wait("the first path") { !$0.isEmpty }
    first.cancel()
    second.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    await #expect(throws: CancellationError.self) { try await second.value }
    monitor.cancel()
    await #expect(throws: CancellationError.self) { try await third.value }
    await #expect(throws: CancellationError.self) { try await monitor.waitUntilSatisfied(timeout: .zero) }
  }

  /// Ends the outage once the monitor has published it.
  private static func repair(_ world: World, releasing queue: DispatchQueue? = nil) {
    Task {
      queue?.resume()
      for await path in world.monitor where path.status == .unsatisfied { break }
      try world.namespace.ip("link set eth0 up", "route add default via 192.0.2.1")
    }
  }

  @Test func anOperationIsRunAgainWhenTheNetworkIsBack() async throws {
    let world = try World { try $0.addUplink("eth0") }
    try world.start()
    var attempts = 0
    let result = try await world.monitor.retryingWhenOffline(limit: 3) {
      attempts += 1
      if attempts == 1 {
        try world.namespace.ip("link set eth0 down")
        // From another thread: by then the operation has failed and is waiting.
        Self.repair(world)
        throw ConnectionLost(attempt: attempts)
      }
      return "data"
    }
    #expect(result == "data")
    #expect(attempts == 2)
    #expect(world.monitor.currentPath.status == .satisfied)
  }

  /// The operation fails before the monitor's queue has processed the kernel's message.
  @Test func newsThatAreStillOnTheirWayCount() async throws {
    let world = try World { try $0.addUplink("eth0") }
    let queue = DispatchQueue(label: "test.late")
    try world.start(queue: queue)
    queue.hold()
    var attempts = 0
    try await world.monitor.retryingWhenOffline(limit: 1) {
      attempts += 1
      if attempts == 2 {
        // The second attempt comes only after the link is repaired.
        #expect(try World.path(in: world.namespace).status == .satisfied)
        return
      }
      try world.namespace.ip("link set eth0 down")
      Self.repair(world, releasing: queue)
      throw ConnectionLost(attempt: attempts)
    }
    #expect(attempts == 2)
  }

  /// A download can time out long after the outage that broke it.
  @Test func anOutageThatIsOverCounts() async throws {
    let world = try World { try $0.addUplink("eth0") }
    try world.start()
    var attempts = 0
    try await world.monitor.retryingWhenOffline(limit: 1) {
      attempts += 1
      if attempts == 2 { return }
      try world.after("link set eth0 down") { $0.status == .unsatisfied }
      try world.namespace.ip("link set eth0 up")
      try world.after("route add default via 192.0.2.1") { $0.status == .satisfied }
      throw ConnectionLost(attempt: attempts)
    }
    #expect(attempts == 2)
  }

  @Test func anErrorWhileOnlineIsThrown() async throws {
    let world = try World { try $0.addUplink("eth0") }
    var attempts = 0
    let error = await #expect(throws: ConnectionLost.self) {
      try await world.monitor.retryingWhenOffline(limit: 5) {
        attempts += 1
        throw ConnectionLost(attempt: attempts)
      }
    }
    #expect(error?.attempt == 1)
  }

  @Test func theLimitHoldsAndTheLastErrorIsThrown() async throws {
    let world = try World { try $0.addUplink("eth0") }
    try world.start()
    var attempts = 0
    let error = await #expect(throws: ConnectionLost.self) {
      try await world.monitor.retryingWhenOffline(limit: 2) {
        attempts += 1
        try world.after("link set eth0 down") { $0.status == .unsatisfied }
        try world.namespace.ip("link set eth0 up", "route add default via 192.0.2.1")
        throw ConnectionLost(attempt: attempts)
      }
    }
    #expect(error?.attempt == 3)
  }

  /// The link is back before the router carries packets.
  @Test func failuresAfterAnOutageArePartOfIt() async throws {
    let network = try SimulatedNetwork("online 1s, offline 3s, online")
    let monitor = network.monitor()
    monitor.start(queue: DispatchQueue(label: "test.boot"))
    await network.advance(by: .seconds(2))
    var ticks: Task<Void, Never>?
    defer { ticks?.cancel() }
    let attempts = Recorder<Duration>()
    try await monitor.retryingWhenOffline {
      if ticks == nil { ticks = ticking(network) }
      attempts.record(network.clock.now.offset)
      if network.clock.now.offset < .seconds(34) { throw ConnectionLost(attempt: attempts.values.count) }
    }
    // The first attempt after the outage comes at once, the others after waits that double: a few attempts, not two a second.
    #expect((4...10).contains(attempts.values.count), "\(attempts.values)")
    #expect(attempts.values.last.map { $0 < .seconds(34 + 32) } == true, "\(attempts.values)")
  }

  /// The router has lost its uplink: the path stays satisfied.
  @Test func failuresWithoutAnswersAreRetried() async throws {
    let network = try SimulatedNetwork("online no-answers 40s, online")
    let monitor = network.monitor()
    var ticks: Task<Void, Never>?
    defer { ticks?.cancel() }
    let attempts = Recorder<Duration>()
    try await monitor.retryingWhenOffline(settling: .seconds(1)...(.seconds(600))) {
      attempts.record(network.clock.now.offset)
      if ticks == nil { ticks = ticking(network) }
      if network.clock.now.offset < .seconds(40) { throw ConnectionLost(attempt: attempts.values.count) }
    }
    // A few attempts, and one as soon as connections are answered again.
    #expect((3...8).contains(attempts.values.count), "\(attempts.values)")
    #expect(attempts.values.last.map { $0 < .seconds(45) } == true, "\(attempts.values)")
  }

  /// Advances the clock whenever the other tasks have had a turn.
  private func ticking(_ network: SimulatedNetwork) -> Task<Void, Never> {
    Task {
      while !Task.isCancelled {
        await network.advance(by: .milliseconds(100))
        for _ in 0..<50 { await Task.yield() }
      }
    }
  }

  @Test func theCallerDecidesWhichErrorsTimeMends() async throws {
    let network = try SimulatedNetwork("offline 1s, online")
    let monitor = network.monitor()
    var ticks: Task<Void, Never>?
    defer { ticks?.cancel() }
    var attempts = 0
    let error = await #expect(throws: ConnectionLost.self) {
      try await monitor.retryingWhenOffline(shouldRetry: { ($0 as? ConnectionLost)?.attempt != 3 }) {
        attempts += 1
        if ticks == nil { ticks = ticking(network) }
        throw ConnectionLost(attempt: attempts)
      }
    }
    #expect(error?.attempt == 3)
  }

  @Test func theLimitCountsTheRunsAfterAnOutageToo() async throws {
    let network = try SimulatedNetwork("offline 1s, online")
    let monitor = network.monitor()
    var ticks: Task<Void, Never>?
    defer { ticks?.cancel() }
    var attempts = 0
    await #expect(throws: ConnectionLost.self) {
      try await monitor.retryingWhenOffline(limit: 4) {
        attempts += 1
        if ticks == nil { ticks = ticking(network) }
        throw ConnectionLost(attempt: attempts)
      }
    }
    #expect(attempts == 5)
  }

  /// The router answers: no need to wait for the end of the delay.
  @Test func aNewPathEndsTheWaitBetweenRuns() async throws {
    let world = try World { try $0.addUplink("eth0") }
    try world.start()
    var attempts = 0
    var news: Task<Void, any Error>?
    try await world.monitor.retryingWhenOffline(settling: .seconds(600)...(.seconds(600))) {
      attempts += 1
      switch attempts {
      case 1:
        try world.namespace.ip("link set eth0 down")
        Self.repair(world)
      case 2:
        let namespace = world.namespace
        news = Task {
          try namespace.ip("addr add 2001:db8::2/64 dev eth0 nodad")
          while !Task.isCancelled {
            try namespace.ip("-6 route add default via fe80::1 dev eth0", "-6 route del default")
            await Task.yield()
          }
        }
      default: return
      }
      throw ConnectionLost(attempt: attempts)
    }
    news?.cancel()
    #expect(attempts == 3)
  }

  @Test func theWaitsDoubleUpToTheirLimit() {
    var delay = SettlingDelay(.seconds(1)...(.seconds(30)))
    #expect((0..<7).map { _ in delay.take(fraction: 1) } == [1, 2, 4, 8, 16, 30, 30].map { .seconds($0) })
    var short = SettlingDelay(.seconds(1)...(.seconds(30)))
    #expect((0..<3).map { _ in short.take(fraction: 0) } == [500, 1000, 2000].map { .milliseconds($0) })
    var zero = SettlingDelay(.zero...(.seconds(Int64.max / 4)))
    #expect(zero.take() == .zero)
    #expect(zero.take(fraction: 1) == .milliseconds(2))
    for _ in 0..<200 { _ = zero.take() }
    var negative = SettlingDelay(.seconds(-2)...(.seconds(-1)))
    #expect((0..<3).allSatisfy { _ in negative.take() == .zero })
  }

  @Test func anOutageThatOutlastsTheTimeThrowsTheOperationsError() async throws {
    let world = try World()
    let error = await #expect(throws: ConnectionLost.self) {
      try await world.monitor.retryingWhenOffline(limit: 2, timeout: .milliseconds(20)) {
        throw ConnectionLost(attempt: 1)
      }
    }
    #expect(error?.attempt == 1)
  }

  @Test func aCancelledMonitorRunsTheOperationOnce() async throws {
    let world = try World()
    world.monitor.cancel()
    #expect(try await world.monitor.retryingWhenOffline(limit: 2) { 7 } == 7)
    await #expect(throws: ConnectionLost.self) {
      try await world.monitor.retryingWhenOffline(limit: 2) { throw ConnectionLost(attempt: 1) }
    }
  }

  /// The operation runs on the caller's actor, and may access its state.
  @MainActor @Test func theOperationStaysOnTheCallersActor() async throws {
    let world = try World { try $0.addUplink("eth0") }
    try await world.monitor.retryingWhenOffline(limit: 0) { MainActor.assertIsolated() }
  }
}

/// A program that has better information than the kernel.
@Suite(.ownThread) struct ReportSuccessTests {
  /// Behind a proxy there is no route to the internet.
  @Test func aDoubtfulOutageIsOverriddenUntilTheKernelHasNews() throws {
    let world = try World { try $0.addUplink("eth0", gateway: nil) }
    let offline = try world.start()
    #expect(offline.reason == .noRoute)
    world.monitor.reportSuccess()
    let online = try world.paths.first("online") { $0.status == .satisfied }
    #expect(online.reason == nil)
    #expect(
      online.explanation
        == "online: the program has reached its server, though by the kernel it is offline: no route to the internet")
    #expect(world.monitor.currentPath == online)
    world.monitor.reportSuccess()
    try world.after("route add default via 192.0.2.1") { $0.supportsIPv4 }
    try world.after("route del default") { $0.status == .unsatisfied }
    #expect(world.paths.values.map(\.status) == [.unsatisfied, .satisfied, .satisfied, .unsatisfied])
  }

  /// A reported success does not override a dead link: the answer may have arrived just before the cable was pulled.
  @Test func onADeadLinkNothingIsReached() throws {
    let world = try World { try $0.addUplink("eth0") }
    let queue = DispatchQueue(label: "test.dead")
    try world.start(queue: queue)
    try world.after("link set eth0p down") { $0.reason == .noCarrier }
    world.monitor.reportSuccess()
    queue.sync {}
    try world.after("link set eth0p up") { $0.status == .satisfied }
    #expect(world.paths.values.map(\.status) == [.satisfied, .unsatisfied, .satisfied])
  }

  /// The kernel sent another message between the report and its turn on the queue.
  @Test func aReportIsAboutThePathOfItsMoment() throws {
    let world = try World { try $0.addUplink("eth0", gateway: nil) }
    let queue = DispatchQueue(label: "test.race")
    try world.start(queue: queue)
    queue.hold()
    world.monitor.reportSuccess()
    try world.namespace.ip("link set eth0p down", "link set eth0 down")
    queue.resume()
    try world.paths.first("down") { $0.reason == .linkDown }
    #expect(!world.paths.values.contains { $0.status == .satisfied })
  }

  @Test func beforeTheStartAndAfterTheEndNothingIsReported() throws {
    let world = try World()
    world.monitor.reportSuccess()
    let queue = DispatchQueue(label: "test.ended")
    try world.start(queue: queue)
    world.monitor.cancel()
    world.monitor.reportSuccess()
    queue.sync {}
    #expect(world.paths.values.map(\.status) == [.unsatisfied])
  }

  @Test func aReportWakesAWaitingTask() async throws {
    let world = try World { try $0.addUplink("eth0", gateway: nil) }
    let monitor = world.monitor
    let waiting = Task { try await monitor.waitUntilSatisfied() }
    try world.paths.wait("the first path") { !$0.isEmpty }
    monitor.reportSuccess()
    #expect(try await waiting.value.status == .satisfied)
    // A failure now is not caused by an outage.
    await #expect(throws: NotFound.self) {
      try await monitor.retryingWhenOffline(limit: 1) { throw NotFound() }
    }
  }

  private struct NotFound: Error {}
}
