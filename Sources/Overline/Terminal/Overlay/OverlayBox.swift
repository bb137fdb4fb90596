/// A box over a program's screen: laid-out rows of styled text, and their place.
package struct OverlayBox: Equatable, Sendable {
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

  /// The same rows with a frame around them: two columns wider, two rows higher.
  static func framed(_ rows: [[Run]], columns: Int, _ style: TextStyle, usesASCII: Bool) -> [[Run]] {
    let line = String(repeating: usesASCII ? "-" : "─", count: columns)
    let side = Run(usesASCII ? "|" : "│", style)
    return [[Run(usesASCII ? "+\(line)+" : "╭\(line)╮", style)]] + rows.map { [side] + $0 + [side] }
      + [[Run(usesASCII ? "+\(line)+" : "╰\(line)╯", style)]]
  }

  /// A row of the box's width with this text in its middle.
  static func centered(_ runs: [Run], columns: Int, _ background: TextStyle) -> [Run] {
    let left = max(0, columns - runs.reduce(0) { $0 + $1.columns })
    let both = [Run(String(repeating: " ", count: left / 2), background)] + runs
    return (both + [Run(String(repeating: " ", count: left - left / 2), background)]).filter { $0.columns > 0 }
  }
}

extension TextStyle {
  /// The style that fills a banner or box of this appearance; in a terminal without colours reversed, unless a frame sets the box off.
  init(_ appearance: BannerAppearance, colors: ColorDepth, attributes: TextAttributes = [], isFramed: Bool = false) {
    let isMonochrome = colors == .monochrome
    self.init(
      textColor: isMonochrome ? nil : appearance.textColor,
      backgroundColor: isMonochrome ? nil : appearance.backgroundColor, attributes: attributes,
      isReversed: isMonochrome && !isFramed)
  }
}
