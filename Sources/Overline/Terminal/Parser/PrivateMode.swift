/// The modes of DECSET and DECRST that the screen or the rewriter implements.
package enum PrivateMode: UInt16, Equatable, Sendable, CaseIterable {
  case column = 3  // DECCOLM
  case origin = 6  // DECOM
  case autowrap = 7  // DECAWM
  case x10Mouse = 9
  case textCursor = 25  // DECTCEM
  /// Allows DECCOLM.
  case allowsColumn = 40
  /// xterm's fix for more(1): a tab performs a pending wrap first.
  case tabWraps = 41
  /// A backspace in the first column moves to the end of the row above.
  case reverseWrap = 45
  /// The alternate screen, with its earlier content.
  case alternateScreen = 47
  case leftRightMargin = 69  // DECLRMM
  /// DECCOLM does not clear the screen.
  case keepsScreen = 95  // DECNCSM
  case normalMouse = 1000
  case buttonEventMouse = 1002
  case anyEventMouse = 1003
  case utf8Mouse = 1005
  case sgrMouse = 1006
  case urxvtMouse = 1015
  case sgrPixelMouse = 1016
  /// Like 45, also where no line continues in the next row.
  case extendedReverseWrap = 1045
  /// The alternate screen; leaving it clears it.
  case clearedAlternateScreen = 1047
  /// DECSC and DECRC.
  case savedCursor = 1048
  /// The alternate screen; entering clears it. DECSC comes before, DECRC after.
  case alternateScreenAndCursor = 1049
  case bracketedPaste = 2004
  case synchronizedOutput = 2026
  case inBandResize = 2048

  /// Nil if the number is missing, or has no effect here.
  init?(number: Int?) {
    guard let number else { return nil }
    self.init(rawValue: UInt16(truncatingIfNeeded: number))
  }
}

extension PrivateMode {
  package struct Facts: Sendable {
    /// What it sets in ``Modes``. Nil for a mode with other effects, which are in `Screen.setPrivateMode`.
    fileprivate(set) var flag: (any WritableKeyPath<Modes, Bool> & Sendable)?
    /// What it does to the terminal's rows, or to the way in which the terminal counts them.
    fileprivate(set) var rows = RowEffect.none
    package fileprivate(set) var rest: Rest

    fileprivate static func flag(_ flag: any WritableKeyPath<Modes, Bool> & Sendable, _ rest: Rest) -> Facts {
      Facts(flag: flag, rest: rest)
    }
    fileprivate static func rows(_ rows: RowEffect, _ rest: Rest) -> Facts { Facts(rows: rows, rest: rest) }
    fileprivate static func other(_ rest: Rest) -> Facts { Facts(rest: rest) }
  }

  enum RowEffect: Sendable {
    case none
    /// It erases the screen, and resets margins.
    case resets
    /// It changes the margins or the origin.
    case restricts
    case switchesScreen
    case savesCursor
  }

  /// What `overline reset` does with the mode after a program was killed.
  package enum Rest: Sendable {
    case on, off
    /// Nothing: it does a shell no harm, or a change would.
    case kept
  }

  package var facts: Facts {
    switch self {
    // The terminal would erase its screen.
    case .column: .rows(.resets, .kept)
    case .origin, .leftRightMargin: .rows(.restricts, .off)
    case .autowrap: .other(.on)
    case .textCursor: .flag(\Modes.isCursorVisible, .on)
    // These only change DECCOLM.
    case .allowsColumn: .flag(\Modes.allowsColumnChange, .kept)
    case .keepsScreen: .flag(\Modes.keepsScreen, .kept)
    case .tabWraps: .flag(\Modes.tabWraps, .kept)
    case .reverseWrap: .flag(\Modes.reverseWraps, .kept)
    case .extendedReverseWrap: .flag(\Modes.reverseWrapsAlways, .kept)
    // 1049 leaves the alternate screen.
    case .alternateScreen, .clearedAlternateScreen: .rows(.switchesScreen, .kept)
    case .alternateScreenAndCursor: .rows(.switchesScreen, .off)
    // The cursor would move.
    case .savedCursor: .rows(.savesCursor, .kept)
    case .x10Mouse, .normalMouse, .buttonEventMouse, .anyEventMouse: .other(.off)
    case .utf8Mouse, .sgrMouse, .urxvtMouse, .sgrPixelMouse: .other(.off)
    case .bracketedPaste: .flag(\Modes.isBracketedPaste, .off)
    case .synchronizedOutput: .flag(\Modes.isSynchronized, .off)
    case .inBandResize: .flag(\Modes.reportsResize, .off)
    }
  }

  /// Whether setting or resetting this mode changes the terminal's rows, or the way in which it counts them.
  var concernsRows: Bool { facts.rows != .none }
}
