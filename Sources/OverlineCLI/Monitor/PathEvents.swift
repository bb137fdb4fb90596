internal import Banner
internal import PathModel

extension NWPath {
  /// What a path means for a banner. A kernel that cannot be asked says neither that the network went nor that it came back.
  ///
  /// - Parameter isFirst: whether the window knew of none before.
  func bannerEvent(isFirst: Bool) -> BannerEvent? {
    if !isKnown { return nil }
    return switch status {
    case .unsatisfied: isFirst ? .networkFoundLost(cause: cause) : .networkLost(cause: cause)
    case .satisfied, .requiresConnection: .networkRestored
    }
  }
}
