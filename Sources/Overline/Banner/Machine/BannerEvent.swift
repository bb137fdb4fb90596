/// What happened to a window's banner.
package enum BannerEvent: Hashable, Sendable {
  /// The network is lost, or still lost for another cause. The cause is a few words: `eth0 has no carrier`.
  case networkLost(cause: String)
  /// The network was lost before this window appeared: its banner shows without a grace delay.
  case networkFoundLost(cause: String)
  /// The network is there, but nobody beyond it answers as expected; or still so, for another cause: `captive portal?`
  case networkLimited(cause: String)
  /// The network was limited before this window appeared.
  case networkFoundLimited(cause: String)
  /// Neither lost nor limited.
  case networkRestored
  /// The banner in front was dismissed. The network's returns at the next trouble, not before.
  case bannerDismissedByUser
  /// A banner for anything else was presented, or presented anew with other looks.
  case bannerPresented(Appearance)
  /// The banner for anything else was dismissed by whoever presented it.
  case customBannerDismissed
  case windowResized(rows: Int?, columns: Int?)
  case settingsChanged(BannerSettings)
  /// The clock may have reached ``BannerMachine/nextDeadline``. Early, late and repeated deliveries do no harm.
  case deadlineReached
}

/// What the window's driver has to do, in this order.
package enum BannerEffect: Hashable, Sendable {
  /// Give the banner these rows of the window (one `SIGWINCH` to whatever runs inside), and tell observers. Sequence numbers
  /// rise by one from 1.
  case setInset(Inset, sequence: Int)
  /// Show this frame in place of the one before. Only the newest matters to a slow terminal.
  case draw(BannerFrame)
  /// Remove the banner; an inset without it follows.
  case clear
  /// Tell observers.
  case publish(BannerStatus)
}

/// What observers are told of a banner: where it is in its life and what it says, without the motion in between.
package struct BannerStatus: Hashable, Sendable {
  package var phase: BannerPhaseName
  /// The banner as it will look once all motion has ended; nil when there is none.
  package var banner: BannerFrame?

  package init(phase: BannerPhaseName = .hidden, banner: BannerFrame? = nil) {
    self.phase = phase
    self.banner = banner
  }
}
