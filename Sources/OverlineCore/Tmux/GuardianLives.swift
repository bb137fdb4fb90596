/// Decides whether to replace a guardian that has ended: yes if it was killed, no if guardians keep ending at once, since they cannot run here.
package struct GuardianLives {
  /// A guardian that ends sooner than this cannot run; it was not just killed.
  private static let shortLife = Duration.seconds(1)
  /// The maximum number of consecutive short-lived guardians that are replaced.
  private static let maximumShortLives = 3

  private var shortLives = 0

  package init() {}

  /// A server is about to get a line: a new attempt is worth its cost.
  package mutating func begin() { shortLives = 0 }

  /// - Parameter life: how long the guardian that has ended was running.
  /// - Returns: whether to start another one.
  package mutating func endedAfter(_ life: Duration) -> Bool {
    shortLives = life < Self.shortLife ? shortLives + 1 : 0
    return shortLives <= Self.maximumShortLives
  }
}
