/// What happens when the terminal changes its size.
///
/// Terminals differ in what they do with their rows then: some pull lines back from the scrollback when they grow, some push lines
/// there when they shrink, the banner's first of all. Where the cursor is afterwards tells what it was.
extension OutputRewriter {
  /// The terminal has another size, or has had one: then this one may be the same.
  ///
  /// - Parameter cursorRow: where the terminal says that its cursor is, from 1; nil when it does not answer, or no banner shows.
  package mutating func resize(
    rows new: Int, columns newColumns: Int, cursorRow: Int? = nil, into result: inout [UInt8]
  ) {
    settle()
    guard new > 0, newColumns > 0 else { return }
    swap(&output, &result)
    defer {
      endUpdate()
      swap(&output, &result)
    }
    let expected = screen.cursor.row + placement.offset
    let grows = new > rows
    let isWider = newColumns != columns
    let isNarrower = newColumns < columns
    // Where the terminal has moved what they cover is known once it has said where its cursor is.
    let moved = cursorRow.map { $0 - 1 - expected }
    uncover(movedBy: screen.isAlternate ? 0 : moved, rows: new, columns: newColumns)
    rows = new
    columns = newColumns
    screen.resize(columns: newColumns)
    missed.note(isAlternate: screen.isAlternate, isWider: isWider, isNarrower: isNarrower)
    if missed.isMoved { return screen.rowBecameUncertain() }
    guard let banner, banner.height < new else { return resizeHidden(cursorRow: cursorRow ?? expected + 1) }
    if isShowDue {
      fitScreenRows(rows)
      return screen.rowBecameUncertain()
    }
    beginPainting()
    output.append("\u{1b}[r")
    if screen.isAlternate || cursorRow == nil {
      fit(above: banner.height)
    } else if let cursorRow {
      var moved = cursorRow - 1 - expected
      // Text that was wrapped anew moves what is below it, not the banner.
      if isWider, moved > 0, !grows { moved = 0 }
      follow(moved, banner.height, isNarrower: isNarrower && cursorRow > banner.height)
    }
    appendBannerIfShown()
    endPainting(resetMargins: true)
  }

  private mutating func resizeHidden(cursorRow: Int) {
    if banner != nil {
      // Too low for what showed; the window will say that it is to go, and there is nothing left of it.
      banner = nil
      // Homes the cursor.
      output.append("\u{1b}[r")
      output.appendCursorPosition(row: min(cursorRow, rows) - 1, column: min(screen.cursor.column, columns - 1))
    }
    // A banner may still stand on the screen that does not show.
    if !screen.isAlternate { primary.placement = .hidden }
    alternate.placement = .hidden
    fitScreenRows(rows)
    screen.rowBecameUncertain()
  }

  private mutating func fit(above height: Int) {
    placement = .shown(rows: height)
    fitScreenRows(rows - height)
  }

  /// The primary screen shows again, and the terminal has another size since it did last.
  mutating func takeNewSize() {
    if screen.isAlternate {
      if screen.rows != rows { fitScreenRows(rows) }
      return
    }
    screen.rowBecameUncertain()
    missed.showPrimary(hasBanner: placement != .hidden)
    if placement == .hidden { fitScreenRows(rows) }
  }

  /// Once it is known how far the terminal has moved the primary screen's rows.
  mutating func followMove() {
    let height = placement.inset
    guard let move = missed.follow(grows: rows > screen.rows + height) else { return }
    beginPainting()
    output.append("\u{1b}[r")
    if height < rows { follow(move.distance, height, isNarrower: move.isNarrower && screen.cursor.row > 0) }
    if placement != .hidden, height != banner?.height {
      hideActive()
      showActive()
    }
    appendBannerIfShown()
    endPainting(resetMargins: true)
  }

  mutating func fitScreenRows(_ wanted: Int) {
    let excess = screen.rows - wanted
    if excess < 0 { return screen.appendBlankRows(-excess) }
    guard excess > 0 else { return }
    let fromTop = min(excess, max(0, screen.cursor.row - (wanted - 1)))
    if fromTop > 0 { screen.removeRows(top: fromTop) }
    if excess > fromTop { screen.removeRows(bottom: excess - fromTop) }
  }

  /// Lines that were wrapped anew may have pushed the banner out, and themselves into its place: they go to the scrollback before it is
  /// painted there. Otherwise that gets a copy of the banner.
  private mutating func releaseReflowedRows(_ height: Int) {
    output.appendCursorPosition(row: rows - 1, column: 0)
    output.append(contentsOf: repeatElement(0x0a, count: height))
    output.append("\u{1b}[H")
    output.appendCSI(height, final: UInt8(ascii: "L"))
  }

  /// The terminal moved everything, the banner too, by so many rows.
  private mutating func follow(_ moved: Int, _ height: Int, isNarrower: Bool) {
    if moved > 0 {
      // Lines came back from the scrollback, above the banner: there they go again.
      output.appendCursorPosition(row: rows - 1, column: 0)
      output.append(contentsOf: repeatElement(0x0a, count: min(moved, rows)))
    }
    if moved >= 0 {
      if isNarrower { releaseReflowedRows(height) }
      return fit(above: height)
    }
    let left = height + moved
    if left <= 0 {
      // The banner is in the scrollback, and maybe some of the program's rows.
      screen.removeRows(top: min(-left, screen.rows - 1))
      fitScreenRows(rows)
      placement = .hidden
    } else {
      placement = .shown(rows: left)
      fitScreenRows(rows - left)
      hideActive()
    }
    showActive()
  }
}
