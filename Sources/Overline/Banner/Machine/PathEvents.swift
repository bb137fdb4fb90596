package import NetworkPath

extension NWPath {
  /// The banner event of a path. Nil when the kernel cannot be queried: that is neither a loss nor a return.
  ///
  /// - Parameters:
  ///   - isFirst: whether the window had no path before.
  ///   - limitation: the failure that a reachability check found on this path, in few words; nil for none. It takes precedence over the
  ///     path's own ``limitation``.
  package func bannerEvent(isFirst: Bool, limitation: String? = nil) -> BannerEvent? {
    if !isKnown { return nil }
    switch status {
    case .unsatisfied: return isFirst ? .networkFoundLost(cause: cause) : .networkLost(cause: cause)
    case .satisfied, .requiresConnection:
      guard let limitation = limitation ?? self.limitation?.cause else { return .networkRestored }
      return isFirst ? .networkFoundLimited(cause: limitation) : .networkLimited(cause: limitation)
    }
  }

  /// The limitation that the path itself reports: connections without answers. Nil while they are answered, or nothing is known.
  package var limitation: Limitation? {
    noAnswers.map { Limitation(.noAnswers, cause: $0.cause, explanation: $0.explanation) }
  }
}
