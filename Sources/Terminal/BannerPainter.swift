public import Banner

/// Paints banners over the first rows of a terminal that is this program's alone, as `overline demo` does. Windows around other
/// programs, whose cursor and modes are not ours to save, paint for themselves.
public struct BannerPainter: Hashable, Sendable {
  public var columns: Int
  public var colors: ColorDepth
  public var usesASCII: Bool

  public init(columns: Int, colors: ColorDepth, usesASCII: Bool = false) {
    self.columns = columns
    self.colors = colors
    self.usesASCII = usesASCII
  }

  /// The bytes that show a frame in rows 1 to the banner's height, and leave the cursor and its attributes as they were.
  public func paint(_ frame: BannerFrame) -> [UInt8] {
    let layout = BannerLayout(frame, columns: columns, colors: colors, usesASCII: usesASCII)
    return inPlace(layout.rows.map(encode))
  }

  /// The bytes that blank the first `rows` rows.
  public func erase(rows: Int) -> [UInt8] {
    inPlace(Array(repeating: encode([]), count: max(0, rows)))
  }

  /// DECSC also saves attributes and origin mode; rows are then counted from the screen's first one. Inside a synchronized
  /// update (mode 2026, ignored where it is unknown) nobody sees half of it.
  private func inPlace(_ rows: [String]) -> [UInt8] {
    var text = "\u{1b}[?2026h\u{1b}7\u{1b}[?6l"
    for (index, row) in rows.enumerated() { text += "\u{1b}[\(index + 1);1H" + row }
    return Array((text + "\u{1b}8\u{1b}[?2026l").utf8)
  }

  /// Trailing background is erased, not printed: a character in the last column would leave a wrap pending, and would
  /// reflow when the window changes its width.
  private func encode(_ runs: [BannerLayout.Run]) -> String {
    var text = ""
    var style = TextStyle()
    for run in runs.dropLast() {
      text += run.style.controlSequence(colors: colors) + run.text
    }
    if let last = runs.last {
      style = last.style
      if last.style.isReversed {
        // Erasing does not fill with reversed colours: print all but the last column.
        return text + style.controlSequence(colors: colors) + last.text.dropLast() + "\u{1b}[0m\u{1b}[K"
      }
    }
    return text + style.controlSequence(colors: colors) + "\u{1b}[K"
  }
}
