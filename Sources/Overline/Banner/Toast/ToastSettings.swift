/// The `[toast]` part of the configuration.
package struct ToastSettings: Hashable, Sendable {
  /// What becomes of a toast that is posted while another one shows.
  package enum Policy: String, Hashable, Sendable, CaseIterable {
    /// It waits its turn.
    case queue
    /// It takes the other one's place.
    case replace
    /// It is not shown.
    case ignore
  }

  package var policy: Policy
  package var motion: BannerSettings.Motion
  package var contrast: ContrastPolicy
  /// Colours other than those of the style's ``DesignToken``.
  package var appearances: [ToastStyle: Appearance]

  package init(
    policy: Policy = .queue, motion: BannerSettings.Motion = .auto, contrast: ContrastPolicy = .warn,
    appearances: [ToastStyle: Appearance] = [:]
  ) {
    self.policy = policy
    self.motion = motion
    self.contrast = contrast
    self.appearances = appearances
  }

  /// Toasts that wait, at most; then the oldest of them goes.
  package static let queueLimit = 32

  /// A style's colours and icon; the title is the toast's.
  package func appearance(_ style: ToastStyle) -> Appearance {
    (appearances[style] ?? Appearance(style.token)).applying(contrast)
  }
}

extension Appearance {
  /// What a token looks like, without a title.
  package init(_ token: DesignToken) {
    self.init(
      title: "", backgroundColor: token.backgroundColor, textColor: token.textColor, attributes: .bold, icon: token.icon
    )
  }
}
