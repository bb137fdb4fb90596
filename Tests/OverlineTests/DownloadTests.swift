import Dispatch
import NetworkPath
import OverlineSystem
import OverlineTestKit
import OverlineTestSupport
import OverlineTestThread
import Testing

@testable import OverlineDownloadExample

/// The download of the example, in simulated time.
@Suite(.ownThread) struct DownloadTests {
  /// The link is back after two seconds. The router carries no packet for 30 seconds more.
  @MainActor @Test func itSurvivesARouterThatBootsForThirtySeconds() async throws {
    let network = try SimulatedNetwork("online 1s, offline 2s, online")
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    let pathMonitor = network.monitor()
    pathMonitor.start(queue: DispatchQueue(label: "test.boot"))
    defer { pathMonitor.cancel() }
    await network.advance(by: .seconds(2))
    let attempts = Recorder<Duration>()
    var ticks: Task<Void, Never>?
    defer { ticks?.cancel() }
    try await download(to: PartialFile("\(folder)/file"), watching: pathMonitor) { start, onBytes in
      if ticks == nil { ticks = ticking(network) }
      let now = network.clock.now.offset
      attempts.record(now)
      if now < .seconds(33) { throw HTTPError.system("connect", 113) }
      try onBytes([1, 2, 3])
      return 3
    }
    #expect(try Files.read("\(folder)/file") == [1, 2, 3])
    #expect((4...10).contains(attempts.values.count), "\(attempts.values)")
  }

  /// Advances the clock whenever the other tasks have had a turn.
  private nonisolated func ticking(_ network: SimulatedNetwork) -> Task<Void, Never> {
    Task {
      while !Task.isCancelled {
        await network.advance(by: .milliseconds(100))
        for _ in 0..<50 { await Task.yield() }
      }
    }
  }
}
