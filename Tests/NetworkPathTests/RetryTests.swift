import Dispatch
import Glibc
import NetworkPath
import OverlineSystem
import OverlineTestKit
import OverlineTestSupport
import OverlineTestThread
import Testing

/// Retries while nothing answers, in a network with a real router and in simulated time.
@Suite(.ownThread) struct RetryTests {
  private struct ConnectionLost: Error, RawRepresentable {
    init() {}
    init?(rawValue: Int32) { nil }
    var rawValue: Int32 { ECONNRESET }
  }

  /// A monitor on the host of a routed network.
  private final class Host: Sendable {
    let network: RoutedNetwork
    let monitor: NWPathMonitor
    let paths = Recorder<NWPath>()

    /// - Parameter hasIPv6: whether the router serves both families.
    init(hasIPv6: Bool = true) throws {
      network = try RoutedNetwork()
      if !hasIPv6 { try network.host.ip("-6 route del default") }
      monitor = World.monitor(in: network.host)
      let paths = paths
      monitor.pathUpdateHandler = { paths.record($0) }
      monitor.start(queue: DispatchQueue(label: "test.retry"))
      try paths.first("online") { $0.status == .satisfied }
    }

    deinit { monitor.cancel() }

    /// Opens a connection to a far server.
    func visit(timeout: Duration = .seconds(20)) throws {
      try EchoServer.visit(RoutedNetwork.far[0], from: network.host, timeout: timeout)
    }
  }

  /// A wait that only news can end.
  private static let longWait = Duration.seconds(600)...Duration.seconds(600)

  /// The kernel refuses the connection, often before the monitor has its proof that the router is silent.
  @Test(arguments: [false, true]) func aSilentRouterIsWaitedOut(_ hasIPv6: Bool) async throws {
    let host = try Host(hasIPv6: hasIPv6)
    try host.visit()
    // From another thread: by then the operation has failed and is waiting.
    let errors = Recorder<SystemError?>()
    let (failures, failed) = AsyncStream.makeStream(of: Void.self)
    let repair = Task {
      for await path in host.monitor where path.reason == .routerSilent { break }
      for await _ in failures { break }
      try host.network.bridge.ip("link set router0 up")
    }
    try await host.monitor.retryingWhenOffline(
      settling: Self.longWait,
      shouldRetry: {
        errors.record($0 as? SystemError)
        failed.yield()
        return true
      }
    ) {
      if errors.values.isEmpty { try host.network.bridge.ip("link set router0 down") }
      try host.visit()
    }
    try await repair.value
    // One run as soon as the router answers, and none meanwhile. With two families, the one that is not used may be back first.
    #expect(Set(errors.values.map { $0?.code }) == [EHOSTUNREACH])
    #expect(errors.values.count <= (hasIPv6 ? 3 : 1))
    #expect(host.paths.values.contains { $0.reason == .routerSilent })
    #expect(eventually { host.monitor.currentPath.status == .satisfied })
  }

  /// The router answers, and nothing behind it does.
  @Test(.enabled(if: RoutedNetwork.canRun, "COULD NOT RUN: nft is missing; install it: make test-deps"))
  func connectionsWithoutAnswersAreWaitedOut() async throws {
    let host = try Host()
    let clients = try host.network.connect(to: RoutedNetwork.far)
    try host.network.drop()
    try host.paths.first("the claim") { $0.noAnswers != nil }
    let errors = Recorder<SystemError?>()
    try await host.monitor.retryingWhenOffline(
      settling: Self.longWait,
      shouldRetry: {
        errors.record($0 as? SystemError)
        // The other connections are answered again once this operation has failed.
        try? host.network.router.nft("delete table inet test")
        return true
      }
    ) {
      if errors.values.isEmpty { return try host.visit(timeout: .milliseconds(500)) }
      #expect(host.monitor.currentPath.noAnswers == nil)
      try host.visit()
    }
    #expect(errors.values.map { $0?.code } == [ETIMEDOUT])
    withExtendedLifetime(clients) {}
  }

  /// The other family's router answers: the failure has another cause.
  @Test func anErrorBesideASilentRouterOfOneFamilyIsThrown() async throws {
    let world = try World {
      try $0.addUplink("eth0", isAsked: true)
      try $0.ip("-6 route add default via fe80::1 dev eth0", "addr add 2001:db8::2/64 dev eth0 nodad")
      try $0.ip("neigh replace 192.0.2.1 dev eth0 nud failed")
      try $0.ip("-6 neigh replace fe80::1 lladdr 02:00:00:00:00:99 dev eth0 nud permanent")
    }
    try world.start()
    await #expect(throws: ConnectionLost.self) {
      try await world.monitor.retryingWhenOffline(limit: 5) { throw ConnectionLost() }
    }
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

  /// The times of the attempts, in seconds; each before `end` fails.
  private func attempts(_ script: String, until end: Duration) async throws -> [Double] {
    let network = try SimulatedNetwork(script)
    let monitor = network.monitor()
    monitor.start(queue: DispatchQueue(label: "test.script"))
    defer { monitor.cancel() }
    await network.advance(by: .milliseconds(100))
    let attempts = Recorder<Double>()
    var ticks: Task<Void, Never>?
    defer { ticks?.cancel() }
    try await monitor.retryingWhenOffline(settling: Self.longWait) {
      if ticks == nil { ticks = ticking(network) }
      attempts.record(network.clock.now.offset / .seconds(1))
      if network.clock.now.offset < end { throw ConnectionLost() }
    }
    return attempts.values
  }

  @Test func aScriptedSilentRouterIsAnOutage() async throws {
    let times = try await attempts("offline router-silent 40s, online", until: .seconds(40))
    #expect(times.count == 2 && times[1] < 41, "\(times)")
  }

  /// The path is the same as before the second outage, which ends the wait all the same.
  @Test func anotherOutageEndsTheWait() async throws {
    let times = try await attempts("offline 1s, online 5s, offline 1s, online", until: .seconds(7))
    #expect(times.count == 3 && times[2] < 8, "\(times)")
  }

  /// The operation fails after connections are answered again.
  @Test func aTimeWithoutAnswersThatIsOverCounts() async throws {
    let network = try SimulatedNetwork("online 1s, online no-answers 5s, online")
    let monitor = network.monitor()
    monitor.start(queue: DispatchQueue(label: "test.over"))
    defer { monitor.cancel() }
    await network.advance(by: .milliseconds(100))
    var attempts = 0
    try await monitor.retryingWhenOffline(limit: 1, settling: .zero...(.zero)) {
      attempts += 1
      if attempts > 1 { return }
      await network.advance(by: .seconds(10))
      throw ConnectionLost()
    }
    #expect(attempts == 2)
  }
}
