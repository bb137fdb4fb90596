/// A toast laid out for a screen: centred text in a box that keeps its distance from the sides. Where the screen has room, the box has a frame
/// and more space around the text.
package struct ToastLayout: Equatable, Sendable {
  /// Columns that stay free at each side.
  static let margin = 2
  /// The smallest screen that shows a toast: a column of text between two of background and the margins.
  package static let minimumRows = BannerAppearance.minimumContentRows + 1
  package static let minimumColumns = 2 * margin + 3
  /// The widest text: longer lines are hard to read at a glance.
  static let maximumTextWidth = 72
  /// The maximum number of rows of a message.
  package static let messageRows = 3
  /// The columns of space at each side of the text in a frame.
  static let padding = 2
  /// With fewer columns for its text, a toast has no frame.
  static let minimumFramedText = 16
  /// The maximum number of rows of a toast's custom content.
  package static let contentRows = 8

  /// Every row of the toast, including those still beyond the edge.
  package let rows: [[BannerLayout.Run]]
  package let columns: Int

  /// Nil without room: like a banner, a toast leaves ``BannerAppearance/minimumContentRows`` to the window's content. In a low window it shows no
  /// message.
  ///
  /// - Parameters:
  ///   - windowRows: the height of the screen below it.
  ///   - windowColumns: the width.
  ///   - mayBeFramed: false for a toast in rows of its own: a frame would take two more from the program.
  package init?(
    _ frame: ToastFrame, rows windowRows: Int, columns windowColumns: Int, colors: ColorDepth, usesASCII: Bool = false,
    mayBeFramed: Bool = true
  ) {
    let room = windowColumns - 2 * Self.margin - 2
    let height = windowRows - BannerAppearance.minimumContentRows
    guard windowRows >= Self.minimumRows, windowColumns >= Self.minimumColumns else { return nil }
    /// The rows of the text, and the widest of them.
    func text(columns: Int, isFramed: Bool) -> (rows: [[BannerLayout.Run]], width: Int) {
      let content =
        frame.content.rows.isEmpty
        ? Self.words(frame, columns: min(columns, Self.maximumTextWidth), rows: height, colors, usesASCII, isFramed)
        : Self.own(
          frame.content.rows, frame.appearance, columns: columns, rows: min(height, Self.contentRows), colors,
          isFramed: isFramed)
      return (content, content.map { $0.reduce(0) { $0 + $1.columns } }.max() ?? 0)
    }
    let framedRoom = room - 2 * Self.padding
    var framed: (rows: [[BannerLayout.Run]], width: Int)?
    if mayBeFramed, framedRoom >= Self.minimumFramedText { framed = text(columns: framedRoom, isFramed: true) }
    if let framed, framed.rows.count + 2 <= height {
      let background = TextStyle(frame.appearance, colors: colors, isFramed: true)
      let inner = framed.width + 2 * Self.padding
      columns = inner + 2
      rows = OverlayBox.framed(
        framed.rows.map { OverlayBox.centered($0, columns: inner, background) }, columns: inner, background,
        usesASCII: usesASCII)
    } else {
      let bare = text(columns: room, isFramed: false)
      let background = TextStyle(frame.appearance, colors: colors)
      columns = bare.width + 2
      rows = bare.rows.map { [columns] in OverlayBox.centered($0, columns: columns, background) }
    }
  }

  private static func words(
    _ frame: ToastFrame, columns: Int, rows: Int, _ colors: ColorDepth, _ usesASCII: Bool, _ isFramed: Bool
  ) -> [[BannerLayout.Run]] {
    let appearance = frame.appearance
    let ellipsis = TerminalText.ellipsis(usesASCII: usesASCII)
    let title = TerminalText.truncated(
      appearance.titleText(usesASCII: usesASCII), toColumns: columns, ellipsis: ellipsis)
    let message = TerminalText.wrapped(
      TerminalText.printable(frame.content.message ?? ""), toColumns: columns, lines: min(messageRows, rows - 1),
      ellipsis: ellipsis)
    let bold = TextStyle(appearance, colors: colors, attributes: appearance.attributes, isFramed: isFramed)
    let plain = TextStyle(appearance, colors: colors, isFramed: isFramed)
    return [[BannerLayout.Run(title, bold)]] + message.map { [BannerLayout.Run($0, plain)] }
  }

  /// Custom rows, cut to their room.
  static func own(
    _ content: [[StyledText]], _ appearance: BannerAppearance, columns: Int, rows: Int, _ colors: ColorDepth,
    isFramed: Bool
  ) -> [[BannerLayout.Run]] {
    content.prefix(rows).map { row in
      var left = columns
      return row.compactMap { text -> BannerLayout.Run? in
        let cut = TerminalText.prefix(of: TerminalText.printable(text.text), columns: left)
        var style = TextStyle(appearance, colors: colors, attributes: text.attributes, isFramed: isFramed)
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
