/// The rate limit of a client's requests, except `watch` and `status`: a burst, and then a number per second.
///
/// A token bucket that stores no tokens. It stores the time at which the requests so far would be used up at the steady rate (ITU-T I.371,
/// GCRA).
package struct RequestAllowance: Equatable, Sendable {
  /// The limits. The defaults exceed what a user can read, and are too low to slow down a window.
  package struct Rate: Equatable, Sendable {
    package var burst = 100
    package var perSecond = 50

    package init() {}
  }

  private let rate: Rate
  private var paidUntil: Duration = .zero

  package init(_ rate: Rate = Rate()) {
    self.rate = rate
  }

  /// Allows a request, or throws an error with the time until the next request is allowed.
  package mutating func consume(at now: Duration) throws(ProtocolError) {
    let price = Duration.seconds(1) / rate.perSecond
    let paid = max(paidUntil, now)
    let wait = paid - now - price * (rate.burst - 1)
    guard wait <= .zero else {
      let (seconds, attoseconds) = wait.components
      let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1
      throw ProtocolError(
        .tooMany,
        "too many requests on one connection; this one was ignored: allowed are \(rate.burst) at once and then \(rate.perSecond) a second; the next one in \(milliseconds) ms"
      )
    }
    paidUntil = paid + price
  }
}
