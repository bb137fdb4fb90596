/// Boxes over the program's screen: toasts and alerts.
///
/// The terminal never scrolls or erases a box. Before output of the program passes, the covered cells are printed again; at the end of the
/// batch the boxes are painted again. A terminal with synchronized updates hides both steps.
extension TerminalSurface {
  // MARK: For the window

  /// Whether boxes can cover the screen, because the content below them is known. Rows count from the program's first.
  package mutating func canCover(_ boxes: [OverlayBox]) -> Bool {
    settle()
    return boxes.allSatisfy { isKnown($0.rowRange) }
  }

  /// Replaces the boxes over the screen with these, the backmost first. Call it only when ``OutputRewriter/readiness()``
  /// is ``OutputRewriter/Readiness/ready``. While output passes, and while the content below them is unknown, the boxes wait for an
  /// ``OutputRewriter/finishBatch(into:)``.
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

  /// True while the boxes are not on the screen: during a batch, or because the content below them is no longer known.
  package var isUncovered: Bool { overlays.isAway }

  // MARK: Coming and going

  private func isKnown(_ rows: Range<Int>) -> Bool {
    rows.lowerBound >= 0 && rows.upperBound <= screen.rows && rows.allSatisfy { screen.isKnown(row: $0) }
  }

  /// Paints the boxes at the end of a batch. If the content below a box is no longer known, the boxes stay off the screen, and the window
  /// finds another place for them.
  mutating func coverIfPossible() {
    // If the cursor's place is unknown, it could not be restored.
    guard screen.isCursorKnown, overlays.wanted.allSatisfy({ isKnown($0.rowRange) }) else { return }
    paintOverlays()
  }

  /// Replaces the boxes on the screen with the wanted ones. Cells that become uncovered are printed again.
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

  /// Removes the boxes, before anything else is written.
  mutating func uncover() {
    guard !overlays.covering.isEmpty else { return }
    beginPainting()
    restoreCells(notBelow: [])
    overlays.uncover()
    endPainting()
  }

  /// Removes the boxes after a change of the terminal's size, which moved everything down by `distance` rows. If the terminal may have
  /// rewrapped text, the boxes' places are unknown, and their cells stay as they are.
  ///
  /// - Parameter distance: nil if the terminal did not report its cursor.
  mutating func uncover(movedBy distance: Int?, rows newRows: Int, columns newColumns: Int) {
    if !overlays.covering.isEmpty, let distance, !mayBeReflowed(movedBy: distance, rows: newRows, columns: newColumns) {
      beginPainting()
      for old in overlays.covering {
        // The terminal may now have fewer rows than the banner.
        for row in old.rowRange where row + distance >= 0 && row + distance < newRows - placement.offset {
          printCells(row, old.columns.clamped(to: 0..<min(columns, newColumns)), at: row + distance)
        }
      }
      endPainting(movedBy: distance)
    }
    overlays.uncover()
  }

  /// Whether rewrapping could have moved anything; some terminals rewrap on their primary screens. Once the screen is full, longer lines
  /// below a box push up the rows under it.
  private func mayBeReflowed(movedBy distance: Int, rows newRows: Int, columns newColumns: Int) -> Bool {
    guard newColumns != columns, !screen.isAlternate else { return false }
    let last = max(screen.cursor.row + 1, overlays.covering.map(\.rowRange.upperBound).max() ?? 0)
    guard (0..<last).contains(where: { screen.isWrapped(row: $0) || screen.usedColumns(row: $0) > newColumns }) else {
      return false
    }
    // A line that no longer fits takes another row from the blank rows below, and the cursor moves down.
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

  /// Moves the cursor while painting: ``beginPainting()`` has turned origin mode off.
  private mutating func moveCursor(toRow row: Int, column: Int) {
    output.appendCursorPosition(row: row + placement.offset, column: column)
  }
}
