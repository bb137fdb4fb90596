/// An edge of a window.
public enum VerticalEdge: String, Hashable, Sendable, CaseIterable {
  /// The upper edge.
  case top
  /// The lower edge.
  case bottom
}
