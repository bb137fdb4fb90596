/// The last rows of a terminal, kept free for a banner while a program prints lines above them: control sequences that a program which
/// only prints does not notice.
///
/// The program's cursor, pen and character sets are saved and restored by the terminal (DECSC, DECRC): they are the program's again
/// after each of these. They assume a terminal at ground state, which is no margins and no origin mode of the program's own, and the
/// cursor where its last line ends, with nothing of its own below.
///
/// Given back, the rows are blank, and the program's next lines fill them. What stood there before went up, and the first lines to the
/// terminal's scrollback, from which no terminal gives anything back when it is asked.
package enum InlineRows {
  /// Makes the last rows free, from whatever was free before, and keeps what is printed above them.
  ///
  /// What is below the cursor is erased: rows of a banner that a resize has moved, and nothing else.
  ///
  /// - Parameters:
  ///   - rows: how many, fewer than the terminal has.
  ///   - windowRows: the terminal's height.
  package static func reserve(_ rows: Int, of windowRows: Int) -> String {
    // Down and up again: where there is no room below the cursor, the screen scrolls, and the first lines go to the scrollback. Not by
    // line feeds, which would lose the column.
    let room = String(repeating: "\u{1b}D", count: rows) + "\u{1b}[\(rows)A"
    return withoutMargins + room + eraseBelow + kept("\u{1b}[1;\(windowRows - rows)r")
  }

  /// Draws rows, wherever they are.
  ///
  /// - Parameters:
  ///   - rows: for each what prints it from its first column, with the default pen.
  ///   - first: the place of the first, counted from 1.
  package static func paint(_ rows: [[UInt8]], from first: Int) -> [UInt8] {
    if rows.isEmpty { return [] }
    var bytes = Array("\u{1b}7".utf8)
    for (index, row) in rows.enumerated() { bytes += Array("\u{1b}[\(first + index);1H\u{1b}[m".utf8) + row }
    return bytes + Array("\u{1b}8".utf8)
  }

  /// Gives the rows back, whatever their number and the terminal's size: also for a signal handler, which must not compute.
  package static let release = withoutMargins + eraseBelow

  /// Setting margins moves the cursor to the first row.
  private static let withoutMargins = kept("\u{1b}[r")
  /// The rows below the cursor. There is one, since margins kept the cursor above it.
  private static let eraseBelow = kept("\u{1b}[m\u{1b}[B\r\u{1b}[J")

  private static func kept(_ text: String) -> String { "\u{1b}7\(text)\u{1b}8" }
}
