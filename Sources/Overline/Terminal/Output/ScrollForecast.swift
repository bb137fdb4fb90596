/// Follows the cursor through output without drawing it, to estimate whether the output may scroll or erase the screen's first row, change
/// the terminal's width, or show the primary screen again. Programs that draw a whole screen move their cursor to absolute positions, and do
/// not scroll, however much they print.
///
/// An estimate: it takes each byte of text for a column.
struct ScrollForecast: VTHandler {
  /// The cursor, from 0. A column equal to ``columns`` is a pending wrap.
  private var row: Int
  private var column: Int
  private let columns: Int
  /// The last row of the scrolling region.
  private let bottom: Int
  /// DECCOLM is allowed (mode 40).
  private var allowsColumnChange: Bool
  private(set) var mayScroll = false
  /// True if the terminal may have moved the rows of the primary screen, which is not visible.
  private let isPrimaryMoved: Bool
  /// The end of the first sequence after which the terminal must report its cursor.
  private(set) var pauseOffset: Int?

  init(row: Int, column: Int, columns: Int, bottom: Int, allowsColumnChange: Bool, isPrimaryMoved: Bool) {
    (self.row, self.column, self.columns, self.bottom) = (row, column, columns, bottom)
    (self.allowsColumnChange, self.isPrimaryMoved) = (allowsColumnChange, isPrimaryMoved)
  }

  /// No character takes more columns than its UTF-8 has bytes.
  mutating func text(_ bytes: Span<UInt8>, _ range: Range<Int>) { advance(range.count) }

  mutating func control(_ byte: UInt8, _ range: Range<Int>) {
    switch ControlCharacter(byte) {
    case .lineFeed, .lineTabulation, .formFeed: moveDown(1)
    case .carriageReturn: column = 0
    case .backspace: column = max(0, column - 1)
    case .characterTabulation:
      // In mode 41 a tab wraps.
      if column == columns { advance(1) }
      moveForward(columns)
    case .shiftOut, .shiftIn, .unknown: break
    }
  }

  mutating func escape(_ intermediate: UInt8, _ final: UInt8, _ range: Range<Int>) {
    switch EscapeCommand(intermediate, final) {
    case .index, .nextLine: moveDown(1)
    case .reverseIndex: row = max(0, row - 1)
    case let command: if command.traits.mayScroll { mayScroll = true }
    }
  }

  mutating func controlSequence(_ sequence: borrowing ControlSequence, _ range: Range<Int>) {
    switch sequence.command {
    case .cursorPosition(let row, let column), .horizontalAndVerticalPosition(let row, let column):
      self.row = row - 1
      self.column = column - 1
    case .linePositionAbsolute(let row): self.row = row - 1
    case .cursorCharacterAbsolute(let column), .characterPositionAbsolute(let column): self.column = column - 1
    case .cursorUp(let count): row = max(0, row - count)
    case .cursorDown(let count), .linePositionForward(let count): row += count
    case .cursorForward(let count), .characterPositionForward(let count): moveForward(count)
    case .cursorForwardTabulation: moveForward(columns)
    case .cursorBackward(let count): column = max(0, column - count)
    case .repeatCharacter(let count): advance(count)
    case .setPrivateMode: noteModes(sequence, isSet: true, range)
    case .resetPrivateMode: noteModes(sequence, isSet: false, range)
    case .eraseInDisplay(.fromCursor): if row == 0, column == 0 { mayScroll = true }
    default: if sequence.command.traits.mayScroll { mayScroll = true }
    }
  }

  mutating func string(_ kind: ControlString, _ bytes: Span<UInt8>, _ range: Range<Int>, isStart: Bool, isEnd: Bool) {
    if isStart, kind.mayHoldPicture(bytes, range) { mayScroll = true }
  }

  private mutating func noteModes(_ sequence: borrowing ControlSequence, isSet: Bool, _ range: Range<Int>) {
    for index in 0..<sequence.count {
      guard let mode = sequence[index].flatMap({ PrivateMode(number: $0) }) else { continue }
      if mode.concernsRows { mayScroll = true }
      if mode == .allowsColumn { allowsColumnChange = isSet }
      let pauses =
        switch mode {
        case .column: allowsColumnChange
        // The other modes for the alternate screen do not restore the primary screen's cursor: its place would tell nothing.
        case .alternateScreenAndCursor: isPrimaryMoved && !isSet
        default: false
        }
      if pauses { pauseOffset = pauseOffset ?? range.upperBound }
    }
  }

  private mutating func advance(_ count: Int) {
    column += count
    guard column > columns else { return }
    moveDown((column - 1) / columns)
    column = (column - 1) % columns + 1
  }

  private mutating func moveForward(_ count: Int) { column = min(column + count, columns - 1) }

  private mutating func moveDown(_ count: Int) {
    row += count
    if row > bottom { mayScroll = true }
  }
}
