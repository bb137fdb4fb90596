/// A window's panes, as `list-windows` prints them.
package struct TmuxWindowState: Equatable, Sendable {
  /// `@5`
  var id: String
  /// `#{window_layout}`; for a zoomed window, the layout without the zoom.
  var layout: String
  /// `#{pane-border-status}`: a border with a title takes one row from the panes at that edge.
  var border = "off"
  var isZoomed = false

  /// The window with its saved layout, if its panes are exactly as tmux leaves them after taking our lines' rows. Otherwise the window
  /// stays as it is: the user has split, resized or closed a pane, or the window was not on screen and never shrank.
  func undoing(_ saved: String?) -> TmuxWindowState {
    guard let saved, saved != layout, let original = WindowLayout(saved), let now = WindowLayout(layout),
      original.squeezed(border: border).contains(where: { $0.root == now.root })
    else { return self }
    var result = self
    result.layout = saved
    return result
  }
}
