/// How long a router has not answered. A time that was not seen is not invented.
package enum RouterSilence: Equatable, Sendable {
  /// The router answered this time ago.
  case heard(ago: Duration)
  /// The router has not answered since its link came up, in the same outage.
  case sinceLinkUp
  /// No answer was seen, and nothing says since when.
  case unheard

  package var age: Duration? { if case .heard(let age) = self { age } else { nil } }
}
