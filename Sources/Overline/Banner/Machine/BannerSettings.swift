/// The `[banner]` part of the configuration.
package struct BannerSettings: Equatable, Sendable {
  /// Whether changes fade and slide.
  package enum Motion: String, Equatable, Sendable, CaseIterable {
    /// On unless the window's user asked for no motion.
    case auto
    case on
    case off

    func moves(in window: WindowTraits) -> Bool {
      switch self {
      case .auto: !window.reducesMotion
      case .on: true
      case .off: false
      }
    }
  }

  /// The time that a loss must last before it shows: longer than a roam or a route swap, but short enough to feel instant. 0 is allowed.
  package var graceDelay: Duration
  /// The time for which *Back online* stays: long enough to read two words.
  package var hideDelay: Duration
  package var motion: Motion
  package var contrast: ContrastPolicy
  package var offline: BannerAppearance
  package var restored: BannerAppearance
  package var limited: BannerAppearance

  package init(
    graceDelay: Duration = .milliseconds(250), hideDelay: Duration = .seconds(2), motion: Motion = .auto,
    contrast: ContrastPolicy = .warn, offline: BannerAppearance = .offline, restored: BannerAppearance = .restored,
    limited: BannerAppearance = .limited
  ) {
    self.graceDelay = graceDelay
    self.hideDelay = hideDelay
    self.motion = motion
    self.contrast = contrast
    self.offline = offline
    self.restored = restored
    self.limited = limited
  }

  func appearance(of trouble: BannerMachine.Trouble.Kind) -> BannerAppearance {
    switch trouble {
    case .lost: offline
    case .limited: limited
    }
  }
}
