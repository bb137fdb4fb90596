/// An alert laid out for a screen: a box in the middle of the screen, with the buttons below the question.
package struct AlertLayout: Equatable, Sendable {
  /// The smallest screen that has room for an alert.
  package static let minimumRows = 3
  package static let minimumColumns = 12

  static let maximumTextWidth = 60
  /// The maximum number of rows of a message.
  static let messageRows = 8

  package let box: OverlayBox
  /// The cells of each button; nil for a button without room. The user can still press such a button by its digit, or move the focus to it.
  /// The button with the focus is always visible.
  package let buttons: [CellArea?]

  /// From the smallest size on, something is visible. With less room, the least important parts are left out first, and the buttons last.
  ///
  /// - Parameters:
  ///   - appearance: the alert's colours; the title comes from the alert.
  ///   - rows: the height of the screen below it.
  ///   - columns: the width.
  package init(
    _ frame: AlertFrame, appearance: BannerAppearance = .standard, rows: Int, columns: Int, colors: ColorDepth,
    usesASCII: Bool = false
  ) {
    let appearance = appearance.adapted(to: colors)
    let ellipsis = TerminalText.ellipsis(usesASCII: usesASCII)
    let room = max(1, min(columns - 4, Self.maximumTextWidth))
    let alert = frame.alert
    let focus = frame.focus

    let title = TerminalText.wrapped(
      TerminalText.printable(alert.title), toColumns: room, lines: max(1, min(3, rows - 1)), ellipsis: ellipsis)
    let allButtonRows = Self.buttonRows(alert.buttons, columns: room, ellipsis)
    let buttonRows = Self.around(focus, allButtonRows, rows: max(1, rows - title.count))
    // The message gets the remaining rows, then blank rows do.
    var left = rows - title.count - buttonRows.count
    let messageRows = max(0, min(Self.messageRows, left))
    func message(isFramed: Bool) -> [[BannerLayout.Run]] {
      let style = TextStyle(appearance, colors: colors, isFramed: isFramed)
      return alert.rows.isEmpty
        ? TerminalText.wrapped(
          TerminalText.printable(alert.message), toColumns: room, lines: messageRows, ellipsis: ellipsis
        ).map { [BannerLayout.Run($0, style)] }
        : ToastLayout.own(alert.rows, appearance, columns: room, rows: messageRows, colors, isFramed: isFramed)
    }
    let bare = message(isFramed: false)
    left -= bare.count
    let hasGap = left >= 1
    let hasAir = left >= 3
    let isRoomy = left >= 5

    let width = max(
      title.map(TerminalText.width).max() ?? 0, bare.map { $0.reduce(0) { $0 + $1.columns } }.max() ?? 0,
      allButtonRows.map { $0.last!.columns.upperBound }.max() ?? 0
    )
    let boxColumns = min(max(1, columns), width + 4)
    let isFramed = isRoomy && boxColumns + 2 <= columns
    let plain = TextStyle(appearance, colors: colors, isFramed: isFramed)
    let bold = TextStyle(appearance, colors: colors, attributes: .bold, isFramed: isFramed)
    let blank = [BannerLayout.Run(String(repeating: " ", count: boxColumns), plain)]
    func row(_ text: String, _ style: TextStyle) -> [BannerLayout.Run] {
      OverlayBox.centered([BannerLayout.Run(text, style)], columns: boxColumns, plain)
    }
    var content = hasAir ? [blank] : []
    content += title.map { row($0, bold) }
    content += message(isFramed: isFramed).map { OverlayBox.centered($0, columns: boxColumns, plain) }
    if hasGap { content.append(blank) }
    let firstButtonRow = content.count
    content += buttonRows.map { Self.row($0, focus: focus, columns: boxColumns, plain) }
    if hasAir { content.append(blank) }
    if isFramed { content = OverlayBox.framed(content, columns: boxColumns, plain, usesASCII: usesASCII) }

    let border = isFramed ? 1 : 0
    let top = max(0, (rows - content.count) / 2)
    let start0 = max(0, (columns - boxColumns) / 2 - border)
    box = OverlayBox(
      row: top, column: start0, columns: boxColumns + 2 * border, rows: Array(content.prefix(max(1, rows))))
    var buttons = [CellArea?](repeating: nil, count: alert.buttons.count)
    for (index, items) in buttonRows.enumerated() {
      let start = start0 + border + max(0, boxColumns - items.last!.columns.upperBound) / 2
      let row = top + border + firstButtonRow + index
      for item in items {
        buttons[item.index] = CellArea(
          rows: row..<row + 1, columns: start + item.columns.lowerBound..<start + item.columns.upperBound)
      }
    }
    self.buttons = buttons
  }

  private struct Item {
    var text: String
    var index: Int
    /// The columns within the row of buttons.
    var columns: Range<Int>
  }

  /// Places the buttons side by side, in as many rows as they need.
  private static func buttonRows(_ titles: [String], columns: Int, _ ellipsis: String) -> [[Item]] {
    var rows: [[Item]] = []
    for (index, title) in titles.enumerated() {
      let room = max(1, columns - 4)
      let text = "[ \(TerminalText.truncated(TerminalText.printable(title), toColumns: room, ellipsis: ellipsis)) ]"
      let width = TerminalText.width(of: text)
      if let last = rows.last?.last, last.columns.upperBound + 2 + width <= columns {
        let start = last.columns.upperBound + 2
        rows[rows.count - 1].append(Item(text: text, index: index, columns: start..<start + width))
      } else {
        rows.append([Item(text: text, index: index, columns: 0..<width)])
      }
    }
    return rows
  }

  /// The rows that fit: from the first one on, but always with the row of the focus.
  private static func around(_ focus: Int, _ rows: [[Item]], rows room: Int) -> ArraySlice<[Item]> {
    let last = rows.firstIndex { $0.contains { $0.index == focus } } ?? 0
    return rows.dropFirst(max(0, last + 1 - room)).prefix(room)
  }

  private static func row(
    _ items: [Item], focus: Int, columns: Int, _ plain: TextStyle
  ) -> [BannerLayout.Run] {
    var runs: [BannerLayout.Run] = []
    for item in items {
      if !runs.isEmpty { runs.append(BannerLayout.Run("  ", plain)) }
      var style = plain
      if item.index == focus {
        style.attributes = .bold
        style.isReversed.toggle()
      }
      runs.append(BannerLayout.Run(item.text, style))
    }
    return OverlayBox.centered(runs, columns: columns, plain)
  }
}
