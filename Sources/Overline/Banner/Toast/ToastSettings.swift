/// The `[toast]` part of the configuration.
package struct ToastSettings: Equatable, Sendable {
  /// The handling of a toast that is posted while another one shows.
  package enum Policy: String, Equatable, Sendable, CaseIterable {
    /// The new toast waits its turn.
    case queue
    /// The new toast replaces the other one.
    case replace
    /// The new toast is not shown.
    case ignore
  }

  package var policy: Policy
  package var motion: BannerSettings.Motion
  package var contrast: ContrastPolicy
  /// Colours that override those of the style's ``DesignToken``.
  package var appearances: [ToastStyle: BannerAppearance]

  package init(
    policy: Policy = .queue, motion: BannerSettings.Motion = .auto, contrast: ContrastPolicy = .warn,
    appearances: [ToastStyle: BannerAppearance] = [:]
  ) {
    self.policy = policy
    self.motion = motion
    self.contrast = contrast
    self.appearances = appearances
  }

  /// The maximum number of waiting toasts. When more wait, the oldest is dropped.
  package static let queueLimit = 32

  /// A style's colours and icon. The title comes from the toast.
  package func appearance(_ style: ToastStyle) -> BannerAppearance {
    (appearances[style] ?? BannerAppearance(style.token)).applying(contrast)
  }
}

extension BannerAppearance {
  /// The appearance of a token, without a title.
  package init(_ token: DesignToken) {
    self.init(
      title: "", backgroundColor: token.backgroundColor, textColor: token.textColor, attributes: .bold, icon: token.icon
    )
  }
}
