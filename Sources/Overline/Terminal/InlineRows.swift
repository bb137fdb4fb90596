/// Control sequences that keep the last rows of a terminal free for a banner, while a program prints lines above them. A program that only
/// prints does not notice them.
///
/// The terminal saves and restores the program's cursor, pen and character sets (DECSC, DECRC) in each of them. They assume that the
/// program has set neither margins nor origin mode, that the cursor is at the end of its last line, and that it has printed nothing below.
///
/// After their release the rows are blank, and the program's next lines fill them. Their earlier content has moved up, and the first lines
/// have moved into the scrollback, from which no terminal returns lines on request.
package enum InlineRows {
  /// Makes the last rows free, whatever number was free before, and keeps the lines above them.
  ///
  /// Erases everything below the cursor, which is only the rows of a banner that a resize has moved.
  ///
  /// - Parameters:
  ///   - rows: the number of rows, less than the terminal's height.
  ///   - windowRows: the terminal's height.
  package static func reserve(_ rows: Int, of windowRows: Int) -> String {
    // Moves the cursor down (IND) and up again. Without room below the cursor, the screen scrolls, and its first lines go to the
    // scrollback. Line feeds would lose the column.
    let room = String(repeating: "\u{1b}D", count: rows) + "\u{1b}[\(rows)A"
    return withoutMargins + room + eraseBelow + kept("\u{1b}[1;\(windowRows - rows)r")
  }

  /// Draws rows at any place of the terminal, and keeps the cursor and pen.
  ///
  /// - Parameters:
  ///   - rows: the bytes that print each row from its first column, with the default pen.
  ///   - first: the place of the first row, counted from 1.
  package static func paint(_ rows: [[UInt8]], from first: Int) -> [UInt8] {
    if rows.isEmpty { return [] }
    return Array("\u{1b}7".utf8) + place(rows, from: first) + Array("\u{1b}8".utf8)
  }

  /// Like ``paint(_:from:)``, but leaves the cursor behind the last row.
  package static func place(_ rows: [[UInt8]], from first: Int) -> [UInt8] {
    rows.enumerated().flatMap { index, row in Array("\u{1b}[\(first + index);1H\u{1b}[m".utf8) + row }
  }

  /// Releases the rows, for any number of rows and any size of the terminal. A constant, because a signal handler must not compute.
  package static let release = withoutMargins + eraseBelow

  /// Setting margins moves the cursor to the first row.
  private static let withoutMargins = kept("\u{1b}[r")
  /// Erases the rows below the cursor. There is at least one, since the margins kept the cursor above it.
  private static let eraseBelow = kept("\u{1b}[m\u{1b}[B\r\u{1b}[J")

  private static func kept(_ text: String) -> String { "\u{1b}7\(text)\u{1b}8" }
}
