@testable import Overline

/// The first bytes set the screen's size, how the rest arrives and what happens meanwhile; the rest is a program's output.
enum ScreenTarget {
  static func run(_ bytes: [UInt8]) {
    guard bytes.count > 4 else { return }
    let rows = Int(bytes[0] & 31)
    let columns = Int(bytes[1] & 63)
    let output = Array(bytes[4...])
    let isKnown = bytes[3] & 1 != 0
    var whole = Screen(rows: rows, columns: columns, isKnown: isKnown)
    whole.write(output)
    isSound(whole)
    isDrawnAgain(whole)
    var cut = Screen(rows: rows, columns: columns, isKnown: isKnown)
    for piece in pieces(output, Int(bytes[2]) + 1) { cut.write(piece) }
    isSame(whole, cut)
    var disturbed = Screen(rows: rows, columns: columns, isKnown: isKnown)
    for (index, piece) in pieces(output, Int(bytes[2]) + 1).enumerated() {
      disturb(&disturbed, Int(bytes[3]) + index)
      disturbed.write(piece)
      // Each look costs more than a short piece.
      if index % 16 == 0 { isSound(disturbed) }
    }
    isSound(disturbed)
  }

  private static func pieces(_ output: [UInt8], _ size: Int) -> [[UInt8]] {
    stride(from: 0, to: output.count, by: size).map { Array(output[$0..<min($0 + size, output.count)]) }
  }

  /// Changes that a window makes to a screen between two reads.
  private static func disturb(_ screen: inout Screen, _ number: Int) {
    switch number % 11 {
    case 0: screen.removeRows(top: number % 5)
    case 1: screen.removeRows(bottom: number % 4)
    case 2: screen.prependBlankRows(number % 3)
    case 3: screen.appendBlankRows(number % 6)
    case 4: screen.resize(columns: number % 70)
    case 5: screen.skim(Array("a\u{1b}[3;4Hb\u{1b}7\u{1b}[?1049h".utf8))
    case 6: screen.place(cursorRow: number % 40 - 2, column: number % 70 - 2)
    default: break
    }
  }

  private static func isSound(_ screen: borrowing Screen) {
    precondition((0..<screen.rows).contains(screen.cursor.row) && (0..<screen.columns).contains(screen.cursor.column))
    let margins = screen.margins
    precondition(0 <= margins.top && margins.top <= margins.bottom && margins.bottom < screen.rows)
    precondition(0 <= margins.left && margins.left <= margins.right && margins.right < screen.columns)
    precondition(screen.tabStops.count == screen.columns)
    for row in 0..<screen.rows {
      for column in 0..<screen.columns {
        let cell = screen.grid.cell(row, column)
        precondition(!cell.isWide || column + 1 < screen.columns && screen.grid.cell(row, column + 1).isTrailing)
        precondition(!cell.isTrailing || column > 0 && screen.grid.cell(row, column - 1).isWide)
        _ = screen.cell(row: row, column: column)
      }
    }
  }

  private static func isSame(_ left: borrowing Screen, _ right: borrowing Screen) {
    precondition(left.cursor == right.cursor && left.pen == right.pen && left.modes == right.modes)
    precondition(left.margins == right.margins && left.savedCursor == right.savedCursor)
    for row in 0..<left.rows {
      precondition(left.isKnown(row: row) == right.isKnown(row: row))
      for column in 0..<left.columns {
        precondition(left.cell(row: row, column: column) == right.cell(row: row, column: column))
      }
    }
  }

  /// The encoded rows produce the same cells on another screen.
  private static func isDrawnAgain(_ screen: borrowing Screen) {
    var copy = Screen(rows: screen.rows, columns: screen.columns, isKnown: true)
    for row in 0..<screen.rows {
      var bytes = Array("\u{1b}[\(row + 1);1H".utf8)
      screen.encode(row: row, into: &bytes)
      copy.write(bytes)
    }
    precondition(copy.pen == Style() && copy.link == nil)
    for row in 0..<screen.rows {
      for column in 0..<screen.columns {
        var cell = looks(screen.cell(row: row, column: column))
        // A reset removes protection, which then cannot be drawn.
        if screen.brush.protection == .none { cell.style.attributes.remove(.protected) }
        precondition(cell == looks(copy.cell(row: row, column: column)))
      }
    }
  }

  /// Blanks look alike, whether they were printed or erased.
  private static func looks(_ cell: ScreenCell) -> ScreenCell {
    var cell = cell
    if cell.text.isEmpty && cell.width > 0 { cell.text = " " }
    let attributes = cell.style.attributes.subtracting([.protected, .bold, .faint, .italic])
    if cell.text == " " && attributes.isEmpty && cell.link == nil {
      cell.style.foreground = .standard
      cell.style.underlineColor = .standard
      cell.style.attributes = []
    }
    return cell
  }
}
