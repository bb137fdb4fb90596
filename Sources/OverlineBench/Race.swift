internal import POSIX

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
  func firstWords() throws -> [Duration?] {
    var times = [Duration?](repeating: nil, count: runners.count)
    let end = BootClock.now + .seconds(1)
    while times.contains(nil), try waitUntilReadable(poller.rawValue, timeout: end - BootClock.now) {
      // Before anything else: reading takes time too.
      let now = BootClock.now
      for number in readAll() where times[number] == nil { times[number] = now }
    }
    return times
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
