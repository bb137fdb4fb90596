/// The frames of banner, alert and toast at one moment; nil for each that is not visible.
package struct Presentation: Hashable, Sendable {
  package var banner: BannerFrame?
  package var alert: AlertFrame?
  package var toast: ToastFrame?
  private let addressOnly = AddressOnly()

  package init(banner: BannerFrame? = nil, alert: AlertFrame? = nil, toast: ToastFrame? = nil) {
    self.banner = banner
    self.alert = alert
    self.toast = toast
  }

  package var isEmpty: Bool { banner == nil && !hasBox }
  /// True while an alert or a toast shows, each in a box over the content.
  package var hasBox: Bool { alert != nil || toast != nil }

  /// The same presentation, with the toast at rest.
  package var resting: Presentation {
    var result = self
    result.toast?.rest()
    return result
  }
}
