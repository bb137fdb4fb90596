/// A toast laid out for a screen: centred text in a box that keeps its distance from the sides.
package struct ToastLayout: Hashable, Sendable {
  /// Columns that stay free at each side.
  static let margin = 2
  /// The smallest screen that shows a toast: a column of text between two of background and the margins.
  package static let minimumRows = Appearance.minimumContentRows + 1
  package static let minimumColumns = 2 * margin + 3
  /// The widest text: longer lines are hard to read at a glance.
  static let widestText = 72
  /// The maximum number of rows of a message.
  package static let messageRows = 3
  /// The maximum number of rows of a toast's custom content.
  package static let contentRows = 8

  /// Every row of the toast, including those still beyond the edge.
  package let rows: [[BannerLayout.Run]]
  package let columns: Int

  /// Nil without room: like a banner, a toast leaves ``Appearance/minimumContentRows`` to the window's content. In a low window it shows no
  /// message.
  ///
  /// - Parameters:
  ///   - windowRows: the height of the screen below it.
  ///   - windowColumns: the width.
  package init?(
    _ frame: ToastFrame, rows windowRows: Int, columns windowColumns: Int, colors: ColorDepth, usesASCII: Bool = false
  ) {
    let room = windowColumns - 2 * Self.margin - 2
    let height = windowRows - Appearance.minimumContentRows
    guard windowRows >= Self.minimumRows, windowColumns >= Self.minimumColumns else { return nil }
    let content =
      frame.content.rows.isEmpty
      ? Self.words(frame, columns: min(room, Self.widestText), rows: height, colors, usesASCII)
      : Self.own(
        frame.content.rows, frame.appearance, columns: room, rows: min(height, Self.contentRows), colors)
    let background = TextStyle(frame.appearance, colors: colors)
    let width = content.map { $0.reduce(0) { $0 + $1.columns } }.max() ?? 0
    columns = width + 2
    rows = content.map { [columns] in OverlayBox.centered($0, columns: columns, background) }
  }

  private static func words(
    _ frame: ToastFrame, columns: Int, rows: Int, _ colors: ColorDepth, _ usesASCII: Bool
  ) -> [[BannerLayout.Run]] {
    let appearance = frame.appearance
    let ellipsis = TerminalText.ellipsis(usesASCII: usesASCII)
    let title = TerminalText.truncated(
      appearance.titleText(usesASCII: usesASCII), toColumns: columns, ellipsis: ellipsis)
    let message = TerminalText.wrapped(
      TerminalText.printable(frame.content.message), toColumns: columns, lines: min(messageRows, rows - 1),
      ellipsis: ellipsis)
    return [[BannerLayout.Run(title, TextStyle(appearance, colors: colors, attributes: appearance.attributes))]]
      + message.map { [BannerLayout.Run($0, TextStyle(appearance, colors: colors))] }
  }

  /// Custom rows, cut to their room.
  static func own(
    _ content: [[StyledText]], _ appearance: Appearance, columns: Int, rows: Int, _ colors: ColorDepth
  ) -> [[BannerLayout.Run]] {
    content.prefix(rows).map { row in
      var left = columns
      return row.compactMap { text -> BannerLayout.Run? in
        let cut = TerminalText.prefix(of: TerminalText.printable(text.text), columns: left)
        var style = TextStyle(appearance, colors: colors, attributes: text.attributes)
        if colors != .monochrome {
          style.textColor = text.textColor ?? style.textColor
          style.backgroundColor = text.backgroundColor ?? style.backgroundColor
        }
        let run = BannerLayout.Run(cut, style)
        left -= run.columns
        return run.columns > 0 ? run : nil
      }
    }
  }

  /// The part of the toast that is visible now, at its edge of a screen.
  ///
  /// - Parameters: the screen's rows and columns.
  package func box(_ frame: ToastFrame, rows screenRows: Int, columns screenColumns: Int) -> OverlayBox {
    let count = frame.visibleRows(of: rows.count)
    let column = max(0, (screenColumns - columns) / 2)
    switch frame.content.edge {
    case .top: return OverlayBox(row: 0, column: column, columns: columns, rows: Array(rows.suffix(count)))
    case .bottom:
      return OverlayBox(row: screenRows - count, column: column, columns: columns, rows: Array(rows.prefix(count)))
    }
  }
}
