internal import Dispatch
internal import OverlineSystem
internal import Synchronization

/// Programs that all see the same event: who says something first, and when.
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

  /// When each said its first word from now on; nil for those who did not within a second.
  private func firstWords() throws -> [Duration?] {
    var times = [Duration?](repeating: nil, count: runners.count)
    let end = BootClock.now + .seconds(1)
    while times.contains(nil), try waitUntilReadable(poller.rawValue, timeout: end - BootClock.now) {
      // Before anything else: reading takes time too.
      let now = BootClock.now
      for number in readAll() where times[number] == nil { times[number] = now }
    }
    return times
  }

  /// Makes a change on another thread, and tells how long after its beginning each said its first word.
  ///
  /// A link's end takes the kernel from a fifth of a millisecond to a tenth of a second, and it speaks in the middle of it: who only
  /// listens afterwards takes all who have spoken by then for equals.
  ///
  /// - Parameter change: gives back the moment of its beginning.
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

  /// Passes over what is said until nobody has said anything for a while; who said something.
  @discardableResult
  func settle(_ pause: Duration = .milliseconds(150)) throws -> Set<Int> {
    var speakers: Set<Int> = []
    while try waitUntilReadable(poller.rawValue, timeout: pause) { speakers.formUnion(readAll()) }
    return speakers
  }

  /// Reads what there is; whose it was.
  private func readAll() -> [Int] {
    poller.takeReady().map { token, _ in
      _ = try? runners[Int(token)].output.read()
      return Int(token)
    }
  }
}
