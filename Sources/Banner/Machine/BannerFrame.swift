/// What a banner looks like at one moment of its life: the appearance, which a fade may be changing, and the cause beside it.
public struct BannerFrame: Hashable, Sendable {
  public var appearance: Appearance
  /// The cause in few words, dimmed after the title where the width allows: `eth0 has no carrier`. Empty for none.
  public var detail: String
  /// Rows of the banner still beyond the window's edge while it slides; they leave as many rows of the inset blank.
  public var hiddenRows: Int

  public init(appearance: Appearance, detail: String = "", hiddenRows: Int = 0) {
    self.appearance = appearance
    self.detail = detail
    self.hiddenRows = hiddenRows
  }

  /// For screen readers and observers, in one line: `No connection: eth0 has no carrier`.
  public var announcement: String { detail.isEmpty ? appearance.title : "\(appearance.title): \(detail)" }
}

/// Rows that a window's content must leave free at its edges.
public struct Inset: Hashable, Sendable {
  /// Rows at the upper edge.
  public var top: Int
  /// Rows at the lower edge.
  public var bottom: Int

  /// So many rows at each edge.
  public init(top: Int = 0, bottom: Int = 0) {
    self.top = top
    self.bottom = bottom
  }
}

/// Where a banner is in its life. The raw values are what observers read.
public enum BannerPhaseName: String, Hashable, Sendable, CaseIterable {
  case hidden
  case grace
  case presented
  case restored
}
