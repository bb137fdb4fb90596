package import NetworkPath

extension NWPath {
  /// What a path means for a banner. A kernel that cannot be asked says neither that the network went nor that it came back.
  ///
  /// - Parameters:
  ///   - isFirst: whether the window knew of none before.
  ///   - limitation: what a reachability check has found on this path, in few words; nil when it found nothing.
  package func bannerEvent(isFirst: Bool, limitation: String? = nil) -> BannerEvent? {
    if !isKnown { return nil }
    switch status {
    case .unsatisfied: return isFirst ? .networkFoundLost(cause: cause) : .networkLost(cause: cause)
    case .satisfied, .requiresConnection:
      guard let limitation else { return .networkRestored }
      return isFirst ? .networkFoundLimited(cause: limitation) : .networkLimited(cause: limitation)
    }
  }
}
