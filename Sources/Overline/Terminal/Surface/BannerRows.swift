/// A frame of a banner as bytes, which print each row from its first column and fill the row.
///
/// The bytes assume the default pen, and leave another one.
package struct BannerRows: Equatable, Sendable {
  /// The rows from the top; their number is the banner's inset.
  public private(set) var rows: [[UInt8]] = []
  /// The number of columns up to the last printed one. A terminal that becomes narrower than this may break the rows.
  private(set) var printedColumns = 0

  /// No rows.
  package init() {}

  package init(_ frame: BannerFrame, columns: Int, colors: ColorDepth, usesASCII: Bool = false) {
    self.init(BannerLayout(frame, columns: columns, colors: colors, usesASCII: usesASCII).rows, colors: colors)
  }

  /// Encodes laid-out rows.
  package init(_ rows: [[BannerLayout.Run]], colors: ColorDepth) {
    self.rows = rows.map { Array(Self.encode($0, colors: colors).utf8) }
    for runs in rows {
      let columns = runs.dropLast().reduce(0) { $0 + $1.columns }
      let isFilled = runs.last?.style.isReversed == true
      printedColumns = max(printedColumns, isFilled ? columns + runs.last!.columns - 1 : columns)
    }
  }

  package var height: Int { rows.count }

  /// These rows, and below them those of a box that has rows of its own.
  package func appending(_ box: OverlayBox, colors: ColorDepth) -> BannerRows {
    var result = self
    for row in box.encoded(colors: colors) {
      var bytes = Array("\u{1b}[m\u{1b}[K".utf8)
      if box.column > 0 { bytes.appendCSI(box.column, final: UInt8(ascii: "C")) }
      result.rows.append(bytes + row)
    }
    return result
  }

  /// Trailing background is erased, not printed: a character in the last column would leave a wrap pending, and would
  /// reflow when the window changes its width.
  private static func encode(_ runs: [BannerLayout.Run], colors: ColorDepth) -> String {
    var text = ""
    for run in runs.dropLast() { text += run.style.controlSequence(colors: colors) + run.text }
    guard let last = runs.last else { return "\u{1b}[0m\u{1b}[K" }
    let style = last.style.controlSequence(colors: colors)
    // Erasing does not fill with reversed colours: print all but the last column.
    return last.style.isReversed ? text + style + last.text.dropLast() + "\u{1b}[0m\u{1b}[K" : text + style + "\u{1b}[K"
  }
}
