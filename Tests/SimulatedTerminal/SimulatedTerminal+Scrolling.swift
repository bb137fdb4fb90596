extension SimulatedTerminal {
  var blankRow: Row {
    Row(background: family.erasesWithBackground ? position.style.background : .standard, columns: columns)
  }

  mutating func scrollUp(_ count: Int) {
    let saves = !isAlternate && (top == 0 || family.scrolling.savesFromAnyRow)
    screen.scrollUp(top: top, bottom: bottom, count: count, saves: saves, blank: blankRow)
  }

  /// SD, RI, IL: the rows from `first` to the region's end move down.
  mutating func scrollDown(from first: Int, _ count: Int) {
    let count = min(count, bottom - first + 1)
    if family.scrolling.reverseScrollTakesHistory && !isAlternate { _ = screen.history.removeLast(count) }
    screen.scrollDown(top: first, bottom: bottom, count: count, blank: blankRow)
  }

  /// IL and DL.
  mutating func shiftLines(_ count: Int, isInsertion: Bool) {
    guard top...bottom ~= position.row else { return }
    let outcome = family.erasing.lines
    if position.isWrapPending {
      if outcome == .nextRow { wrap() }
      if outcome != .hole { position.isWrapPending = false }
    }
    if isInsertion {
      scrollDown(from: position.row, count)
    } else {
      let saves = family.scrolling.deletionSaves && !isAlternate
      if !saves { screen.endLine(above: position.row) }
      screen.scrollUp(top: position.row, bottom: bottom, count: count, saves: saves, blank: blankRow)
    }
    if outcome == .column1 { position.column = 0 }
  }

  mutating func setMargins(_ first: Int, _ last: Int) {
    let last = min(last, rows - 1)
    guard first < last else { return }
    top = first
    bottom = last
    position.isWrapPending = false
    position.column = 0
    position.row = position.isOrigin ? top : 0
  }
}
