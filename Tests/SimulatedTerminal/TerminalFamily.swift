/// The rules in which terminals differ. Each is a value, so that a test can change a single one.
package struct TerminalFamily: Sendable {
  package let name: String
  package var resizing: Resizing
  /// The alternate screen's rule, which has no scrollback.
  package var alternateResizing = Resizing.cut
  package var scrolling = ScrollRules()
  package var erasing = EraseRules()
  package var pending = PendingRules()
  package var wrapEnders: WrapEnders = []
  package var widths = WidthRules()
  package var answers: AnswerRules
  package var arrival = ArrivalRules()
  package var marks = MarkRules()
  package var controls: C1Controls = []
  /// Erased cells take the current background.
  package var erasesWithBackground = true
  /// REP; nil where the terminal ignores it.
  package var repetition: RepetitionRule? = .wraps
  /// A character in the right half of a wide one leaves the left half as it is.
  package var keepsLeftHalf = false
  /// The gap at a row's end, before a wide character that wrapped, is a space once a reflow moved it into a row.
  package var showsMovedGaps = false
  /// What EL 0 and other erasures of a row's end leave still counts at a reflow.
  package var erasedCellsCount = false
  /// Erasing with a background colour makes a row longer. In tmux and urxvt the colour alone does not break a row at a smaller width.
  package var erasedColorsCount = true
  /// Hyperlinks, marks and titles (OSC 8, 133): tmux and screen drop them.
  package var hasLinks = true

  package init(name: String, resizing: Resizing, answers: AnswerRules) {
    self.name = name
    self.resizing = resizing
    self.answers = answers
  }
}

/// What enters the scrollback besides lines that leave the screen at its top.
package struct ScrollRules: Sendable {
  /// Lines that scroll out of a region below row 1 are saved too.
  package var savesFromAnyRow = false
  /// DL saves like a scroll.
  package var deletionSaves = false
  /// RI, IL and SD take the place of the newest lines of the scrollback.
  package var reverseScrollTakesHistory = false
  /// ED 2.
  package var erasure = ErasureSaving.nothing
  /// ED 0 in row 1, column 1 acts as ED 2.
  package var eraseBelowFromHomeIsErasure = false
  /// ED 3 erases the screen too.
  package var historyErasureErasesScreen = false
  /// ED 3 erases the scrollback.
  package var erasesHistory = true
}

package enum ErasureSaving: Sendable {
  case nothing
  /// Rows down to the last one with content.
  case used
  /// All rows that exist, and the cursor stays in its row (VTE).
  case existing
}

/// When bytes, answers and signals meet a new size. The world uses it; the terminal does not.
package struct ArrivalRules: Sendable {
  /// Bytes that wait at a resize are handled at the new size.
  package var waitingBytesSeeNewSize = true
  /// A new size comes between two reads of one write.
  package var takesSizeBetweenReads = true
  /// The kernel knows the size before the answer to a waiting question arrives.
  package var sizeBeforeAnswer = true
  /// The longest time in milliseconds from an answer to the size that it did not see.
  package var sizeAfterAnswer = 0
  /// The time in milliseconds from the last step of a drag to its signal.
  package var signalDelay = 0
  /// Answers come while the terminal is stopped, since a server gives them.
  package var answersWhileStopped = false
  /// The most signals in a drag; 0 for one per step.
  package var signalsPerDrag = 0
}

package struct MarkRules: Sendable {
  /// OSC 133 A flags the row.
  package var prompt = false
  /// OSC 133 C flags the row.
  package var output = false
  /// An erasure clears the flags of the rows strictly between its first and its last row (foot); else of all whole rows.
  package var erasureSparesLastRow = false
  /// A resize blanks the rows from the last A without a C after it.
  package var resizeBlanksPrompt = false
}

/// C1 controls that arrive as UTF-8.
package struct C1Controls: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let index = C1Controls(rawValue: 1)
  package static let nextLine = C1Controls(rawValue: 2)
  package static let reverseIndex = C1Controls(rawValue: 4)
  package static let controlSequence = C1Controls(rawValue: 8)
  package static let all: C1Controls = [.index, .nextLine, .reverseIndex, .controlSequence]
  /// U+0085 is a character of one column.
  package static let nextLineIsPrinted = C1Controls(rawValue: 16)
}

package enum RepetitionRule: Sendable {
  case wraps
  /// Not beyond the last column.
  case staysInRow
  /// As often as the row has columns left, and once where it has none.
  case onceBeyondRow
}

/// What the terminal answers; nil for nothing.
package struct AnswerRules: Sendable {
  package var version: String?
  package var primary: String
  package var secondary: String?
  /// ?6n.
  package var reportsPrivateCursor = false
  /// XTWINOPS 18: `CSI 8 ; rows ; columns t`. tmux 3.3a reports the columns first.
  package enum Size: Sendable { case none, rowsFirst, columnsFirst }
  package var size = Size.none
  /// DECRQM.
  package var reportsModes = false
  /// The value for mode 2026 while it is reset; 0 unknown, 2 reset, 4 permanently reset.
  package var synchronizedMode = 0
  /// OSC 11 ?.
  package var background: String? = "rgb:0000/0000/0000"
}
