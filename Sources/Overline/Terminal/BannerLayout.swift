/// A frame of a banner, laid out for a width: rows of styled text.
package struct BannerLayout: Equatable, Sendable {
  /// Text of one style.
  package struct Run: Equatable, Sendable {
    package var text: String
    package var style: TextStyle
    /// The number of columns that the text occupies.
    package var columns: Int

    init(_ text: String, _ style: TextStyle) {
      self.text = text
      self.style = style
      columns = TerminalText.width(of: text)
    }
  }

  /// The runs of each row of the banner's inset, from the top. They fill the width exactly. A row without runs is blank, while the banner
  /// slides.
  package let rows: [[Run]]

  /// - Parameters:
  ///   - columns: the window's width.
  ///   - usesASCII: true for ASCII characters only, except those of title and detail.
  package init(_ frame: BannerFrame, columns: Int, colors: ColorDepth, usesASCII: Bool = false) {
    let columns = max(0, columns)
    let appearance = frame.appearance.adapted(to: colors)
    let background = TextStyle(appearance, colors: colors)
    var style = background
    style.attributes = appearance.attributes
    let text = BannerText(frame.with(appearance), columns: columns, usesASCII: usesASCII)

    var runs = [Run(text.title, style)]
    if !text.detail.isEmpty {
      style.attributes.subtract([.bold, .underline])
      if colors != .monochrome { style.textColor = appearance.dimmedTextColor(on: colors) }
      runs.append(Run(text.detail, style))
    }
    let left = columns - runs.reduce(0) { $0 + $1.columns }
    runs.insert(Run(String(repeating: " ", count: left / 2), background), at: 0)
    runs.append(Run(String(repeating: " ", count: left - left / 2), background))
    runs.removeAll { $0.columns == 0 }

    let empty = columns > 0 ? [Run(String(repeating: " ", count: columns), background)] : []
    let full = (0..<appearance.height).map { $0 == appearance.titleTopInset ? runs : empty }
    let hidden = min(max(0, frame.hiddenRows), appearance.height)
    rows = full.dropFirst(hidden) + Array(repeating: [], count: hidden)
  }
}

/// The words of a banner for a width, safe to print: the title with its icon, and the cause where there is room for it.
package struct BannerText: Equatable, Sendable {
  package let title: String
  /// The cause, with the mark between title and cause; without its addition in parentheses when there is no room for that, and empty when
  /// there is no cause or no room for it.
  package let detail: String

  /// Title and detail as one line.
  package var line: String { title + detail }

  /// - Parameter columns: the window's width; nil for no limit. One column at each side stays free: text in the last column could make a
  ///   terminal wrap.
  package init(_ frame: BannerFrame, columns: Int? = nil, usesASCII: Bool = false) {
    let whole = frame.appearance.titleText(usesASCII: usesASCII)
    let cause = TerminalText.printable(frame.detail)
    let wholeDetail = cause.isEmpty ? "" : (usesASCII ? " - " : " · ") + cause
    guard let columns else {
      title = whole
      detail = wholeDetail
      return
    }
    let room = max(0, columns - 2)
    title = TerminalText.truncated(whole, toColumns: room, ellipsis: TerminalText.ellipsis(usesASCII: usesASCII))
    // The addition in parentheses goes first: `the router 192.0.2.1 does not answer (last heard 43 s ago)`
    detail = [wholeDetail, wholeDetail.withoutAddition].first { TerminalText.width(of: whole + $0) <= room } ?? ""
  }
}

extension BannerAppearance {
  /// The title with its icon, safe to print.
  func titleText(usesASCII: Bool) -> String {
    (icon.map { (usesASCII ? $0.ascii : $0.glyph) + " " } ?? "") + TerminalText.printable(title)
  }
}

extension String {
  /// The text without words in parentheses at its end.
  fileprivate var withoutAddition: String {
    guard hasSuffix(")"), let start = lastIndex(of: "(") else { return self }
    let text = self[..<start]
    return String(text.hasSuffix(" ") ? text.dropLast() : text)
  }
}

extension BannerFrame {
  fileprivate func with(_ appearance: BannerAppearance) -> BannerFrame {
    BannerFrame(appearance: appearance, detail: detail, hiddenRows: hiddenRows)
  }
}
