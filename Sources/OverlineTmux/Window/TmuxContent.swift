internal import Overline

/// What a server is to show: the newest frame of each kind, nil where there is nothing.
struct TmuxContent: Hashable, Sendable {
  var banner: BannerFrame?
  var toast: ToastFrame?

  var isEmpty: Bool { banner == nil && toast == nil }

  /// The lines it takes. Where one is kept all the time, a toast alone has that one: nothing moves.
  func lines(_ reserve: TmuxReserve) -> [StatusLine] {
    let toasts: [StatusLine] = toast == nil ? [] : [.toast]
    switch reserve {
    case .auto: return toasts + (banner == nil ? [] : [.banner])
    case .always: return toasts + (banner == nil && toast != nil ? [] : [.banner])
    case .never: return []
    }
  }

  /// Every variable there is, for clients that show so many colours.
  func variables(on depth: ColorDepth) -> [String: String] {
    StatusLine.banner.variables(banner.map { .init($0, on: depth) })
      .merging(StatusLine.toast.variables(toast.map { .init($0, on: depth) })) { $1 }
  }
}
