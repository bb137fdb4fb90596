@testable import Overline

/// The first bytes set the banner's height, when it and boxes over the program's screen come and go, and how the stream is
/// cut; the rest is a program's output.
///
/// The terminal is a second grid: below the banner and beside the boxes it must show the content of the first one, the program's.
enum OutputTarget {
  private static let rows = 12
  private static let columns = 24

  static func run(_ bytes: [UInt8]) {
    if let difference = difference(bytes) { fatalError(difference) }
  }

  /// The error on the terminal, at the end or on the way; nil if there is none.
  static func difference(_ bytes: [UInt8]) -> String? {
    guard bytes.count > 3 else { return nil }
    let height = Int(bytes[0] & 3)
    let size = Int(bytes[1] & 63) + 1
    var schedule = bytes[2]
    var rewriter = OutputRewriter(rows: rows, columns: columns)
    var terminal = Screen(rows: rows, columns: columns, isKnown: true)
    let home = Array("\u{1b}[H\u{1b}[2J".utf8)
    terminal.write(home)
    rewriter.note(home)
    let banner = banner(height)
    let hasBoxes = bytes[0] & 4 != 0
    var isCovered = false
    var start = 3
    while start < bytes.count {
      var output: [UInt8] = []
      if schedule & 1 == 1, rewriter.readiness() == .ready {
        if rewriter.isShown { rewriter.hide(into: &output) } else { rewriter.show(banner, into: &output) }
      }
      if schedule & 2 == 2, hasBoxes, rewriter.readiness() == .ready {
        let boxes = isCovered ? [] : boxes(rows: rewriter.programRows)
        if rewriter.canCover(boxes) {
          rewriter.cover(boxes, colors: .truecolor, into: &output)
          isCovered.toggle()
        }
      }
      schedule = schedule >> 1 | schedule << 7
      // Not REP: where the banner was, it may repeat one of the banner's characters if the program has not printed one since.
      let read = bytes[start..<min(start + size, bytes.count)].map { $0 == UInt8(ascii: "b") ? UInt8(ascii: "a") : $0 }
      start += size
      if rewriter.isTransparent {
        rewriter.note(read)
        output += read
      } else {
        rewriter.rewrite(read, into: &output)
        rewriter.finishBatch(into: &output)
      }
      terminal.write(output)
      rewriter.settle()
      if let difference = compare(rewriter, terminal) { return difference }
    }
    return nil
  }

  private static func banner(_ height: Int) -> BannerRows {
    var appearance = Appearance.offline
    appearance.height = max(1, height)
    return BannerRows(BannerFrame(appearance: appearance), columns: columns, colors: .truecolor)
  }

  /// A toast at each edge, laid out for a program's screen.
  private static func boxes(rows: Int) -> [OverlayBox] {
    [VerticalEdge.top, .bottom].compactMap { edge in
      var machine = ToastMachine(window: WindowTraits(reducesMotion: true))
      let content = ToastContent(title: "Saved", message: "All of it.", edge: edge)
      _ = machine.handle(.toastPosted(content, id: ToastID(rawValue: 1)), at: .zero)
      let frame = machine.frame!
      return ToastLayout(frame, rows: rows, columns: columns, colors: .truecolor)?
        .box(frame, rows: rows, columns: columns)
    }
  }

  private static func compare(_ rewriter: borrowing OutputRewriter, _ terminal: borrowing Screen) -> String? {
    // Inside a control string, and while the banner is lifted or the cursor's place is unknown, the screens may differ.
    guard !rewriter.isLifted, rewriter.screen.isRowKnown, rewriter.screen.isColumnKnown, terminal.isRowKnown,
      terminal.isColumnKnown, rewriter.stream.parser.isGround, rewriter.screen.isGround, terminal.isGround,
      rewriter.screen.columns == columns, terminal.columns == columns
    else { return nil }
    let offset = rewriter.placement.offset
    for row in 0..<rewriter.screen.rows where rewriter.screen.isKnown(row: row) && terminal.isKnown(row: row + offset) {
      for column in 0..<columns where !rewriter.isCovered(row: row, column: column) {
        let ours = rewriter.screen.cell(row: row, column: column)
        let theirs = terminal.cell(row: row + offset, column: column)
        if seen(ours) != seen(theirs) { return "row \(row) column \(column) is \(theirs), not \(ours)" }
      }
    }
    let cursor = rewriter.screen.cursor
    let found = terminal.cursor
    if (cursor.row + offset, cursor.column, cursor.isWrapPending) != (found.row, found.column, found.isWrapPending) {
      return "the cursor is \(found), not \(cursor) below \(offset)"
    }
    if rewriter.screen.pen != terminal.pen { return "the pen is \(terminal.pen), not \(rewriter.screen.pen)" }
    var margins = rewriter.screen.margins
    // Below a banner the terminal has margins only for a program with margins.
    margins.top += rewriter.isUnrestricted ? 0 : offset
    margins.bottom += offset
    if margins != terminal.margins { return "the margins are \(terminal.margins), not \(margins)" }
    return nil
  }

  /// A blank without its invisible attributes.
  private static func seen(_ cell: ScreenCell) -> ScreenCell {
    guard cell.text.isEmpty || cell.text == " ", cell.width == 1 else { return cell }
    var cell = cell
    cell.text = ""
    cell.style.foreground = .standard
    cell.style.attributes.subtract([.bold, .faint, .italic, .protected])
    return cell
  }
}

extension OutputRewriter {
  fileprivate func isCovered(row: Int, column: Int) -> Bool {
    // A wide character is cut where a box begins or ends.
    overlays.covering.contains {
      $0.rowRange.contains(row) && ($0.columns.lowerBound - 1...$0.columns.upperBound).contains(column)
    }
  }
}
