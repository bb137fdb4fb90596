/// An event for a window's banner.
package enum BannerEvent: Equatable, Sendable {
  /// The network is lost, or still lost for another cause. The cause is a few words: `eth0 has no carrier`.
  ///
  /// - Parameter claim: what the cause claims, without the times and counts in its words; nil if the words have none.
  case networkLost(cause: String, claim: String? = nil)
  /// The network was lost before this window appeared: its banner shows without a grace delay.
  case networkFoundLost(cause: String, claim: String? = nil)
  /// The network is up, but the reachability check failed, or it failed again for another cause: `captive portal?`
  ///
  case networkLimited(cause: String, claim: String? = nil, manner: TroubleManner = .lasting)
  /// The network was limited before this window appeared.
  case networkFoundLimited(cause: String, claim: String? = nil, manner: TroubleManner = .lasting)
  /// The network is neither lost nor limited.
  case networkRestored
  /// The user dismissed the visible banner. The network's banner returns when its claim changes.
  case bannerDismissedByUser
  /// The user dismissed what Overline claims: the visible banner of the network, or the notice about the program. A custom banner stays.
  case claimDismissed
  /// The user dismissed the network's trouble in the monitor that this window follows.
  case troubleDismissedElsewhere
  /// The monitor that this window follows presents the same trouble anew: an end in between was too short for this window.
  case troubleShownElsewhere
  /// A custom banner was presented, or presented again with another appearance.
  case bannerPresented(BannerAppearance)
  /// The custom banner was dismissed by its presenter.
  case customBannerDismissed
  /// A notice about the window's own program was presented, or its words have changed: `ssh: last answer 14 s ago`.
  case noticePresented(String)
  /// The notice's reason is over.
  case noticeDismissed
  case windowResized(rows: Int?, columns: Int?)
  case settingsChanged(BannerSettings)
  /// The clock may have reached ``BannerMachine/nextDeadline``. Early, late and repeated deliveries are harmless.
  case deadlineReached
}

/// The state of a banner for observers: its phase and its text, without the motion in between.
package struct BannerStatus: Equatable, Sendable {
  /// What Overline itself claims, about the network or the window's program. A custom banner is no claim.
  package enum Claim: Equatable, Sendable {
    case none
    case shown
    /// The user has dismissed the network's banner.
    case dismissed
  }

  package var phase: BannerPhaseName
  /// The banner as it will look once all motion has ended; nil for none.
  package var banner: BannerFrame?
  package var claim: Claim

  package init(phase: BannerPhaseName = .hidden, banner: BannerFrame? = nil, claim: Claim = .none) {
    self.phase = phase
    self.banner = banner
    self.claim = claim
  }
}

/// How long the banner of a limited connection shows, and how it ends.
package enum TroubleManner: Equatable, Sendable {
  /// Until its end; *Back online* follows.
  case lasting
  /// For ``BannerMachine/briefTime`` only.
  case brief
  /// Until its end, and nothing follows: the network was never lost.
  case quiet
}
