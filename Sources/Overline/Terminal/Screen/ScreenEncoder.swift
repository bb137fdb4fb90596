/// Encodes rows as bytes that print them again.
extension Screen {
  /// Appends bytes that print a row's text from the first column on, with attributes and links.
  ///
  /// They begin and end with the pen as after a reset and without a link, and leave the cursor after the last printed cell. Trailing blanks
  /// are erased, not printed, so that nothing is printed in an empty last column.
  package func encode(row: Int, into output: inout [UInt8]) {
    encode(row: row, columns: 0..<columns, into: &output)
  }

  /// Appends bytes that print a row's cells before a column, from the first column on, and leave the cursor there. Terminals disagree about
  /// the columns of this text.
  func encode(row: Int, upTo column: Int, into output: inout [UInt8]) {
    let info = grid[row]
    var encoder = CellEncoder(keepsProtection: brush.protection != .none)
    var isMoved = false
    for index in 0..<min(column, info.used) {
      if isSkipped(row: row, column: index) {
        isMoved = true
        continue
      }
      if isMoved { output.appendCSI(index + 1, final: UInt8(ascii: "G")) }
      isMoved = false
      encode(grid.cells[info.start + index], &encoder, into: &output)
    }
    encoder.end(into: &output)
    if isMoved || info.used < column { output.appendCSI(column + 1, final: UInt8(ascii: "G")) }
  }

  /// Appends bytes that print a part of a row, from the first column of ``wholeCells(row:_:)`` on. The cursor must be there.
  ///
  /// The same rules hold as for a whole row. If only erased cells follow up to the row's end, they are erased.
  ///
  /// - Parameter isErased: the terminal's row is blank, so that a tab can move over its cells.
  package func encode(row: Int, columns range: Range<Int>, isErased: Bool = false, into output: inout [UInt8]) {
    guard row >= 0 && row < rows else { return }
    let range = wholeCells(row: row, range)
    let info = grid[row]
    let background = info.background
    let end = printedEnd(row: row)
    var encoder = CellEncoder(keepsProtection: brush.protection != .none)
    var column = range.lowerBound
    while column < min(end, range.upperBound) {
      let cell = grid.cells[info.start + column]
      if isErased, cell.content == Cell.tab, let next = endOfTab(row: row, column: column, before: end) {
        encoder.change(to: cell, tables.rareStyles, into: &output)
        output.append(0x09)
        column = next
      } else if info.isDisputed, cell.content == 0, cell.background == 0 {
        // The program has moved over these cells.
        let first = column
        repeat { column += 1 } while column < min(end, range.upperBound) && isSkipped(row: row, column: column)
        if !isErased {
          encoder.change(to: Cell(), tables.rareStyles, into: &output)
          output.appendCSI(column - first, final: UInt8(ascii: "X"))
        }
        output.appendCSI(column + 1, final: UInt8(ascii: "G"))
      } else {
        encode(cell, &encoder, into: &output)
        column += 1
      }
    }
    encoder.end(into: &output)
    guard end < range.upperBound else { return }
    // Erase with the background of these cells.
    if background != 0 { Cell.blank(background).encodeStyle(RareStyles.Entry(), into: &output) }
    output += [0x1b, 0x5b, 0x4b]
    if background != 0 { output += [0x1b, 0x5b, 0x6d] }
  }

  /// Whether the terminal has marks in its rows that erasing a line leaves there.
  var hasMarks: Bool { tables.traits.marksRows && (0..<rows).contains { grid[$0].mark != 0 } }

  private func isSkipped(row: Int, column: Int) -> Bool {
    let cell = grid.cell(row, column)
    return cell.content == 0 && cell.background == 0
  }

  /// Appends bytes that print all rows over erased ones, `offset` rows lower. The terminal itself wraps the lines that were wrapped, so that
  /// it can reflow and copy them as one line. Autowrap must be on.
  ///
  /// The same rules hold as for one row. Blank rows are left out.
  func encodeRows(below offset: Int, into output: inout [UInt8]) {
    var continues = false
    for row in 0..<rows {
      let wasContinued = continues
      continues = isFull(row: row)
      if printedEnd(row: row) == 0 && grid[row].background == 0 && grid[row].mark == 0 && !continues {
        if wasContinued { output.append(0x20) }
        continue
      }
      if !wasContinued { output.appendCursorPosition(row: row + offset, column: 0) }
      encode(erasedRow: row, into: &output)
    }
  }

  /// Appends bytes that print the rows down to `last` over erased ones, from the cursor's row on, with relative motions. The cursor is in the
  /// first column, and is in the last row afterwards.
  func encodeRows(through last: Int, into output: inout [UInt8]) {
    for row in 0...last {
      if row > 0, !isFull(row: row - 1) { output += [0x0d, 0x0a] }
      if printedEnd(row: row) == 0 && grid[row].background == 0 && grid[row].mark == 0 && !isFull(row: row) {
        if row > 0, isFull(row: row - 1) { output.append(0x20) }
        continue
      }
      encode(erasedRow: row, into: &output)
    }
  }

  /// Appends bytes that print a row from the first column on, and its mark. The terminal's row is blank.
  func encode(erasedRow row: Int, into output: inout [UInt8]) {
    // At the start of a row that continues a line the terminal's cursor is still in the row above. Only text makes it wrap.
    let isContinued = row > 0 && isFull(row: row - 1)
    let begins = grid.cell(row, 0)
    if isContinued, isSkipped(row: row, column: 0) || begins.content == Cell.tab || printedEnd(row: row) == 0 {
      output += [0x20, 0x0d]
    }
    let mark = grid[row].mark
    if mark != 0, !isContinued { tables.marks.encode(mark, into: &output) }
    encode(textOfErasedRow: row, into: &output)
    if mark != 0, isContinued { tables.marks.encode(mark, into: &output) }
  }

  private func encode(textOfErasedRow row: Int, into output: inout [UInt8]) {
    guard isFull(row: row) else { return encode(row: row, columns: 0..<columns, isErased: true, into: &output) }
    let end = printedEnd(row: row)
    encode(row: row, columns: 0..<end, isErased: true, into: &output)
    if end < columns - 1 { output.appendCSI(columns, final: UInt8(ascii: "G")) }
    // A wide character wraps where one column is left.
    if end < columns, !grid.cell(row + 1, 1).isTrailing { output.append(0x20) }
  }

  /// Appends bytes that make the terminal wrap a full row, at whose end the cursor is, into the next row, and print that row's first
  /// character. Autowrap must be on. A terminal of another width wraps once, too: the last character is printed again in its last column.
  func encodeWrap(after row: Int, into output: inout [UInt8]) {
    output.append("\u{1b}[999C")
    if printedEnd(row: row) == columns || !grid.cell(row + 1, 1).isTrailing {
      let isWide = grid.cell(row, columns - 1).isTrailing
      if isWide { output.append("\u{1b}[D") }
      let column = isWide ? columns - 2 : columns - 1
      encodeGrapheme(row: row, column: column, into: &output)
    }
    encodeGrapheme(row: row + 1, column: 0, into: &output)
  }

  /// Whether the row's text continues in the next row. Its last column may be empty: a wide character did not fit there, or the program has
  /// erased what was there while the wrap was pending.
  func isFull(row: Int) -> Bool {
    guard row + 1 < rows, grid[row].isWrapped else { return false }
    // What the program has erased in the cursor's row, it may print again.
    return printedEnd(row: row + 1) > 0 || cursor.row == row + 1 || isFull(row: row + 1) || wrapsByMark(row: row)
  }

  /// Whether printing the row makes the terminal wrap: a mark in the last column, in a terminal where it joins nothing there.
  private func wrapsByMark(row: Int) -> Bool {
    !tables.margin.marksJoin && grid.cell(row, columns - 1).isCluster
  }

  /// The number of columns that are printed, not erased. Spaces that the program has printed are printed again: for a terminal they are text,
  /// which it wraps at another width, and `Grid.reflow` counts them too.
  private func printedEnd(row: Int) -> Int {
    let info = grid[row]
    var end = info.used
    while end > 0 && isErased(grid.cells[info.start + end - 1], info.background) { end -= 1 }
    return end
  }

  /// The column to which a tab moves, if all cells before it are still blank.
  private func endOfTab(row: Int, column: Int, before end: Int) -> Int? {
    let next = tabStops.after(column, count: 1, limit: columns - 1)
    let isBlank = (column + 1..<next).allSatisfy { grid.cells[grid[row].start + $0].isUntouched }
    return tabStops.areKnown && next < end && isBlank ? next : nil
  }

  /// The columns, extended to both halves of every wide character that they cut, or to the whole row if terminals disagree about its text.
  package func wholeCells(row: Int, _ range: Range<Int>) -> Range<Int> {
    guard row >= 0 && row < rows, !range.isEmpty else { return range }
    // A terminal that counts otherwise has these cells elsewhere.
    if grid[row].isDisputed { return 0..<columns }
    let lower = grid.cell(row, range.lowerBound).isTrailing ? range.lowerBound - 1 : range.lowerBound
    let upper =
      range.upperBound < columns && grid.cell(row, range.upperBound).isTrailing
      ? range.upperBound + 1 : range.upperBound
    return lower..<upper
  }

  private func isErased(_ cell: Cell, _ background: UInt32) -> Bool {
    (cell.content == 0 || cell.content == Cell.tab) && cell.background == background && cell.rare == 0
      && cell.attributes & ~(CellAttributes.protected.rawValue | 1 | 2 | 4) == 0
  }

  /// Appends the character of one cell with its attributes and link; begins and ends with the pen as after a reset.
  ///
  /// The right half of a wide character stands for the whole character.
  package func encodeGrapheme(row: Int, column: Int, into output: inout [UInt8]) {
    guard row >= 0 && row < rows && column >= 0 && column < columns else { return }
    var cell = grid.cell(row, column)
    if cell.isTrailing && column > 0 { cell = grid.cell(row, column - 1) }
    var encoder = CellEncoder(keepsProtection: brush.protection != .none)
    encode(cell, &encoder, into: &output)
    encoder.end(into: &output)
  }

  /// Appends the sequences that set the pen and the link, whatever was set before.
  package func encodePen(into output: inout [UInt8]) {
    brush.cell.encodeStyle(tables.rareStyles.entries[Int(brush.cell.rare)], into: &output)
    output += brush.protection.restore(isOn: pen.attributes.contains(.protected))
    if let link { link.encode(into: &output) }
  }

  private func encode(_ cell: Cell, _ encoder: inout CellEncoder, into output: inout [UInt8]) {
    if cell.isTrailing { return }
    encoder.change(to: cell, tables.rareStyles, into: &output)
    if cell.isCluster {
      for scalar in tables.clusters.scalars(cell.value) { output.append(scalar: scalar) }
    } else {
      output.append(scalar: cell.hasNoText ? 0x20 : cell.value)
    }
  }
}

/// Writes only the differences from one cell to the next.
private struct CellEncoder {
  /// False after a reset, which ended all protection: DECSCA would begin it again.
  private let keepsProtection: Bool
  private var last = Cell()

  init(keepsProtection: Bool) { self.keepsProtection = keepsProtection }

  mutating func change(to cell: Cell, _ styles: RareStyles, into output: inout [UInt8]) {
    let isSame =
      cell.foreground == last.foreground && cell.background == last.background && cell.attributes == last.attributes
      && cell.rare == last.rare
    if isSame { return }
    let link = styles.link(cell.rare)
    if link != styles.link(last.rare) { (link ?? Hyperlink(parameters: [], target: [])).encode(into: &output) }
    if keepsProtection, cell.isProtected != last.isProtected { output += Protection.select(isOn: cell.isProtected) }
    last = cell
    cell.encodeStyle(styles.entries[Int(cell.rare)], into: &output)
    hasLink = link != nil
  }

  private var hasLink = false

  mutating func end(into output: inout [UInt8]) {
    if hasLink { Hyperlink(parameters: [], target: []).encode(into: &output) }
    if keepsProtection, last.isProtected { output += Protection.select(isOn: false) }
    let isStandard = last.foreground == 0 && last.background == 0 && last.attributes == 0 && last.rare == 0
    if !isStandard { output += [0x1b, 0x5b, 0x6d] }
  }
}

extension Hyperlink {
  /// Appends the sequence that begins the link, or ends a link if it has no target.
  func encode(into output: inout [UInt8]) {
    output += [0x1b, 0x5d, 0x38, 0x3b]
    output += parameters
    output.append(0x3b)
    output += target
    output += [0x1b, 0x5c]
  }
}

extension Cell {
  /// Appends SGR that sets the cell's style from scratch.
  fileprivate func encodeStyle(_ rare: RareStyles.Entry, into output: inout [UInt8]) {
    output += [0x1b, 0x5b]
    output.append(0x30)
    let attributes = CellAttributes(rawValue: attributes)
    for (attribute, parameter) in Self.parameters where attributes.contains(attribute) {
      output += [0x3b, parameter]
    }
    switch attributes.underline {
    case 0: break
    case 1: output += [0x3b, 0x34]
    // Uses colons: with semicolons, a terminal without this feature would read the shape as another attribute.
    case let shape: output += [0x3b, 0x34, 0x3a, 0x30 + UInt8(shape)]
    }
    if attributes.contains(.overline) { output += [0x3b, 0x35, 0x33] }
    CellColor(rawValue: foreground).encode(base: 30, into: &output)
    CellColor(rawValue: background).encode(base: 40, into: &output)
    if rare.underlineColor != .standard { rare.underlineColor.encode(base: 50, into: &output) }
    output.append(0x6d)
  }

  private static let parameters: [(CellAttributes, UInt8)] = [
    (.bold, 0x31), (.faint, 0x32), (.italic, 0x33), (.blink, 0x35), (.rapidBlink, 0x36), (.reverse, 0x37),
    (.hidden, 0x38), (.strikethrough, 0x39),
  ]
}

extension CellColor {
  /// - Parameter base: 30 for text, 40 for the background, 50 for the underline.
  fileprivate func encode(base: Int, into output: inout [UInt8]) {
    func add(_ value: Int) {
      output.append(0x3b)
      output.append(decimal: value)
    }
    if let (red, green, blue) = components {
      add(base + 8)
      for value in [2, Int(red), Int(green), Int(blue)] { add(value) }
    } else if let index = paletteIndex.map(Int.init) {
      if base < 50 && index < 8 {
        add(base + index)
      } else if base < 50 && index < 16 {
        add(base + 60 + index - 8)
      } else {
        for value in [base + 8, 5, index] { add(value) }
      }
    }
  }
}

extension [UInt8] {
  /// Appends a scalar in UTF-8.
  mutating func append(scalar value: UInt32) {
    if value < 0x80 { return append(UInt8(truncatingIfNeeded: value)) }
    append(
      contentsOf: Unicode.UTF8.encode(Unicode.Scalar(value) ?? "\u{fffd}") ?? Unicode.UTF8.encodedReplacementCharacter)
  }
}
