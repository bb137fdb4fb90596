extension NWPath {
  /// How good the connection to the internet is. Apple's names; programs of Overline call `minimal` poor.
  ///
  /// Apple measures the link. Overline derives it from the machine's own TCP connections (``NWPathMonitor/init(targets:detectsSilence:measuresLinkQuality:)``).
  public enum LinkQuality: Hashable, Sendable {
    /// Not measured, or no connection has had traffic for half a minute.
    case unknown
    /// Poor: a round trip takes a second or longer, or a tenth of the data is sent again.
    case minimal
    /// A round trip takes 0.3 seconds or longer, or 3 % of the data is sent again.
    case moderate
    /// A round trip takes less than 0.3 seconds, and less than 3 % of the data is sent again.
    case good
  }

  /// The quality of the connection; ``LinkQuality-swift.enum/unknown`` unless the monitor measures it. The path stays satisfied, however poor it is.
  public var linkQuality: LinkQuality { quality?.level ?? .unknown }

  /// The figure that decided ``linkQuality-swift.property``, when it last changed: `poor: 1.4 s round trip`. Nil while the quality is unknown.
  public var linkQualityExplanation: String? { quality?.words }
}

// Not Comparable: a program that was written for Apple's type may add that itself.
extension NWPath.LinkQuality {
  /// An unknown quality ranks below every known one.
  package func isWorse(than other: Self) -> Bool { rank < other.rank }

  private var rank: Int {
    switch self {
    case .unknown: 0
    case .minimal: 1
    case .moderate: 2
    case .good: 3
    }
  }

  /// The word for users and for other programs.
  package var name: String {
    switch self {
    case .unknown: "unknown"
    case .minimal: "poor"
    case .moderate: "moderate"
    case .good: "good"
    }
  }
}

/// A known quality, as a path has it.
package struct QualityReport: Hashable, Sendable {
  package var level: NWPath.LinkQuality
  /// `poor: 1.4 s round trip`
  package var words: String
  /// The same for a banner, whose title says that something is wrong: `slow: 1.4 s round trip`
  package var cause: String
  /// Whether a poor quality counts as a limited connection, as the user has configured it.
  package var isLimit = false
}

/// Whether a path watcher measures the quality of the connection.
package enum QualityUse: Equatable, Sendable {
  case unmeasured
  case measured
  /// As ``measured``, and a poor quality is a limited connection.
  case limiting
}
