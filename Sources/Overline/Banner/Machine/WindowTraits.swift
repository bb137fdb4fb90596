/// The capabilities of a window.
package struct WindowTraits: Equatable, Sendable {
  /// The window's height; nil if unknown or irrelevant. With nil, any banner fits.
  package var rows: Int?
  /// The window's width; nil if unknown.
  package var columns: Int?
  package var edge: ToastEdge
  /// The height of the tallest banner, in rows; nil for any.
  package var maximumHeight: Int?
  /// The maximum number of frames of one fade; nil for up to 30 a second.
  package var maximumFrames: Int?
  package var colors: ColorDepth
  /// True if the user asked for no motion (`--no-motion`, `ACCESSIBLE=1`): every change is one repaint.
  package var reducesMotion: Bool

  package init(
    rows: Int? = nil, columns: Int? = nil, edge: ToastEdge = .top,
    maximumHeight: Int? = nil, maximumFrames: Int? = nil, colors: ColorDepth = .truecolor, reducesMotion: Bool = false
  ) {
    self.rows = rows
    self.columns = columns
    self.edge = edge
    self.maximumHeight = maximumHeight
    self.maximumFrames = maximumFrames
    self.colors = colors
    self.reducesMotion = reducesMotion
  }

  /// The monitor's own window, which is not on a screen. It only reports its inset to observers, so it needs no frames in between.
  package static let reference = WindowTraits(maximumFrames: 1)

  /// A tmux server: one line and few frames, since tmux sends each frame to every client.
  package static func tmux(edge: ToastEdge) -> WindowTraits {
    WindowTraits(edge: edge, maximumHeight: 1, maximumFrames: 6)
  }

  /// The inset of a banner with this height.
  func inset(under height: Int) -> TerminalInsets {
    switch edge {
    case .top: TerminalInsets(top: height)
    case .bottom: TerminalInsets(bottom: height)
    }
  }
}

extension BannerAppearance {
  /// In a window with fewer rows than this, banners are compact.
  package static let compactBelowRows = 16
  /// The rows that a banner must leave to the window's content. A banner that leaves fewer does not show.
  package static let minimumContentRows = 4

  /// This appearance as shown in a window of that size; nil if the window shows no banner (and has no inset).
  ///
  /// Below ``compactBelowRows`` a banner is one row without a title inset. A banner that does not leave ``minimumContentRows`` is not
  /// shown. The width matters only when it is 0; the layout cuts text that is too wide.
  ///
  /// - Parameters:
  ///   - rows: the window's height; nil for a window in which any banner fits.
  ///   - columns: the window's width, or nil.
  ///   - maximumHeight: the height of the tallest banner, in rows; nil for any.
  package func effective(rows: Int?, columns: Int?, maximumHeight: Int? = nil) -> BannerAppearance? {
    var result = self
    let isCompact = rows.map { $0 < Self.compactBelowRows } ?? false
    result.height = max(1, isCompact ? 1 : min(height, maximumHeight ?? height))
    result.titleTopInset = isCompact ? 0 : min(max(0, titleTopInset), result.height - 1)
    if let rows, rows - Self.minimumContentRows < result.height { return nil }
    if let columns, columns < 1 { return nil }
    return result
  }

  func effective(in window: WindowTraits) -> BannerAppearance? {
    effective(rows: window.rows, columns: window.columns, maximumHeight: window.maximumHeight)
  }
}
