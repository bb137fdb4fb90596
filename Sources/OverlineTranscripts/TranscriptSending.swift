internal import NetworkPath

/// The words of ``SendingLook`` in a transcript: durations in nanoseconds.
extension SendingLook {
  var transcriptWords: [String] {
    var words = stalls.map { "unsent=\($0.host),\($0.age.nanoseconds),\($0.attemptAge.nanoseconds)" }
    if doubtful > 0 { words.append("unsent=\(doubtful)") }
    if let leftAge { words.append("left=\(leftAge.nanoseconds)") }
    if let counters { words.append("sent=\(counters.stopped),\(counters.forwarded),\(counters.withoutRoute)") }
    return words
  }

  /// Returns false for a word that is none of ``transcriptWords``.
  mutating func take(_ name: Substring, _ values: [Substring]) -> Bool {
    let numbers = values.compactMap { Int64($0) }
    guard numbers.count == values.count else { return false }
    switch (name, numbers.count) {
    case ("sent", 3):
      // Sums and differences of them fit.
      guard numbers.allSatisfy({ $0.magnitude < 1 << 62 }) else { return false }
      counters = SendingCounters(stopped: numbers[0], forwarded: numbers[1], withoutRoute: numbers[2])
    case ("unsent", 3):
      guard numbers.allSatisfy({ $0 >= 0 }) else { return false }
      stalls.append(
        Stall(host: Int(numbers[0]), age: .nanoseconds(numbers[1]), attemptAge: .nanoseconds(numbers[2])))
    case ("unsent", 1):
      guard numbers[0] >= 0 else { return false }
      doubtful = Int(numbers[0])
    case ("left", 1):
      guard numbers[0] >= 0 else { return false }
      leftAge = .nanoseconds(numbers[0])
    default: return false
    }
    return true
  }
}
