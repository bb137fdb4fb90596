/// A toast at one moment.
package struct ToastFrame: Equatable, Sendable {
  package var content: ToastContent
  /// The title, with the style's colours and icon at this moment.
  package var appearance: BannerAppearance
  /// The visible fraction of the toast, from its edge: 0…1.
  package var visibility: Double
  /// The rows by which the toast was dragged towards its edge.
  package var draggedRows: Int

  init(content: ToastContent, appearance: BannerAppearance, visibility: Double = 1, draggedRows: Int = 0) {
    self.content = content
    self.appearance = appearance
    self.visibility = visibility
    self.draggedRows = draggedRows
    self.appearance.title = content.title
  }

  /// The number of visible rows, at least one.
  ///
  /// - Parameter height: the toast's number of rows.
  package func visibleRows(of height: Int) -> Int {
    let out = Int((visibility * Double(height)).rounded(.up))
    return min(height, max(1, min(out, height - draggedRows)))
  }

  /// Moves it to its resting position.
  package mutating func rest() {
    visibility = 1
    draggedRows = 0
  }

  /// This frame with its background moved part of the way to the look before entering and after leaving. The background moves away from the
  /// text's colour, so that contrast during the motion is higher than at rest, never lower.
  func faded(to opacity: Double) -> ToastFrame {
    guard opacity < 1 else { return self }
    var frame = self
    frame.appearance.backgroundColor = appearance.departedBackground(1 - opacity)
    return frame
  }
}
