/// Rows that a window's content must leave free at its edges.
public struct Inset: Hashable, Sendable {
  /// Rows at the upper edge.
  public var top: Int
  /// Rows at the lower edge.
  public var bottom: Int

  /// Creates an inset of `top` and `bottom` rows.
  public init(top: Int = 0, bottom: Int = 0) {
    self.top = top
    self.bottom = bottom
  }
}
