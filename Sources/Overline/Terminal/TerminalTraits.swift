/// What a terminal does with its rows where terminals differ.
package struct TerminalTraits: Equatable, Sendable {
  /// False in xterm and mlterm, which cut lines off at a new width. Other terminals rewrap them.
  package var reflows = true

  /// True in urxvt: at another width it leaves its cursor in its column, and puts it into the first row of its line. Other terminals move
  /// the cursor with its text.
  package var keepsCursorColumn = false

  /// True where erased cells with a background colour are text to a terminal that becomes narrower: VTE and Alacritty move them to the next
  /// row. Other terminals are treated like VTE: then a copy of the banner may get to the scrollback, but no line is joined to it.
  package var breaksErasedCells = false

  /// True in VTE and Alacritty, which break erased cells, and where EL ends a wrap: a space that wraps only in a narrower terminal shows
  /// that it has broken the banner.
  package var findsBrokenRows = false

  /// The most bytes of a batch of output that scrolls below the banner in place. xterm and urxvt take a new size between two reads of such a
  /// batch: if the cursor is above its row at that moment, they cut off the rows below it, and keep rows that the next bytes overwrite. One read
  /// gets up to 4 KB. In xterm and mlterm, which do not rewrap, a lift is safer still. VTE takes a size after the bytes that wait.
  package var maximumInPlace = 64 << 10

  /// True in kitty: it rewraps scrollback and screen each for itself. A line that begins in the scrollback stays divided there.
  package var rewrapsScreenAlone = false

  /// True in VTE (0.70, `Terminal::cursor_down`): a line that wraps in the last row of margins becomes two lines, unless the margins are the
  /// whole screen.
  package var endsWrapsInMargins = false

  /// True in Alacritty: at a new width it drops spaces at the end of a line.
  package var dropsBlanks = false

  /// True in tmux: erased cells stay part of their row, which breaks in a narrower terminal, until EL 2 or ED erases the row whole.
  package var countsErasedCells = false

  /// Whether the number of the banner's cells that count in its row is certain, see ``breaksErasedCells``. In tmux the row may be longer: text
  /// that was in it counts.
  package var knowsBannerLength = false

  /// True in kitty and foot, which mark rows for shell integration (OSC 133). Other terminals mark cells, or nothing.
  package var marksRows = false

  /// True in foot: it moves its rows at once, and signals the new size 100 ms after the dragged edge rests (`resize-delay-ms`).
  package var signalsSizeLate = false

  /// - Parameter family: nil for an unknown terminal.
  package init(_ family: TerminalFamily?) {
    switch family {
    case .xterm:
      (reflows, maximumInPlace, knowsBannerLength) = (false, 0, true)
    case .mlterm:
      (reflows, maximumInPlace) = (false, 0)
    case .vte:
      (breaksErasedCells, findsBrokenRows, knowsBannerLength, endsWrapsInMargins) = (true, true, true, true)
    case .alacritty:
      (breaksErasedCells, findsBrokenRows, knowsBannerLength, dropsBlanks) = (true, true, true, true)
    case .kitty:
      (rewrapsScreenAlone, marksRows, knowsBannerLength) = (true, true, true)
    case .foot:
      (marksRows, signalsSizeLate, knowsBannerLength) = (true, true, true)
    case .urxvt:
      (keepsCursorColumn, maximumInPlace, knowsBannerLength) = (true, 4 << 10, true)
    case .tmux: countsErasedCells = true
    case .screen: break
    case .konsole, .st: breaksErasedCells = true
    case nil: (breaksErasedCells, maximumInPlace) = (true, 4 << 10)
    }
  }
}
