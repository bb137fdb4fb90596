internal import Overline

/// The content for a server: the newest frame of each kind, nil for none.
struct TmuxContent: Hashable, Sendable {
  var banner: BannerFrame?
  var toast: ToastFrame?

  var isEmpty: Bool { banner == nil && toast == nil }

  /// The lines that the content occupies. With `always`, a toast alone uses the permanent line, so that nothing moves.
  func lines(_ reserve: TmuxReserve) -> [StatusLine] {
    let toasts: [StatusLine] = toast == nil ? [] : [.toast]
    switch reserve {
    case .auto: return toasts + (banner == nil ? [] : [.banner])
    case .always: return toasts + (banner == nil && toast != nil ? [] : [.banner])
    case .never: return []
    }
  }

  /// All variables, for clients of this colour depth.
  func variables(on depth: ColorDepth) -> [String: String] {
    StatusLine.banner.variables(banner.map { .init($0, on: depth) })
      .merging(StatusLine.toast.variables(toast.map { .init($0, on: depth) })) { $1 }
  }
}
