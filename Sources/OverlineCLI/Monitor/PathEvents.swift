internal import Banner
internal import PathModel
internal import Reachability

extension NWPath {
  /// What a path means for a banner. A kernel that cannot be asked says neither that the network went nor that it came back.
  ///
  /// - Parameters:
  ///   - isFirst: whether the window knew of none before.
  ///   - limitation: what the reachability check has found on this path.
  func bannerEvent(isFirst: Bool, limitation: Limitation? = nil) -> BannerEvent? {
    if !isKnown { return nil }
    switch status {
    case .unsatisfied: return isFirst ? .networkFoundLost(cause: cause) : .networkLost(cause: cause)
    case .satisfied, .requiresConnection:
      guard let cause = limitation?.cause else { return .networkRestored }
      return isFirst ? .networkFoundLimited(cause: cause) : .networkLimited(cause: cause)
    }
  }
}
