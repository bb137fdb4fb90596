internal import Dispatch
internal import OverlineSystem
internal import Synchronization

/// Programs that all see the same event: their order and times of first output.
struct Race: ~Copyable {
  private let runners: [PipedProgram]
  private let poller: Poller

  init(_ runners: [PipedProgram]) throws {
    let poller = try Poller()
    for (number, runner) in runners.enumerated() {
      try poller.add(runner.output.rawValue, token: UInt64(number), .readable)
    }
    self.runners = runners
    self.poller = poller
  }

  /// The time of each program's next output; nil for one that prints none within a second.
  private func firstWords() throws -> [Duration?] {
    var times = [Duration?](repeating: nil, count: runners.count)
    let end = BootClock.now + .seconds(1)
    while times.contains(nil), try waitUntilReadable(poller.rawValue, timeout: end - BootClock.now) {
      // Taken first: reading takes time too.
      let now = BootClock.now
      for number in readAll() where times[number] == nil { times[number] = now }
    }
    return times
  }

  /// Makes a change on another thread, and returns the time from its beginning to each program's first output.
  ///
  /// A link's end takes the kernel from a fifth of a millisecond to a tenth of a second, and it sends its messages in the middle of it:
  /// a measurement that only starts afterwards would see all earlier outputs as simultaneous.
  ///
  /// - Parameter change: returns the time of its beginning.
  func firstWords(after change: @escaping @Sendable () throws -> Duration) throws -> [Duration?] {
    let outcome = Outcome()
    let isDone = DispatchSemaphore(value: 0)
    DispatchQueue.global(qos: .userInteractive).async {
      let result = Result { try change() }
      outcome.value.withLock { $0 = result }
      isDone.signal()
    }
    let times = try firstWords()
    isDone.wait()
    let start = try outcome.value.withLock { try $0!.get() }
    return times.map { $0.map { $0 - start } }
  }

  private final class Outcome: Sendable {
    let value = Mutex<Result<Duration, any Error>?>(nil)
  }

  /// Discards output until there has been none for a while; returns the programs that printed any.
  @discardableResult
  func settle(_ pause: Duration = .milliseconds(150)) throws -> Set<Int> {
    var speakers: Set<Int> = []
    while try waitUntilReadable(poller.rawValue, timeout: pause) { speakers.formUnion(readAll()) }
    return speakers
  }

  /// Reads the available output; returns the programs that printed it.
  private func readAll() -> [Int] {
    poller.takeReady().map { token, _ in
      _ = try? runners[Int(token)].output.read()
      return Int(token)
    }
  }
}
