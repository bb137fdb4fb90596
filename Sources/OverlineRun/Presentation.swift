internal import Overline

/// The banner, alert and toast that a window shows in addition to its program.
struct Presentation: Hashable {
  var banner: BannerFrame?
  var alert: AlertFrame?
  var toast: ToastFrame?

  var isEmpty: Bool { banner == nil && !hasOverlay }
  var hasOverlay: Bool { alert != nil || toast != nil }

  /// The same without motion in the toast.
  var resting: Presentation {
    var result = self
    result.toast?.rest()
    return result
  }
}
