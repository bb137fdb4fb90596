/// The frames of banner, alert and toast at one moment; nil for each that is not visible.
package struct Presentation: Equatable, Sendable {
  package var banner: BannerFrame?
  package var alert: AlertFrame?
  package var toast: ToastFrame?
  private let addressOnly = AddressOnly()

  package init(banner: BannerFrame? = nil, alert: AlertFrame? = nil, toast: ToastFrame? = nil) {
    self.banner = banner
    self.alert = alert
    self.toast = toast
  }

  // Asked for each key: `== nil` would copy the frames.
  package var isEmpty: Bool { if case .none = banner { !hasBox } else { false } }
  /// True while an alert or a toast shows, each in a box over the content.
  package var hasBox: Bool { if case .none = toast { hasAlert } else { true } }
  package var hasAlert: Bool { if case .none = alert { false } else { true } }

  /// The same presentation, with the toast at rest.
  package var resting: Presentation {
    var result = self
    result.toast?.rest()
    return result
  }
}
