/// The rows that a window's content must leave free at its edges, like UIKit's `UIEdgeInsets`.
public struct TerminalInsets: Hashable, Sendable {
  /// Rows at the upper edge.
  public var top: Int
  /// Rows at the lower edge.
  public var bottom: Int

  /// Creates insets of `top` and `bottom` rows.
  public init(top: Int = 0, bottom: Int = 0) {
    self.top = top
    self.bottom = bottom
  }
}
