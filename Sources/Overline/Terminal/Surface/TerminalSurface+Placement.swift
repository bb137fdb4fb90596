/// Shows, hides, lifts and lowers the banner.
///
/// The program's rows are printed again at their new place, each wrapped line as one string. Terminals differ in what they save or blank
/// when lines are inserted or deleted near the first row: Alacritty 0.11 saves a line for each deletion, foot 1.13 blanks one of its
/// scrollback for each insertion. Rows that cannot be printed, because their content is unknown, are moved.
extension TerminalSurface {
  // MARK: For the window

  /// Call this when the terminal reports its cursor. Under origin mode the report counts from the margins.
  ///
  /// - Parameters: row and column, from 1.
  package mutating func cursorReported(row: Int, column: Int) {
    settle()
    if missed.isMoved {
      missed.distance = row - 1 - placement.offset - screen.cursor.row
      return screen.place(cursorRow: screen.cursor.row, column: min(max(0, column - 1), columns - 1))
    }
    let origin = screen.origin
    var row = max(0, row - 1 + origin.top - reportedOffset)
    var column = min(max(0, column - 1 + origin.left), columns - 1)
    if screen.isColumnKnown, screen.cursor.isWrapPending, column == origin.left {
      // kitty reports the place where the next character comes.
      row = max(0, row - 1)
      column = screen.cursor.column
    }
    // The terminal may count the characters before the cursor otherwise.
    let isNear = abs(column - screen.cursor.column) <= 2 * screen.cursor.disputes
    if screen.isColumnKnown, !screen.cursor.isWrapPending, isNear { column = screen.cursor.column }
    // The terminal has split this line elsewhere, or counts its characters otherwise: its rows are others.
    if screen.isColumnKnown, !screen.cursor.isWrapPending, column != screen.cursor.column { screen.forgetRows() }
    overhang = placement.isLifted ? max(0, row - (screen.rows - 1)) : 0
    screen.place(cursorRow: min(row, screen.rows - 1), column: column)
  }

  /// Notes that the terminal may have moved its rows, and its cursor with them. The cursor's report will tell how far.
  ///
  /// - Returns: false if the cursor's place is unknown anyway, or the terminal moves no rows.
  package mutating func doubtPlace() -> Bool {
    settle()
    guard placement == .hidden, !screen.isAlternate, screen.isCursorKnown else { return false }
    screen.noteMovedRows()
    return true
  }

  /// Takes the rows to be where they were before ``doubtPlace()``.
  package mutating func trustPlace() {
    settle()
    guard placement == .hidden, !screen.isAlternate, screen.isColumnKnown else { return }
    let isWrapPending = screen.cursor.isWrapPending
    screen.place(cursorRow: screen.cursor.row, column: screen.cursor.column)
    screen.cursor.isWrapPending = isWrapPending
  }

  /// Notes that the terminal is blank and its cursor at home. Call this before any output.
  package mutating func beginBlank() { screen.beginBlank() }

  /// Shows a banner, or replaces the banner. Call it only when ``OutputRewriter/readiness()`` is ``OutputRewriter/Readiness/ready``. The program's terminal has
  /// ``programRows`` afterwards.
  package mutating func show(_ new: BannerRows, into result: inout [UInt8]) {
    swap(&output, &result)
    defer { swap(&output, &result) }
    settle()
    followMove()
    guard new.height > 0, new.height < rows, screen.rows == rows - (banner?.height ?? 0) || placement == .hidden else {
      return
    }
    if let old = banner, old.height == new.height {
      banner = new
      if isShowDue { showActive() } else if !placement.isLifted { repaintInPlace() }
    } else {
      uncover()
      if banner != nil { hideActive() } else { receiveSevenBitControls() }
      banner = new
      showActive()
    }
    if !placement.isLifted { endUpdate() }
  }

  /// Hides the banner. Do not call it inside a control string. The program's terminal has all rows afterwards.
  package mutating func hide(into result: inout [UInt8]) {
    swap(&output, &result)
    defer { swap(&output, &result) }
    followMove()
    uncover()
    hideActive()
    if banner != nil, screen.modes.sendsEightBitControls { output.append("\u{1b} G") }
    banner = nil
    endUpdate()
  }

  /// S7C1T, until the banner is hidden.
  mutating func receiveSevenBitControls() {
    if screen.modes.sendsEightBitControls { output.append("\u{1b} F") }
  }

  // MARK: Placing a screen

  /// From hidden to shown. If the last rows are not blank, line feeds make room there. The lines that leave at the top go to the terminal's
  /// scrollback, as when a user makes a terminal lower.
  mutating func showActive() {
    guard let banner, placement == .hidden else { return }
    let height = banner.height
    beginPainting()
    output.append("\u{1b}[r")
    releaseUnknownRows()
    let scrolled = makeRoom(for: height)
    if scrolled > 0, screen.isAlternate {
      // The banner covers the first rows. Scrolled out, they would be in the scrollback of urxvt.
      placement = .shown(rows: height)
      appendBanner()
      return endPainting(resetMargins: true)
    }
    if scrolled > 0 {
      output.appendCursorPosition(row: rows - 1, column: 0)
      output.append(contentsOf: repeatElement(0x0a, count: scrolled))
    }
    placement = .lifted(rows: height)
    lowerRows(by: height)
    endPainting(resetMargins: true)
  }

  /// Takes rows from the program: the last ones if they are blank, or if the cursor is in one of the first; otherwise the first ones.
  ///
  /// - Returns: the number of first rows that must leave the screen.
  mutating func makeRoom(for height: Int) -> Int {
    let kept = screen.rows - height
    let isRoomBelow = screen.cursor.row < kept && (kept..<screen.rows).allSatisfy { screen.isBlank(row: $0) }
    if isRoomBelow || screen.cursor.row < height {
      screen.removeRows(bottom: height)
      return 0
    }
    screen.removeRows(top: height)
    if screen.savedCursor != nil { active.moveUp(by: height) }
    return height
  }

  /// From lifted to shown.
  mutating func lower() {
    if placement.isFlowing { return lowerFlow() }
    guard case .lifted(let height) = placement else { return }
    beginPainting()
    output.append("\u{1b}[r")
    lowerRows(by: height)
    endPainting(resetMargins: true)
  }

  private mutating func lowerRows(by height: Int) {
    defer { overhang = 0 }
    placement = .shown(rows: height)
    if isPrintable {
      printRows()
    } else {
      // The blank rows at the bottom fall off.
      if overhang > 0 { output.appendCursorPosition(row: rows - 1, column: 0) }
      output.append(contentsOf: repeatElement(0x0a, count: overhang))
      output.append("\u{1b}[H")
      output.appendCSI(height, final: UInt8(ascii: "L"))
      active.bannerCells = 0
    }
    appendBanner()
  }

  /// From shown to lifted.
  mutating func lift() {
    guard placement.isShown else { return }
    let height = placement.offset
    beginPainting()
    output.append("\u{1b}[r")
    raiseRows(by: height)
    endPainting(resetMargins: true)
  }

  /// Removes the banner. On a screen with unknown rows this never deletes at row 1, since xterm and others save lines that are deleted
  /// there.
  private mutating func raiseRows(by height: Int) {
    releaseUnknownRows()
    if placement.isLifted { return }
    placement = .lifted(rows: height)
    if isPrintable { return printRows() }
    for row in 0..<height {
      output.appendCursorPosition(row: row, column: 0)
      if row < screen.rows { screen.encode(row: row, into: &output) } else { output.append("\u{1b}[K") }
    }
    output.appendCursorPosition(row: height, column: 0)
    output.appendCSI(height, final: UInt8(ascii: "M"))
  }

  /// Whether the window can print all rows of the visible screen. The alternate screen has no scrollback, so its rows are moved instead,
  /// which costs fewer bytes.
  var isPrintable: Bool { !screen.isAlternate && (0..<screen.rows).allSatisfy { screen.isKnown(row: $0) } }

  /// Prints the program's rows at their place, over whatever the terminal shows there.
  mutating func printRows() {
    output.append("\u{1b}[H")
    eraseScreen(isRowOfProgram: placement.isShown)
    if placement.offset == 0 { takeOverBannerRow() }
    let isAutowrap = screen.modes.isAutowrap
    if !isAutowrap { output.append("\u{1b}[?7h") }
    screen.encodeRows(below: placement.offset, into: &output)
    if !isAutowrap { output.append("\u{1b}[?7l") }
  }

  /// Rows from before the program's start cannot be printed. So that they are not lost, all of them above the cursor go to the scrollback
  /// at once, after as many blank lines as the banner has rows, and the known rows move up. Afterwards the terminal shows the program's rows
  /// without a banner.
  private mutating func releaseUnknownRows() {
    guard !screen.isAlternate else { return }
    let unknown = (0..<screen.rows).last { !screen.isKnown(row: $0) }.map { $0 + 1 } ?? 0
    let count = min(unknown, screen.cursor.row)
    guard count > 0 else { return }
    let height = placement.offset
    eraseRows(height)
    output.appendCursorPosition(row: rows - 1, column: 0)
    output.append(contentsOf: repeatElement(0x0a, count: height + count))
    screen.removeRows(top: count)
    screen.grid.forgetHistory()
    screen.appendBlankRows(count)
    if screen.savedCursor != nil { active.moveUp(by: height + count) }
    if height > 0 { placement = .lifted(rows: height) }
  }

  private func hasUnknownRow(in count: Int) -> Bool {
    (0..<min(count, screen.rows)).contains { !screen.isKnown(row: $0) }
  }

  /// Blanks the terminal's first rows.
  private mutating func eraseRows(_ count: Int) {
    for row in 0..<count {
      output.appendCursorPosition(row: row, column: 0)
      output.append("\u{1b}[K")
    }
  }

  /// From any placement to hidden. Rows that cannot be printed stay in place, and the banner's rows are left blank.
  mutating func hideActive() {
    if placement.isFlowing { lowerFlow() }
    switch placement {
    case .hidden: return
    case .shown, .scrolling:
      let height = placement.offset
      beginPainting()
      output.append("\u{1b}[r")
      if hasUnknownRow(in: height) {
        eraseRows(height)
        screen.prependBlankRows(height)
      } else {
        raiseRows(by: height)
        screen.appendBlankRows(height)
      }
    case .lifted(let height), .flowing(let height):
      beginPainting()
      output.append("\u{1b}[r")
      screen.appendBlankRows(height)
      if overhang > 0 { screen.place(cursorRow: screen.cursor.row + overhang, column: screen.cursor.column) }
      overhang = 0
    }
    placement = .hidden
    rebuildSavedCursor()
    repeatLastPrinted()
    endPainting(resetMargins: true)
  }

  /// Prints the program's last character again. REP passes unchanged from now on, and must repeat that character instead of one of the
  /// window's.
  private mutating func repeatLastPrinted() {
    let cursor = screen.cursor
    // Where the cursor follows its text, that text is printed again anyway.
    guard cursor.column > 0, screen.lastPrinted != 0, cursor.disputes == 0 else { return }
    let cell = screen.cell(row: cursor.row, column: cursor.column - 1)
    guard cell.width == 1, cell.text.unicodeScalars.map(\.value) == [screen.lastPrinted] else { return }
    output.appendCursorPosition(row: cursor.row, column: cursor.column - 1)
    screen.encodeGrapheme(row: cursor.row, column: cursor.column - 1, into: &output)
  }

  /// Saves the cursor again: a cursor that the terminal saved below a banner would be restored too low without the banner.
  private mutating func rebuildSavedCursor() {
    let offset = active.savedOffset
    defer { active.forgetSavedCursor() }
    guard offset != 0, let saved = screen.savedCursor else { return }
    let here = screen.saveable
    screen.saveable = saved
    // Printing the last character again would end the wrap of a line that has continued since, in foot and Alacritty.
    if screen.isWrapped(row: screen.cursor.row) { screen.cursor.isWrapPending = false }
    endPainting(resetMargins: true)
    output.append("\u{1b}7")
    beginPainting()
    screen.saveable = here
  }
}
