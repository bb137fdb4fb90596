package import OverlineSystem

/// Brings a terminal back to what a shell expects, after a window, or any other program, was killed in it.
package enum TerminalRepair {
  /// What is written: only what a program turns on for itself, so that nothing on the screen is lost.
  package static let sequence: [UInt8] = Array(
    [
      // Out of a string or a sequence that was left open: CAN, then ST.
      "\u{18}\u{1b}\\",
      // The end of a synchronized update comes first: before it nothing is seen.
      "\u{1b}[?2026l",
      // Back from the alternate screen. That restores the cursor, which each screen saves for itself: where there is no way back, it
      // is the place that was saved just now.
      "\u{1b}7\u{1b}[?1049l",
      // Soft reset (DECSTR): margins, origin, insert, attributes, character sets, saved cursor, cursor shown. Then each that some
      // terminals leave out of it.
      "\u{1b}[!p",
      // Margins and origin mode off move the cursor home: keep its place.
      "\u{1b}7\u{1b}[?69l\u{1b}[r\u{1b}[?6l\u{1b}8",
      "\u{1b}[4l\u{1b}[20l\u{1b}[?7h\u{1b}[?25h\u{1b}[?5l",
      "\u{1b}[0m\u{1b}]8;;\u{1b}\\",
      "\u{1b}(B\u{1b})B\u{f}",
      // Mouse, its encodings, focus, paste, in-band resize, colour-scheme reports.
      "\u{1b}[?9l\u{1b}[?1000l\u{1b}[?1001l\u{1b}[?1002l\u{1b}[?1003l\u{1b}[?1004l\u{1b}[?1005l\u{1b}[?1006l\u{1b}[?1015l\u{1b}[?1016l",
      "\u{1b}[?2004l\u{1b}[?2031l\u{1b}[?2048l",
      // Keys: cursor and keypad as usual, xterm's modified keys off, kitty's protocol emptied.
      "\u{1b}[?1l\u{1b}>\u{1b}[>4;0m\u{1b}[<99u",
      // Whatever line the cursor is in may hold half of something.
      "\r\u{1b}[K",
    ].joined().utf8)

  /// Repairs the terminal on standard input, also where that can only be read: `overline reset < /dev/pts/3`.
  package static func run() throws(SystemError) {
    try TerminalModes(of: 0).sane.take(0)
    if let terminal = OwnTerminal.reopen(0) {
      try writeAll(sequence, to: terminal.rawValue)
    } else {
      try writeAll(sequence, to: 0)
    }
  }
}
