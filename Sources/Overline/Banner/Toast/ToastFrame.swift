/// What a toast looks like at one moment of its life.
package struct ToastFrame: Hashable, Sendable {
  package var content: ToastContent
  /// The style's colours and icon as they are at this moment, and the title.
  package var appearance: Appearance
  /// How much of it has come out of its edge: 0…1.
  package var visibility: Double
  /// Rows that it has been dragged towards its edge.
  package var draggedRows: Int

  init(content: ToastContent, appearance: Appearance, visibility: Double = 1, draggedRows: Int = 0) {
    self.content = content
    self.appearance = appearance
    self.visibility = visibility
    self.draggedRows = draggedRows
    self.appearance.title = content.title
  }

  /// How many of its rows show, at least one.
  ///
  /// - Parameter height: the rows it has.
  package func visibleRows(of height: Int) -> Int {
    let out = Int((visibility * Double(height)).rounded(.up))
    return min(height, max(1, min(out, height - draggedRows)))
  }

  /// Where it is when it neither moves nor is moved.
  package mutating func rest() {
    visibility = 1
    draggedRows = 0
  }

  /// This moment with the background part of the way to where a toast comes from and goes to: away from the text's colour, so that on
  /// the way there is more contrast than at rest, never less.
  func faded(to opacity: Double) -> ToastFrame {
    guard opacity < 1 else { return self }
    var frame = self
    frame.appearance.backgroundColor = appearance.departedBackground(1 - opacity)
    return frame
  }
}
