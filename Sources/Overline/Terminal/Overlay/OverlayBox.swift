/// A box over a program's screen: laid-out rows of styled text, and their place.
package struct OverlayBox: Hashable, Sendable {
  package typealias Run = BannerLayout.Run

  /// The first row and column that it covers, from 0.
  package var row: Int
  package var column: Int
  package var columns: Int
  /// The runs of each row fill the box's width exactly.
  package var rows: [[Run]]

  init(row: Int, column: Int, columns: Int, rows: [[Run]]) {
    self.row = row
    self.column = column
    self.columns = columns
    self.rows = rows
  }

  package var rowRange: Range<Int> { row..<row + rows.count }
  package var columnRange: Range<Int> { column..<column + columns }

  /// For each row the bytes that print it from the box's first column on. They work with any pen, and leave the pen as after a reset.
  package func encoded(colors: ColorDepth) -> [[UInt8]] {
    rows.map { runs in
      Array((runs.map { $0.style.controlSequence(colors: colors) + $0.text }.joined() + "\u{1b}[m").utf8)
    }
  }

  /// A row of the box's width with this text in its middle.
  static func centered(_ runs: [Run], columns: Int, _ background: TextStyle) -> [Run] {
    let left = max(0, columns - runs.reduce(0) { $0 + $1.columns })
    let both = [Run(String(repeating: " ", count: left / 2), background)] + runs
    return (both + [Run(String(repeating: " ", count: left - left / 2), background)]).filter { $0.columns > 0 }
  }
}

extension TextStyle {
  /// The style that fills a banner or box of this appearance; reversed in a terminal without colours.
  init(_ appearance: Appearance, colors: ColorDepth, attributes: TextAttributes = []) {
    let isMonochrome = colors == .monochrome
    self.init(
      textColor: isMonochrome ? nil : appearance.textColor,
      backgroundColor: isMonochrome ? nil : appearance.backgroundColor, attributes: attributes,
      isReversed: isMonochrome)
  }
}
