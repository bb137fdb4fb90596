/// Handles changes of the terminal's size.
///
/// Terminals treat their rows differently. Some pull lines back from the scrollback when they grow. Some push lines into it when they
/// shrink, the banner's first. The cursor's place afterwards shows what a terminal has done.
extension TerminalSurface {
  /// Call this after a change of the terminal's size. The new size may equal the old one, if the terminal had another size in between.
  ///
  /// - Parameters:
  ///   - cursorRow: the row that the terminal reports for its cursor, from 1; nil when no banner shows, or when the
  ///     terminal does not answer. Without an answer the window assumes nothing about the terminal's rows: it scrolls
  ///     until the cursor is in row 1.
  ///   - narrowest: the smallest width that the terminal had since the last call; nil if it is the new one.
  ///   - isCutOff: whether the terminal has cut off rows that were printed in place (see ``hasCutOffRow(at:)``).
  package mutating func resize(
    rows new: Int, columns newColumns: Int, cursorRow reported: Int? = nil, narrowest: Int? = nil,
    isCutOff: Bool = false, into result: inout [UInt8]
  ) {
    settle()
    guard new > 0, newColumns > 0 else { return }
    swap(&output, &result)
    defer {
      endUpdate()
      swap(&output, &result)
    }
    endScrolling()
    if screen.tables.traits.rewrapsScreenAlone, (new, newColumns) != (rows, columns) { screen.erasePrompt() }
    let cursorRow = reported ?? scrollToCursor(rows: new)
    var expected = screen.cursor.row + placement.offset
    let grows = new > rows
    let changesWidth = newColumns != columns
    let mayRewrap = newColumns < columns || changesWidth && screen.tables.traits.reflows
    let printed = screen.tables.traits.breaksErasedCells ? columns : banner?.printedColumns ?? 0
    let added = rowsAddedToBanner(printed, at: newColumns, narrowest: narrowest ?? newColumns)
    let mayBeRelative = isPrintableInPlace && !screen.cursor.isWrapPending
    // The reported cursor shows where the terminal has moved the cells below the boxes.
    let moved = cursorRow.map { $0 - 1 - expected }
    uncover(movedBy: screen.isAlternate ? 0 : moved, rows: new, columns: newColumns)
    let oldColumns = columns
    rows = new
    columns = newColumns
    let isFollowed = cursorRow != nil && placement.isShown && !screen.isAlternate
    let reprints = isCutOff && isFollowed && isPrintable
    let saved = savedRows
    let takenBack = reprints && screen.takeBack(saved) ? saved : 0
    let isJoined =
      changesWidth && isFollowed && screen.tables.traits.reflows && !screen.tables.traits.rewrapsScreenAlone
    let joined = isJoined ? screen.grid.cellsAboveTop : 0
    let whole = joined.flatMap { wholeDividedLine(cells: $0, at: newColumns) }
    // The terminal splits the lines of its scrollback anew too: the kept rows are others.
    if placement != .hidden, changesWidth { screen.grid.forgetHistory() }
    screen.resize(columns: newColumns, isFollowed || placement == .hidden ? rewrapping : nil)
    // The terminal splits the lines above its cursor anew too.
    if isFollowed {
      let row = screen.cursor.row
      let keepsColumn = changesWidth && screen.tables.traits.keepsCursorColumn
      expected = (keepsColumn ? screen.lineStart(of: row) : row) + placement.offset
    }
    missed.note(isAlternate: screen.isAlternate, changesWidth: changesWidth, mayRewrap: mayRewrap)
    if missed.isMoved { return screen.rowBecameUncertain() }
    guard let banner, banner.height < new else { return resizeHidden(cursorRow: cursorRow ?? expected + 1) }
    if isShowDue { return fitMovedRows() }
    // A terminal that becomes lower drops the rows below its cursor first, and saves none.
    let isRelative = mayBeRelative && isFollowed && !reprints && isPrintable && screen.isBlankBelowCursor
    beginPainting()
    if !isRelative { output.append("\u{1b}[r") }
    if screen.isAlternate || cursorRow == nil {
      fit(above: banner.height)
    } else if let cursorRow, reprints {
      let moved = max(moved ?? 0, cursorRow - 1 - expected + takenBack)
      let isText = moved >= 0 && hasTextBesideBanner(printed, above: joined, visible: 0)
      printCutOffRows(movedBy: isText ? moved + banner.height : moved)
    } else if let cursorRow, let whole, let joined,
      let above = rowsAboveJoin(
        cells: joined, printed, from: oldColumns, movedBy: cursorRow - 1 - expected, narrowest: narrowest ?? newColumns)
    {
      screen.adopt(whole)
      printFlowing(movedBy: above)
    } else if let cursorRow {
      var moved = cursorRow - 1 - expected
      // Rewrapped text moves the rows below it, not the banner.
      if changesWidth, moved > 0, !grows, !isPrintable { moved = 0 }
      // A banner that the terminal broke moves the rows below it too.
      let visible = grows ? 0 : min(max(0, moved), added)
      // If the terminal has broken the banner, it has saved a part of it or taken lines back. A row that is printed where a part of the banner
      // is would become part of the banner's line. A row that scrolled out in place may also be there (see ``beginBannerRow()``). So all rows
      // above the program's first one are saved.
      let isText = hasTextBesideBanner(printed, above: joined, visible: visible)
      let savesBanner =
        isPrintable && (isText && moved >= 0 || added > visible && (moved == visible || grows && moved > 0))
      if savesBanner { screen.grid.beginLineAtTop() }
      if isRelative {
        let count = savesBanner ? moved + 1 : followInPlace(moved - visible)
        if savesBanner { fit(above: 1) }
        return printInPlace(scrolledBy: count, from: cursorRow)
      }
      if savesBanner { scrollOut(banner.height + moved) }
      follow(savesBanner ? 0 : moved - visible, banner.height, mayRewrap: mayRewrap && cursorRow > banner.height)
    }
    appendBannerIfShown()
    endPainting(resetMargins: true)
  }

  /// Whether a row that was printed in place, or saved meanwhile, is longer than the width at which the terminal handled it. False in
  /// terminals that do not split lines anew, and in VTE and Alacritty: at a smaller width they keep a row of the program above the others
  /// (see ``beginBannerRow()``).
  package func hasCutOffRow(at handledColumns: Int) -> Bool {
    guard reprintsCutOffRows, isPrintable, handledColumns < columns else { return false }
    return (-savedRows..<screen.rows).contains { screen.grid.kept($0).used > handledColumns }
  }

  package var reprintsCutOffRows: Bool { !screen.tables.traits.findsBrokenRows }

  /// The last rows that scrolled out in place, as far as they are kept.
  private var savedRows: Int { min(scroll.savedRows, screen.grid.history) }

  /// Prints the program's rows anew over rows that are cut off. The terminal wraps the lines, and saves those that do not fit. Its scrollback
  /// has some of them already, whole or cut off: they are in it twice then, and none is lost.
  private mutating func printCutOffRows(movedBy moved: Int) {
    screen.grid.forgetHistory()
    printFlowing(movedBy: moved)
  }

  /// Scrolls rows out, prints all rows of the program from the terminal's first row on, then makes room for the banner again.
  mutating func printFlowing(movedBy moved: Int) {
    scrollOut(moved)
    output.append("\u{1b}[H")
    eraseScreen()
    takeOverBannerRow()
    let last = appendFlowingRows()
    if last >= rows { screen.removeRows(top: last + 1 - rows) }
    fitScreenRows(rows)
    placement = .hidden
    showActive()
  }

  /// Scrolls rows out again that came back from the scrollback, above the banner.
  private mutating func scrollOut(_ count: Int) {
    guard count > 0 else { return }
    output.appendCursorPosition(row: rows - 1, column: 0)
    output.append(contentsOf: repeatElement(0x0a, count: min(count, rows)))
  }

  /// What the terminal does with the visible rows at a new width, if the window can do the same.
  private var rewrapping: Screen.Rewrapping? {
    let isHidden = placement == .hidden
    // Where the cursor's column is not known, neither is the number of rows that its line needs.
    guard isHidden ? !screen.isAlternate && screen.isColumnKnown : screen.isRowKnown && isPrintable else { return nil }
    if screen.tables.traits.reflows { return .reflow(isBelowBanner: !isHidden) }
    return .cut
  }

  /// Whether a row of the banner may have text of the program. Where a line begins in the scrollback and continues below the banner, it
  /// continues in the banner for the terminal, which joins both at another width.
  ///
  /// - Parameters:
  ///   - printed: the banner's cells in a row.
  ///   - cells: the line's cells above the banner, at the old width; nil if their number is not known.
  ///   - visible: the number of rows that the terminal has added to the banner on the screen.
  private func hasTextBesideBanner(_ printed: Int, above cells: Int?, visible: Int) -> Bool {
    guard let banner, cells != 0 else { return false }
    guard let cells, banner.height == 1, visible == 0 else { return true }
    return (cells - 1) / columns == (cells + printed - 1) / columns
  }

  /// The number of rows that the terminal has added to the banner by breaking its rows at a smaller width.
  ///
  /// - Parameter printed: the banner's cells in a row. Where erased cells are not text, those behind its text do not count.
  private func rowsAddedToBanner(_ printed: Int, at new: Int, narrowest: Int) -> Int {
    guard let banner, placement.isShown, !screen.isAlternate, screen.tables.traits.reflows else { return 0 }
    // A row that was printed beside a part of the banner stays there when the terminal becomes wider again.
    let width = screen.tables.traits.findsBrokenRows ? narrowest : new
    return banner.height * (max(0, printed - 1) / max(1, width))
  }

  private mutating func resizeHidden(cursorRow: Int) {
    if banner != nil {
      // The terminal is too low for the banner, and nothing is left of it. The window will hide it.
      banner = nil
      // Homes the cursor.
      output.append("\u{1b}[r")
      output.appendCursorPosition(row: min(cursorRow, rows) - 1, column: min(screen.cursor.column, columns - 1))
    }
    // The banner may still be on the screen that is not visible.
    if !screen.isAlternate { primary.placement = .hidden }
    alternate.placement = .hidden
    fitMovedRows()
  }

  private mutating func fitMovedRows() {
    if screen.isAlternate { screen.rowBecameUncertain() } else { screen.noteMovedRows() }
    fitScreenRows(rows)
  }

  private mutating func fit(above height: Int) {
    placement = .shown(rows: height)
    fitScreenRows(rows - height)
  }

  /// Call this when a screen is visible again after the terminal has changed its size.
  mutating func takeNewSize() {
    if screen.isAlternate {
      if screen.rows != rows { fitScreenRows(rows) }
      return
    }
    screen.noteMovedRows()
    missed.showPrimary(hasBanner: placement != .hidden)
    if placement == .hidden { fitScreenRows(rows) }
  }

  /// Follows the terminal's move of the primary screen's rows, once its distance is known.
  mutating func followMove() {
    let height = placement.inset
    guard let move = missed.follow(grows: rows > screen.rows + height) else { return }
    beginPainting()
    output.append("\u{1b}[r")
    if height < rows {
      let row = screen.cursor.row + move.cursorDistance
      follow(move.distance, height, mayRewrap: move.mayRewrap && row > 0)
      if move.cursorDistance > 0 { screen.place(cursorRow: min(row, screen.rows - 1), column: screen.cursor.column) }
    }
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

  /// Rewrapped lines may be in the banner's place: the terminal has pushed the banner out, or moved it down. The top rows go to the scrollback
  /// before the banner is painted over them. If the banner was still there, the scrollback gets a copy of it.
  private mutating func releaseReflowedRows(_ height: Int) {
    output.appendCursorPosition(row: rows - 1, column: 0)
    output.append(contentsOf: repeatElement(0x0a, count: height))
    output.append("\u{1b}[H")
    output.appendCSI(height, final: UInt8(ascii: "L"))
  }

  /// Follows a move of all rows, including a banner of one row, by the terminal.
  ///
  /// - Returns: the number of first rows that the terminal must save.
  private mutating func followInPlace(_ moved: Int) -> Int {
    if moved >= 0 {
      let isTakenBack = moved > 0 && screen.takeBack(moved)
      fit(above: 1)
      return isTakenBack ? 0 : moved
    }
    // The banner is in the scrollback, and maybe some of the program's rows.
    screen.grid.beginLineAtTop()
    screen.removeRows(top: min(-moved - 1, screen.rows - 1))
    fitScreenRows(rows)
    let count = makeRoom(for: 1)
    placement = .shown(rows: 1)
    return count
  }

  /// Scrolls rows out, and prints a banner of one row and all rows of the program again, relative to the cursor. The terminal may change its
  /// size before it handles these bytes. If it takes lines back, they stay above the banner until the size has settled again.
  private mutating func printInPlace(scrolledBy count: Int, from cursorRow: Int) {
    output.append("\r")
    if count > 0, rows > cursorRow { output.appendCSI(rows - cursorRow, final: UInt8(ascii: "B")) }
    output.append(contentsOf: repeatElement(0x0a, count: min(count, rows)))
    let distance = count > 0 ? rows - 1 : cursorRow - 1
    if distance > 0 { output.appendCSI(distance, final: UInt8(ascii: "A")) }
    printAllInPlace()
  }

  /// Handles a move of all rows, including the banner's, by the terminal.
  private mutating func follow(_ moved: Int, _ height: Int, mayRewrap: Bool) {
    if moved > 0, !(isPrintable && screen.takeBack(moved)) { scrollOut(moved) }
    if moved >= 0 {
      if mayRewrap, !isPrintable { releaseReflowedRows(height) }
      fit(above: height)
      if isPrintable { printRows() }
      return
    }
    let left = height + moved
    screen.grid.beginLineAtTop()
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
