extension Screen: VTHandler {
  package mutating func text(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    _ = write(text: bytes, range)
  }

  /// Whether a line feed here moves the first row out of the screen.
  package var wouldScroll: Bool { cursor.row == margins.bottom && margins.top == 0 }

  /// Whether the first row continues a line or is continued.
  var isTopWrapped: Bool { grid.isContinuedAtTop || grid[0].isWrapped }

  /// Writes text that has no control characters.
  ///
  /// - Parameters:
  ///   - mayScroll: false to stop before text that would move the first row out of the screen.
  ///   - mayReachDoubtfulMargin: false to stop before text that may reach the right margin, where the terminal counts the columns of the text before
  ///     otherwise.
  /// - Returns: the index at which it stopped, or the end of the range.
  @_optimize(speed)
  package mutating func write(
    text bytes: Span<UInt8>, _ range: Range<Int>, mayScroll: Bool = true, mayReachDoubtfulMargin: Bool = true
  ) -> Int {
    if isSkimming {
      knowledge.isRowKnown = false
      knowledge.isColumnKnown = false
      charsets.singleShift = nil
      return range.upperBound
    }
    notePrinting()
    let end = range.upperBound
    var index = range.lowerBound
    while index < end {
      let byte = bytes[index]
      if byte < 0x80 && charsets.isPlain && !modes.isInsert {
        if cursor.isWrapPending {
          if modes.isAutowrap || tables.margin.withoutAutowrap == .wraps {
            if !mayScroll && wouldScroll { return index }
            wrap()
          } else if tables.margin.withoutAutowrap == .isDropped {
            index += 1
            continue
          }
        }
        if cursor.disputes > 0, !mayReachDoubtfulMargin, mayReachMargin(with: end - index) { return index }
        index = writeASCII(bytes, index, end)
        if cursor.disputes > 0, mayReachMargin() { noteReachedMargin() }
      } else {
        // Two constants, not one tuple: Swift 6.3 reserves four bytes for the debugger's copy of that tuple, and writes twelve.
        let (value, length) = byte < 0x80 ? (UInt32(byte), 1) : UTF8Scan.scalar(bytes, index, end)
        guard put(value, mayScroll: mayScroll, mayReachDoubtfulMargin: mayReachDoubtfulMargin) else { return index }
        index += length
      }
    }
    return end
  }

  /// One past the last column that text reaches from here.
  @inline(__always)
  var lineEnd: Int { cursor.column <= margins.right ? margins.right &+ 1 : columns }

  /// Writes ASCII up to the end of the line or the first byte that is not ASCII.
  @inline(__always)
  private mutating func writeASCII(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
    let row = cursor.row
    let column = cursor.column
    let lineEnd = lineEnd
    let info = grid[row]
    if column > info.used { grid.materialize(row, upTo: column) }
    if column < info.used { grid.splitWide(row, at: column) }
    let room = min(end &- start, lineEnd &- column)
    let first = info.start &+ column
    var count = 0
    var cell = brush.cell
    var span = grid.cells.mutableSpan
    while count < room {
      let byte = bytes[start &+ count]
      if byte >= 0x80 { break }
      cell.content = UInt32(byte)
      span[first &+ count] = cell
      count &+= 1
    }
    // The right half of a wide character whose left half was overwritten.
    if column &+ count < info.used && span[first &+ count].isTrailing {
      span[first &+ count] = .blank(span[first &+ count].background)
    }
    lastPrinted = cell.content
    if column &+ count > info.used { grid[row].used = column &+ count }
    advance(to: column &+ count, lineEnd)
    return start &+ count
  }

  @inline(__always)
  private mutating func advance(to column: Int, _ lineEnd: Int) {
    if column >= lineEnd {
      cursor.column = lineEnd &- 1
      cursor.isWrapPending = modes.isAutowrap || tables.margin.isSetWithoutAutowrap
    } else {
      cursor.column = column
      cursor.isWrapPending = false
    }
  }

  /// Prints one scalar, translated and combined.
  ///
  /// - Returns: false when nothing was printed, because of what may not happen.
  @_optimize(speed)
  mutating func put(_ scalar: UInt32, mayScroll: Bool = true, mayReachDoubtfulMargin: Bool = true) -> Bool {
    var value = scalar
    let wasShifted = charsets.singleShift
    if value < 0x80 {
      value = charsets.translate(UInt8(truncatingIfNeeded: value))
    } else if wasShifted != nil {
      charsets.singleShift = nil
    }
    let entry = tables.widths.entry(value)
    var width = value < 0x80 ? 1 : entry.width
    if entry.isDisputed {
      noteDispute()
      if mayReachMargin(with: width) {
        guard mayReachDoubtfulMargin else { return refuse(entry, wasShifted) }
        noteReachedMargin()
      }
      if value & ~1 == 0xfe0e { return applySelector(value, mayScroll: mayScroll) || refuse(entry, wasShifted) }
      width = clusterWidth(value, width)
    } else if mayReachMargin(with: width) {
      guard mayReachDoubtfulMargin else { return refuse(entry, wasShifted) }
      noteReachedMargin()
    }
    if width == 0 || value >= 0x80 && joinsNext {
      return combine(value, mayScroll: mayScroll) || refuse(entry, wasShifted)
    }
    // No line has room for two columns: a narrow terminal shows half of the character.
    if width == 2 && lineWidth < 2 { width = 1 }
    let isBeyond = cursor.isWrapPending || cursor.column + width > lineEnd
    if !modes.isAutowrap, isBeyond, tables.margin.withoutAutowrap == .isDropped { return true }
    let wraps = modes.isAutowrap ? isBeyond : cursor.isWrapPending && tables.margin.withoutAutowrap == .wraps
    if wraps {
      if !mayScroll && wouldScroll { return refuse(entry, wasShifted) }
      wrap()
      if entry.isDisputed { noteDisputedRow() }
    } else if cursor.column + width > lineEnd {
      cursor.column = lineEnd - width
    }
    write(value, width: width)
    lastPrinted = value
    return true
  }

  /// Takes back what was noted about a character that is not printed now.
  private mutating func refuse(_ entry: CellWidths.Entry, _ shift: Int?) -> Bool {
    if entry.isDisputed, !isAlternate { cursor.disputes -= 1 }
    charsets.singleShift = shift
    return false
  }

  private var lineWidth: Int { cursor.column <= margins.right ? margins.right - lineStart + 1 : columns }

  @inline(__always)
  private mutating func write(_ value: UInt32, width: Int) {
    let row = cursor.row
    let column = cursor.column
    let lineEnd = lineEnd
    if modes.isInsert {
      grid.shift(row, column..<lineEnd, by: width, background: brush.background)
    }
    let end = column &+ width
    let info = grid[row]
    if column < info.used {
      grid.splitWide(row, at: column)
      grid.splitWide(row, at: end)
    } else if column > info.used {
      grid.materialize(row, upTo: column)
    }
    if end > info.used { grid[row].used = end }
    var cell = brush.cell
    cell.content = width == 2 ? value | Cell.wide : value
    var span = grid.cells.mutableSpan
    span[info.start &+ column] = cell
    if width == 2 {
      cell.content = Cell.trailing
      span[info.start &+ column &+ 1] = cell
    }
    advance(to: end, lineEnd)
  }

  /// Moves the cursor to the beginning of the next line, because this line is full.
  mutating func wrap() {
    grid[cursor.row].isWrapped = true
    cursor.isWrapPending = false
    let column = lineStart
    index()
    // Below a line that the terminal may not have wrapped here, its cursor may be a row higher.
    if !isColumnKnown { knowledge.forgetNeighbours() }
    cursor.column = column
    notePrinting()
  }

  /// Adds a mark to the character before the cursor.
  ///
  /// - Returns: false when nothing was printed, because the screen would have scrolled.
  mutating func combine(_ mark: UInt32, mayScroll: Bool) -> Bool {
    var row = cursor.row
    var column = cursor.isWrapPending ? cursor.column : cursor.column - 1
    if column < 0, row > 0, grid[row - 1].isWrapped, !tables.margin.marksJoin {
      // The mark before has wrapped.
      (row, column) = (row - 1, columns - 1)
    }
    guard column >= 0 else { return true }
    if cursor.isWrapPending, modes.isAutowrap, !(mark == 0x200d ? tables.margin.joinerJoins : tables.margin.marksJoin) {
      if !mayScroll && wouldScroll { return false }
      // The row of the character moves up with the others.
      if cursor.row == margins.bottom { row -= 1 }
      wrap()
      if row < 0 { return true }
    }
    var cell = grid.cell(row, column)
    if cell.isTrailing {
      column -= 1
      cell = grid.cell(row, column)
    }
    if tables.clusters.needsCollection { collectClusters() }
    // Collecting has given the cell's cluster another number.
    cell = grid.cell(row, column)
    let base = cell.hasNoText ? [0x20] : tables.scalars(cell)
    guard let number = tables.clusters.appending(mark, to: base) else { return true }
    cell.content = cell.content & Cell.wide | Cell.cluster | number
    grid.set(row, column, cell)
    return true
  }

  private mutating func collectClusters() {
    var isUsed = [Bool](repeating: false, count: tables.clusters.count)
    grid.forEachCell { if $0.isCluster { isUsed[Int($0.value)] = true } }
    other?.forEachCell { if $0.isCluster { isUsed[Int($0.value)] = true } }
    let renumbered = tables.clusters.collect(isUsed)
    func renumber(_ cell: inout Cell) {
      guard cell.isCluster else { return }
      cell.content = cell.content & ~Cell.valueMask | renumbered[Int(cell.value)]
    }
    grid.changeEachCell(renumber)
    other?.changeEachCell(renumber)
  }
}
