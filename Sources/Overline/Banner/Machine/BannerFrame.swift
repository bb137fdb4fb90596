/// A banner at one moment: the appearance, which a fade may be changing, and the cause beside it.
package struct BannerFrame: Equatable, Sendable {
  package var appearance: BannerAppearance
  /// The cause in few words, dimmed after the title where the width allows: `eth0 has no carrier`. Empty for none.
  package var detail: String
  /// The number of the banner's rows that are still beyond the window's edge while it slides. The same number of the inset's rows is blank.
  package var hiddenRows: Int

  package init(appearance: BannerAppearance, detail: String = "", hiddenRows: Int = 0) {
    self.appearance = appearance
    self.detail = detail
    self.hiddenRows = hiddenRows
  }

  /// For screen readers and observers, in one line: `No connection: eth0 has no carrier`.
  package var announcement: String { detail.isEmpty ? appearance.title : "\(appearance.title): \(detail)" }
}

/// The phase of a banner. Observers read the raw values.
package enum BannerPhaseName: String, Equatable, Sendable, CaseIterable {
  case hidden
  case grace
  case presented
  case restored
}
