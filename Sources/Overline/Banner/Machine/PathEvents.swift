package import NetworkPath

extension NWPath {
  /// The banner event of a path. Nil when the kernel cannot be queried: that is neither a loss nor a return.
  ///
  /// - Parameters:
  ///   - isFirst: whether the window had no path before.
  ///   - limitation: the failure that a reachability check found on this path; nil for none. It takes precedence over the path's own
  ///     ``limitation``.
  package func bannerEvent(isFirst: Bool, limitation: Limitation? = nil) -> BannerEvent? {
    if !isKnown { return nil }
    switch status {
    case .unsatisfied:
      return isFirst ? .networkFoundLost(cause: cause, claim: claim) : .networkLost(cause: cause, claim: claim)
    case .satisfied, .requiresConnection:
      guard let limitation = limitation ?? self.limitation else { return .networkRestored }
      let (cause, claim, manner) = (limitation.cause, claim(of: limitation), limitation.manner)
      return isFirst
        ? .networkFoundLimited(cause: cause, claim: claim, manner: manner)
        : .networkLimited(cause: cause, claim: claim, manner: manner)
    }
  }

  /// What a limitation claims. Its words also have counts, and a page's address that may differ each time.
  private func claim(of limitation: Limitation) -> String {
    let way = [availableInterfaces.first?.name, gateways.first?.addressText].compactMap(\.self)
    return ([limitation.reason.rawValue] + way).joined(separator: " ")
  }

  /// The reason of the path's trouble, as observers' states have it; nil without one.
  package func troubleReason(limitation: Limitation? = nil) -> String? {
    if !isKnown { return nil }
    return switch status {
    case .unsatisfied: reason?.rawValue
    case .satisfied, .requiresConnection: (limitation ?? self.limitation)?.reason.rawValue
    }
  }

  /// The limitation that the path itself reports: connections whose data does not leave this machine, or that get no answers, or a poor
  /// quality. Nil without one, and while nothing is known. What does not leave the machine has no answer either, so that comes first.
  package var limitation: Limitation? {
    if let notSent { return Limitation(.notSent, cause: notSent.cause, explanation: notSent.explanation) }
    if let noAnswers { return Limitation(.noAnswers, cause: noAnswers.cause, explanation: noAnswers.explanation) }
    guard let quality, quality.isLimit else { return nil }
    return Limitation(.poorQuality, cause: quality.cause, explanation: "the connection is \(quality.words)")
  }
}
