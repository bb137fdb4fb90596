/// The waits between the attempts after an outage: each about twice as long as the one before.
package struct SettlingDelay {
  private let limit: Duration
  private var next: Duration

  package init(_ range: ClosedRange<Duration>) {
    limit = max(range.upperBound, .zero)
    next = max(range.lowerBound, .zero)
  }

  /// The next wait. A random half of it keeps the machines behind one router from reaching their server at once.
  package mutating func take(fraction: Double = .random(in: 0...1)) -> Duration {
    defer { next = min(max(next, .milliseconds(1)), limit / 2) * 2 }
    return next / 2 + next / 2 * fraction
  }
}
