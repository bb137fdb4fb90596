/// The network is up, but what lies beyond it does not answer as expected.
package struct Limitation: Equatable, Sendable {
  package enum Reason: String, CaseIterable, Sendable {
    /// A server of the network answers in the place of the internet, and probably wants a log-in.
    case captivePortal = "captive-portal"
    /// The server of the reachability check does not answer, or answers with an error.
    case checkFailed = "check-failed"
    /// The machine's connections get no answers.
    case noAnswers = "no-answers"
    /// Nothing that the machine's connections send leaves the machine.
    case notSent = "not-sent"
    /// The connection is slow or loses data, and the user wants a banner for that.
    case poorQuality = "poor-quality"
  }

  package var reason: Reason
  /// The cause in few words, for a banner: `Log in: http://192.0.2.1/login`.
  package var cause: String
  /// A sentence without its full stop: `example.net answered with a redirect (302)`.
  package var explanation: String
  /// The URL of the portal's page, as the network sent it: printable ASCII that starts with `http://` or `https://`; nil when unknown.
  package var portal: String?

  package var manner: TroubleManner {
    switch reason {
    case .captivePortal, .checkFailed, .noAnswers: .lasting
    // A kill switch may stop the packets because the user wants it.
    case .notSent: .brief
    case .poorQuality: .quiet
    }
  }

  package init(_ reason: Reason, cause: String, explanation: String, portal: String? = nil) {
    self.reason = reason
    self.cause = cause
    self.explanation = explanation
    self.portal = portal
  }
}
