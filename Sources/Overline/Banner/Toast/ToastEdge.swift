/// The edge from which a toast enters, and to which it leaves. An inline window shows all toasts above its last row.
public enum ToastEdge: String, Hashable, Sendable, CaseIterable {
  /// The upper edge.
  case top
  /// The lower edge.
  case bottom
}
