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
    rewriter.surface.note(home)
    let banner = banner(height)
    let hasBoxes = bytes[0] & 4 != 0
    var isCovered = false
    var start = 3
    while start < bytes.count {
      var output: [UInt8] = []
      if schedule & 1 == 1, rewriter.readiness() == .ready {
        if rewriter.surface.isShown {
          rewriter.surface.hide(into: &output)
        } else {
          rewriter.surface.show(banner, into: &output)
        }
      }
      if schedule & 2 == 2, hasBoxes, rewriter.readiness() == .ready {
        let boxes = isCovered ? [] : boxes(rows: rewriter.surface.programRows)
        if rewriter.surface.canCover(boxes) {
          rewriter.surface.cover(boxes, colors: .truecolor, into: &output)
          isCovered.toggle()
        }
      }
      schedule = schedule >> 1 | schedule << 7
      // Not REP: where the banner was, it may repeat one of the banner's characters if the program has not printed one since.
      let read = bytes[start..<min(start + size, bytes.count)].map { $0 == UInt8(ascii: "b") ? UInt8(ascii: "a") : $0 }
      start += size
      if rewriter.isTransparent {
        rewriter.surface.note(read)
        output += read
      } else {
        rewriter.rewrite(read, into: &output)
        rewriter.finishBatch(into: &output)
      }
      terminal.write(output)
      rewriter.surface.settle()
      if rewriter.stream.parser.isGround, let difference = compare(rewriter.surface, terminal) { return difference }
    }
    return nil
  }

  private static func banner(_ height: Int) -> BannerRows {
    var appearance = BannerAppearance.offline
    appearance.height = max(1, height)
    return BannerRows(BannerFrame(appearance: appearance), columns: columns, colors: .truecolor)
  }

  /// A toast at each edge, laid out for a program's screen.
  private static func boxes(rows: Int) -> [OverlayBox] {
    [ToastEdge.top, .bottom].compactMap { edge in
      var machine = ToastMachine(window: WindowTraits(reducesMotion: true))
      let content = ToastContent(title: "Saved", message: "All of it.", edge: edge)
      _ = machine.handle(.toastPosted(content, id: ToastID(rawValue: 1)), at: .zero)
      let frame = machine.frame!
      return ToastLayout(frame, rows: rows, columns: columns, colors: .truecolor)?
        .box(frame, rows: rows, columns: columns)
    }
  }

  private static func compare(_ surface: borrowing TerminalSurface, _ terminal: borrowing Screen) -> String? {
    // Inside a control string, and while the banner is lifted or the cursor's place is unknown, the screens may differ.
    guard !surface.isLifted, surface.screen.isRowKnown, surface.screen.isColumnKnown, terminal.isRowKnown,
      terminal.isColumnKnown, surface.screen.isGround, terminal.isGround,
      surface.screen.columns == columns, terminal.columns == columns
    else { return nil }
    let offset = surface.placement.offset
    for row in 0..<surface.screen.rows where surface.screen.isKnown(row: row) && terminal.isKnown(row: row + offset) {
      for column in 0..<columns where !surface.isCovered(row: row, column: column) {
        let ours = surface.screen.cell(row: row, column: column)
        let theirs = terminal.cell(row: row + offset, column: column)
        if seen(ours) != seen(theirs) { return "row \(row) column \(column) is \(theirs), not \(ours)" }
      }
    }
    let cursor = surface.screen.cursor
    let found = terminal.cursor
    if (cursor.row + offset, cursor.column, cursor.isWrapPending) != (found.row, found.column, found.isWrapPending) {
      return "the cursor is \(found), not \(cursor) below \(offset)"
    }
    if surface.screen.pen != terminal.pen { return "the pen is \(terminal.pen), not \(surface.screen.pen)" }
    var margins = surface.screen.margins
    // Below a banner the terminal has margins only for a program with margins.
    margins.top += surface.isUnrestricted ? 0 : offset
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

extension TerminalSurface {
  fileprivate func isCovered(row: Int, column: Int) -> Bool {
    // A wide character is cut where a box begins or ends.
    overlays.covering.contains {
      $0.rowRange.contains(row) && ($0.columns.lowerBound - 1...$0.columns.upperBound).contains(column)
    }
  }
}
