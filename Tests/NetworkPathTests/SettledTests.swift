import Foundation
import Glibc
import NetworkPath
import OverlineTestKit
import OverlineTestSupport
import OverlineTestThread
import Synchronization
import Testing

/// What services and downloads need beside the paths.
@Suite(.ownThread) struct SettledTests {
  private struct Answered: Error {}

  /// The settled paths of a script, with their times in seconds.
  private func settled(_ script: String, until end: Int) async throws -> [String] {
    let network = try SimulatedNetwork(script)
    let monitor = network.monitor()
    let told = Recorder<String>()
    try await network.run {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          for await path in monitor.settled(for: .seconds(5)) {
            let time = network.clock.now.offset / .seconds(1)
            told.record("\(Int(time)) \(path.status)\(path.isExpensive ? " expensive" : "")")
          }
        }
        try await network.clock.sleep(for: .seconds(end))
        monitor.cancel()
        try await group.waitForAll()
      }
    }
    return told.values
  }

  @Test(arguments: [
    ("online 10s, offline 3s, online", ["0 satisfied"]),
    ("online 10s, offline 20s, online", ["0 satisfied", "15 unsatisfied", "35 satisfied"]),
    ("offline 4s, online 4s, offline 4s, online", ["0 unsatisfied", "17 satisfied"]),
    ("online 2s, online expensive 2s, offline", ["0 satisfied", "2 satisfied expensive", "9 unsatisfied"]),
    // The cause changes meanwhile: the status has lasted all the same.
    ("online 10s, offline 3s, offline no-route", ["0 satisfied", "15 unsatisfied"]),
  ])
  func aStatusIsToldWhenItHasLasted(_ script: String, _ paths: [String]) async throws {
    let told = try await settled(script, until: 60)
    #expect(told == paths, "\(told)")
  }

  private actor Log {
    private(set) var lines: [String] = []
    func add(_ line: String) { lines.append(line) }
  }

  /// Each run is the same, also with code of an actor and of the main actor on the way.
  @Test func eachRunOfAScriptIsTheSame() async throws {
    for _ in 0..<100 {
      let network = try SimulatedNetwork("online 1s, offline 20s, online")
      let monitor = network.monitor()
      let log = Log()
      let seen = try await network.run {
        for await path in monitor.settled(for: .seconds(3)) {
          await MainActor.run {}
          await log.add("\(Int(network.clock.now.offset / .seconds(1))) \(path.status)")
          if await log.lines.count == 3 { break }
        }
        return await log.lines
      }
      guard seen == ["0 satisfied", "4 unsatisfied", "24 satisfied"] else {
        Issue.record("\(seen)")
        return
      }
    }
  }

  /// Whatever the program says of its own errors, an operation that the monitor has cancelled is run again.
  @Test func aCancelledOperationIsRunAgainWhateverTheProgramRetries() async throws {
    let network = try SimulatedNetwork("online 10s, offline 10s, online")
    let monitor = network.monitor()
    let result = try await network.run {
      try await monitor.retryingWhenOffline(shouldRetry: { $0 is Answered }) {
        try await monitor.cancellingWhenOffline {
          try await network.clock.sleep(for: .seconds(30))
          return 7
        }
      }
    }
    #expect(result == 7 && network.clock.now.offset == .seconds(50))
  }

  @Test func eachRunKnowsItsNumberAndItsReason() async throws {
    let network = try SimulatedNetwork("offline router-silent 10m, online")
    let monitor = network.monitor()
    let runs = Mutex<[String]>([])
    try await network.run {
      try await monitor.retryingWhenOffline { attempt in
        let reason = attempt.outage.map { "\($0.reason!.rawValue) \(attempt.error.map { "\($0)" } ?? "")" } ?? "first"
        runs.withLock { $0.append("\(attempt.number) \(reason)") }
        if attempt.number == 1 { throw Answered() }
      }
    }
    #expect(runs.withLock { $0 } == ["1 first", "2 router-silent Answered()"])
  }

  /// After an outage only failures of the network are part of it: an answer of the server is not.
  @Test func anAnswerOfTheServerIsThrownAfterAnOutageToo() async throws {
    let network = try SimulatedNetwork("offline 10s, online")
    let monitor = network.monitor()
    let runs = Mutex(0)
    await #expect(throws: Answered.self) {
      try await network.run {
        try await monitor.retryingWhenOffline { attempt in
          runs.withLock { $0 = attempt.number }
          if attempt.number < 4 { throw POSIXLikeError(rawValue: ECONNREFUSED) }
          throw Answered()
        }
      }
    }
    #expect(runs.withLock { $0 } == 4)
  }

  private struct POSIXLikeError: Error, RawRepresentable { var rawValue: Int32 }
  private enum Numbered: Int, Error { case one = 104 }

  @Test func networkErrorsAreKnown() {
    for number in [ECONNRESET, ENETUNREACH, ETIMEDOUT, EPIPE] {
      #expect(NWPathMonitor.isNetworkError(POSIXLikeError(rawValue: number)))
    }
    for error in [
      POSIXError(.ECONNRESET), NSError(domain: NSPOSIXErrorDomain, code: 104), URLError(.timedOut), URLError(.unknown),
    ] as [any Error] {
      #expect(NWPathMonitor.isNetworkError(error), "\(error)")
    }
    for error in [POSIXError(.ENOSPC), URLError(.badURL), CocoaError(.fileNoSuchFile)] as [any Error] {
      #expect(!NWPathMonitor.isNetworkError(error), "\(error)")
    }
    #expect(!NWPathMonitor.isNetworkError(POSIXLikeError(rawValue: ENOSPC)))
    #expect(!NWPathMonitor.isNetworkError(Numbered.one))
    #expect(!NWPathMonitor.isNetworkError(CancellationError()))
  }

  /// A connection that waits for an answer would notice after minutes.
  @Test func anOperationIsCancelledWhenTheNetworkGoes() async throws {
    let network = try SimulatedNetwork("online 10s, offline 10s, online")
    let monitor = network.monitor()
    let starts = Mutex<[Int]>([])
    let result = try await network.run {
      try await monitor.retryingWhenOffline {
        try await monitor.cancellingWhenOffline {
          starts.withLock { $0.append(Int(network.clock.now.offset / .seconds(1))) }
          try await network.clock.sleep(for: .seconds(3600))
          return "done"
        }
      }
    }
    #expect(result == "done" && starts.withLock { $0 } == [0, 20])
  }

  @Test func aCancelledOperationSaysWhy() async throws {
    let network = try SimulatedNetwork("online 10s, offline")
    let monitor = network.monitor()
    let error = await #expect(throws: NWPathMonitor.WentOffline.self) {
      try await network.run {
        try await monitor.cancellingWhenOffline { try await network.clock.sleep(for: .seconds(3600)) }
      }
    }
    #expect(error.map { "\($0)" } == "offline: default via 192.0.2.1 dev eth0 has no carrier")
    await #expect(throws: Answered.self) {
      try await monitor.cancellingWhenOffline { throw Answered() }
    }
    // Offline from the beginning: the server may be on the local network.
    let result = try await network.run {
      try await monitor.cancellingWhenOffline {
        try await network.clock.sleep(for: .seconds(30))
        return 7
      }
    }
    #expect(result == 7)
  }
}
