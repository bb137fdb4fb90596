/// Boxes over the program's screen: toasts and alerts.
///
/// As with the banner, the terminal never scrolls or erases one: before anything of the program passes, what they cover is printed
/// again, and at the end of the batch they are painted anew. A terminal with synchronized updates hides that.
extension OutputRewriter {
  // MARK: For the window

  /// Whether boxes can stand over the screen: it is known what is below them. Rows count from the program's first.
  package mutating func canCover(_ boxes: [OverlayBox]) -> Bool {
    settle()
    return boxes.allSatisfy { isKnown($0.rowRange) }
  }

  /// Puts these boxes in place of those that stand over the screen, the backmost first; only when ``readiness()`` says so. While output
  /// passes, and until it is known what is below them, they wait for a ``finishBatch(into:)``.
  package mutating func cover(_ boxes: [OverlayBox], colors: ColorDepth, into result: inout [UInt8]) {
    swap(&output, &result)
    defer { swap(&output, &result) }
    settle()
    let isAway = isLifted
    overlays.wanted = boxes.map { Overlay($0, colors: colors) }
    if isAway { return }
    if overlays.wanted.allSatisfy({ isKnown($0.rowRange) }) { paintOverlays() } else { uncover() }
    endUpdate()
  }

  /// The boxes are away: for the time of a batch, or since what is below them is not known any more.
  package var isUncovered: Bool { overlays.isAway }

  /// Whether bytes may pass as they are, and be noted, while boxes are away. A full-screen program draws little, and would be lost without
  /// its erasing.
  mutating func passesFlood(_ count: Int) -> Bool {
    let mayBegin = hasNoBanner && !screen.isAlternate && stream.isComplete && screen.isGround
    return overlays.isFlooded(by: count, mayBegin: mayBegin)
  }

  // MARK: Coming and going

  private func isKnown(_ rows: Range<Int>) -> Bool {
    rows.lowerBound >= 0 && rows.upperBound <= screen.rows && rows.allSatisfy { screen.isKnown(row: $0) }
  }

  /// At the end of a batch. What cannot stand over the screen any longer stays away; the window finds another place for it.
  mutating func coverIfPossible() {
    // Where it is unknown the cursor could not be put back.
    guard screen.isCursorKnown, overlays.wanted.allSatisfy({ isKnown($0.rowRange) }) else { return }
    paintOverlays()
  }

  /// From the boxes that are there to those that should be: what is uncovered is printed again.
  private mutating func paintOverlays() {
    guard !overlays.isEmpty else { return }
    beginPainting()
    restoreCells(notBelow: overlays.wanted)
    for overlay in overlays.wanted {
      for (index, bytes) in overlay.rows.enumerated() {
        moveCursor(toRow: overlay.row + index, column: overlay.columns.lowerBound)
        output += bytes
      }
    }
    overlays.cover()
    endPainting()
  }

  /// Before anything else is written.
  mutating func uncover() {
    guard !overlays.covering.isEmpty else { return }
    beginPainting()
    restoreCells(notBelow: [])
    overlays.uncover()
    endPainting()
  }

  /// The terminal has another size, and has moved everything down by so many rows. Where it may have wrapped text anew, the
  /// places are unknown, and what the boxes covered stays as it is.
  ///
  /// - Parameter distance: nil where the terminal did not report it.
  mutating func uncover(movedBy distance: Int?, rows newRows: Int, columns newColumns: Int) {
    if !overlays.covering.isEmpty, let distance, !mayBeReflowed(movedBy: distance, rows: newRows, columns: newColumns) {
      beginPainting()
      for old in overlays.covering {
        // The terminal may be lower than the banner now.
        for row in old.rowRange where row + distance >= 0 && row + distance < newRows - placement.offset {
          printCells(row, old.columns.clamped(to: 0..<min(columns, newColumns)), at: row + distance)
        }
      }
      endPainting(movedBy: distance)
    }
    overlays.uncover()
  }

  /// Whether a terminal that wraps its text anew, as some do on their primary screens, could have changed anything: longer lines below a
  /// box push what is under it up, once the screen is full.
  private func mayBeReflowed(movedBy distance: Int, rows newRows: Int, columns newColumns: Int) -> Bool {
    guard newColumns != columns, !screen.isAlternate else { return false }
    let last = max(screen.cursor.row + 1, overlays.covering.map(\.rowRange.upperBound).max() ?? 0)
    guard (0..<last).contains(where: { screen.isWrapped(row: $0) || screen.usedColumns(row: $0) > newColumns }) else {
      return false
    }
    // A line that does not fit any more takes another row from the blank ones below, and the cursor stands lower.
    let isLonger = (0..<screen.cursor.row).contains { row in
      !screen.isWrapped(row: row) && !screen.isWrapped(row: row - 1) && screen.usedColumns(row: row) > newColumns
    }
    return !(distance == 0 && newRows == rows && isLonger && screen.cursor.row < screen.rows - 1)
  }

  private mutating func restoreCells(notBelow others: [Overlay]) {
    for old in overlays.covering {
      for row in old.rowRange where row < screen.rows {
        let range = screen.wholeCells(row: row, old.columns.clamped(to: 0..<columns))
        if !others.contains(where: { $0.covers(row, range) }) { printCells(row, range, at: row) }
      }
    }
  }

  private mutating func printCells(_ row: Int, _ range: Range<Int>, at place: Int) {
    guard !range.isEmpty else { return }
    let range = screen.wholeCells(row: row, range)
    moveCursor(toRow: place, column: range.lowerBound)
    screen.encode(row: row, columns: range, into: &output)
  }

  /// Between ``beginPainting()``, which turns origin mode off, and its end.
  private mutating func moveCursor(toRow row: Int, column: Int) {
    output.appendCursorPosition(row: row + placement.offset, column: column)
  }
}
