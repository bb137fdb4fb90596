/// What an erasing or shifting operation does while a wrap is pending in the last column: W stands there, X comes next.
package enum MarginOutcome: Sendable {
  /// W stays, the wrap stays pending.
  case kept
  /// W is erased, the wrap stays pending.
  case hole
  /// W is erased, the wrap is cancelled: X comes into the last column.
  case last
  /// The cursor moves to column 1.
  case column1
  /// The terminal wraps first, then acts on the next row.
  case nextRow
}

/// The outcomes of the operations that act on cells.
package struct EraseRules: Sendable {
  /// EL 0.
  package var lineEnd = MarginOutcome.hole
  /// ED 0.
  package var displayEnd = MarginOutcome.hole
  /// EL 1 and ED 1.
  package var start = MarginOutcome.hole
  /// EL 2 and ED 2.
  package var all = MarginOutcome.hole
  /// ECH, DCH, ICH.
  package var characters = MarginOutcome.hole
  /// IL, DL. `column1` applies without a pending wrap, too.
  package var lines = MarginOutcome.hole
}

/// What a movement does with a pending wrap.
package enum MovementOutcome: Sendable {
  case kept
  case cancelled
  /// The terminal wraps first.
  case nextRow
}

/// What a character does to a pending wrap while autowrap (mode 7) is off.
package enum UnwrappedOutcome: Sendable {
  case wraps
  case overwrites
  case isDropped
}

/// Which operations keep a pending wrap.
package struct PendingRules: Sendable {
  package var columnPosition = MovementOutcome.cancelled
  package var rowPosition = MovementOutcome.cancelled
  package var forward = MovementOutcome.cancelled
  package var vertical = MovementOutcome.cancelled
  /// LF, IND and RI.
  package var lineFeed = MovementOutcome.cancelled
  package var tab = MovementOutcome.kept
  /// BS moves to the column before; else it stays in the last column.
  package var backspaceMoves = true
  /// DECSC and DECRC, CSI s and u.
  package var isSaved = false
  package var isSavedByAlternateScreen = false
  /// ?7l ?7h.
  package var survivesAutowrapChange = true
  package var withoutAutowrap = UnwrappedOutcome.overwrites
  /// A character in the last column makes a wrap pending in ?7l too; ?7h brings it into effect.
  package var isSetWithoutAutowrap = true
  /// A combining mark or VS16 joins W; else it wraps first.
  package var marksJoin = true
  package var joinerJoins = true
  package var report = PendingReport.lastColumn
}

/// DSR 6 while a wrap is pending.
package enum PendingReport: Sendable {
  /// `r;C`.
  case lastColumn
  /// `r;C+1`.
  case beyond
  /// `r+1;1`, in the last row `r;C`.
  case nextRow
}

/// The operations that end the soft wrap of the row in which they act.
package struct WrapEnders: OptionSet, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package static let eraseLineEnd = WrapEnders(rawValue: 1)
  package static let eraseLineStart = WrapEnders(rawValue: 2)
  package static let eraseLine = WrapEnders(rawValue: 4)
  package static let eraseCharacters = WrapEnders(rawValue: 8)
  package static let shiftCharacters = WrapEnders(rawValue: 16)
  /// A character in any column.
  package static let printing = WrapEnders(rawValue: 32)
  /// The flag is part of the last column's cell: whatever replaces that cell ends the wrap.
  package static let lastCell = WrapEnders(rawValue: 64)
  /// LF in the row.
  package static let lineFeed = WrapEnders(rawValue: 128)
  /// The wrap out of the region's last row, while margins are set.
  package static let marginScroll = WrapEnders(rawValue: 256)
  /// An erasure that starts in column 1 clears the flag of the row above, too.
  package static let eraseFromFirstColumn = WrapEnders(rawValue: 512)
}
