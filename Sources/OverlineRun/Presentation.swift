internal import Overline

/// What a window shows over and above its program.
struct Presentation: Hashable {
  var banner: BannerFrame?
  var alert: AlertFrame?
  var toast: ToastFrame?

  var isEmpty: Bool { banner == nil && !hasOverlay }
  var hasOverlay: Bool { alert != nil || toast != nil }

  /// Without motion in the toast.
  var resting: Presentation {
    var result = self
    result.toast?.rest()
    return result
  }
}
