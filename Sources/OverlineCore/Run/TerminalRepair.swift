internal import Overline

/// The bytes that restore a terminal to the state that a shell expects, after a window or any other program was killed in it.
package enum TerminalRepair {
  /// Resets only modes that programs turn on for themselves, so that nothing on the screen is lost.
  package static let sequence: [UInt8] = Array(
    [
      // Ends an open string or sequence: CAN, then ST.
      "\u{18}\u{1b}\\",
      // The synchronized update ends first: until then nothing is visible.
      "\u{1b}[?2026l",
      // Back from the alternate screen; this restores the cursor. Each screen saves its own cursor: on the primary screen the terminal
      // restores the place that DECSC has just saved.
      "\u{1b}7\u{1b}[?1049l",
      // Soft reset (DECSTR): margins, origin, insert, attributes, character sets, saved cursor, cursor shown. Then each mode that DECSTR
      // does not reset in some terminals.
      "\u{1b}[!p",
      // Resetting margins and origin mode moves the cursor home: keep its place.
      "\u{1b}7\u{1b}[?69l\u{1b}[r\u{1b}[?6l\u{1b}8",
      "\u{1b}[4l\u{1b}[20l\u{1b}[?5l", otherModes,
      "\u{1b}[0m\u{1b}]8;;\u{1b}\\",
      "\u{1b}(B\u{1b})B\u{f}",
      // Highlight tracking, focus, colour-scheme reports.
      "\u{1b}[?1001l\u{1b}[?1004l\u{1b}[?2031l",
      // Keys: cursor and keypad as usual, xterm's modified keys off, kitty's stack emptied.
      "\u{1b}[?1l\u{1b}>\u{1b}[>4;0m\u{1b}[<99u",
      // Erase the cursor's line, which may hold part of a broken sequence.
      "\r\u{1b}[K",
    ].joined().utf8)

  /// The modes of ``PrivateMode`` whose place in the sequence does not matter.
  private static var otherModes: String {
    let placed: Set<PrivateMode> = [.synchronizedOutput, .alternateScreenAndCursor, .leftRightMargin, .origin]
    return PrivateMode.allCases.filter { !placed.contains($0) }.map { mode in
      switch mode.facts.rest {
      case .on: "\u{1b}[?\(mode.rawValue)h"
      case .off: "\u{1b}[?\(mode.rawValue)l"
      case .kept: ""
      }
    }.joined()
  }
}
