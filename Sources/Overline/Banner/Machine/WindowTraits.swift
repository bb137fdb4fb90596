/// What a window is able to show.
package struct WindowTraits: Hashable, Sendable {
  /// The window's height; nil where it is unknown or does not matter: nothing is then too low for a banner.
  package var rows: Int?
  /// The window's width; nil where it is unknown.
  package var columns: Int?
  package var edge: VerticalEdge
  /// The tallest banner, in rows; nil for any.
  package var maximumHeight: Int?
  /// Frames that one fade may take; nil for as many as 30 a second allow.
  package var maximumFrames: Int?
  package var colors: ColorDepth
  /// Its user asked for no motion (`--no-motion`, `ACCESSIBLE=1`): every change is one repaint.
  package var reducesMotion: Bool

  package init(
    rows: Int? = nil, columns: Int? = nil, edge: VerticalEdge = .top,
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

  /// The monitor's own window, on no screen: the inset it reports to observers, and no frames between.
  package static let reference = WindowTraits(maximumFrames: 1)

  /// A tmux server: one line, and few frames, since each is sent to every client.
  package static func tmux(edge: VerticalEdge) -> WindowTraits {
    WindowTraits(edge: edge, maximumHeight: 1, maximumFrames: 6)
  }

  /// With a banner of so many rows.
  func inset(under height: Int) -> Inset {
    switch edge {
    case .top: Inset(top: height)
    case .bottom: Inset(bottom: height)
    }
  }
}

extension Appearance {
  /// Below this many rows a window shows compact banners only.
  package static let compactBelowRows = 16
  /// Rows that a banner must leave to the window's content: fewer, and there is no banner.
  package static let minimumContentRows = 4

  /// What of this appearance is shown in a window of that size, or nil for nothing (and then no inset either).
  ///
  /// Below ``compactBelowRows`` a banner is one row without a title inset. One that does not leave
  /// ``minimumContentRows`` is not shown. A width only matters where there is none; text that is too wide is cut when it
  /// is laid out.
  ///
  /// - Parameters:
  ///   - rows: the window's height; nil for a window in which any banner fits.
  ///   - columns: the window's width, or nil.
  ///   - maximumHeight: the tallest banner, in rows; nil for any.
  package func effective(rows: Int?, columns: Int?, maximumHeight: Int? = nil) -> Appearance? {
    var result = self
    let isCompact = rows.map { $0 < Self.compactBelowRows } ?? false
    result.height = max(1, isCompact ? 1 : min(height, maximumHeight ?? height))
    result.titleTopInset = isCompact ? 0 : min(max(0, titleTopInset), result.height - 1)
    if let rows, rows - Self.minimumContentRows < result.height { return nil }
    if let columns, columns < 1 { return nil }
    return result
  }

  func effective(in window: WindowTraits) -> Appearance? {
    effective(rows: window.rows, columns: window.columns, maximumHeight: window.maximumHeight)
  }
}
