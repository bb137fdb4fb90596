package import Overline

/// The content for a server: the newest frame of each kind, nil for none.
package struct TmuxContent: Equatable, Sendable {
  package var banner: BannerFrame?
  package var toast: ToastFrame?

  package init(banner: BannerFrame? = nil, toast: ToastFrame? = nil) {
    self.banner = banner
    self.toast = toast
  }

  package var isEmpty: Bool { banner == nil && toast == nil }

  /// The lines that the content occupies. With `always`, a toast alone uses the permanent line, so that nothing moves.
  package func lines(_ reserve: TmuxReserve) -> [StatusLine] {
    let toasts: [StatusLine] = toast == nil ? [] : [.toast]
    switch reserve {
    case .auto: return toasts + (banner == nil ? [] : [.banner])
    case .always: return toasts + (banner == nil && toast != nil ? [] : [.banner])
    case .never: return []
    }
  }

  /// All variables, for clients of this colour depth.
  package func variables(on depth: ColorDepth) -> [String: String] {
    StatusLine.banner.variables(banner.map { .init($0, on: depth) })
      .merging(StatusLine.toast.variables(toast.map { .init($0, on: depth) })) { $1 }
  }
}
