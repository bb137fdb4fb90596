/// The rate limit of a client's requests to show something: a number at once, and from then on so many a second.
///
/// A token bucket without tokens: it stores the time until which all requests so far are paid for (ITU-T I.371, GCRA).
package struct RequestAllowance: Hashable, Sendable {
  /// More than a user could read, and less than a window would notice.
  package struct Rate: Hashable, Sendable {
    package var burst = 100
    package var perSecond = 50

    package init() {}
  }

  private let rate: Rate
  private var paidUntil: Duration = .zero

  package init(_ rate: Rate = Rate()) {
    self.rate = rate
  }

  /// Allows a request, or throws an error that says how soon one would be allowed.
  package mutating func take(at now: Duration) throws(ProtocolError) {
    let price = Duration.seconds(1) / rate.perSecond
    let paid = max(paidUntil, now)
    let wait = paid - now - price * (rate.burst - 1)
    guard wait <= .zero else {
      let (seconds, attoseconds) = wait.components
      let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1
      throw ProtocolError(
        .tooMany,
        "too many requests on one connection, and this one was not done: \(rate.burst) at once and \(rate.perSecond) a second are served; the next one in \(milliseconds) ms"
      )
    }
    paidUntil = paid + price
  }
}
