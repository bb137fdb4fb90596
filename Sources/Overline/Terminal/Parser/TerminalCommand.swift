/// The command of a control sequence, named as in ECMA-48 and in the manuals of DEC and xterm.
///
/// Only ``ControlSequence/command`` decodes the bytes. The screen, the rewriter and ``traits`` switch over the cases without `default:`,
/// so for a new case the compiler reports each place that must handle it. Elsewhere a `default:` is the safe answer. Lists of any length,
/// and parameters that only one place reads, stay in the sequence.
package enum TerminalCommand: Equatable, Sendable {
  // MARK: The cursor

  case cursorUp(Int)  // CUU
  case cursorDown(Int)  // CUD
  case cursorForward(Int)  // CUF
  case cursorBackward(Int)  // CUB
  case cursorNextLine(Int)  // CNL
  case cursorPrecedingLine(Int)  // CPL
  case cursorCharacterAbsolute(Int)  // CHA
  case cursorPosition(row: Int, column: Int)  // CUP
  case horizontalAndVerticalPosition(row: Int, column: Int)  // HVP
  case characterPositionAbsolute(Int)  // HPA
  case characterPositionForward(Int)  // HPR
  case linePositionAbsolute(Int)  // VPA
  case linePositionForward(Int)  // VPR
  case restoreCursor  // SCORC

  // MARK: Tabs

  case cursorForwardTabulation(Int)  // CHT
  case cursorBackwardTabulation(Int)  // CBT
  case cursorTabulationControl(Int)  // CTC
  case tabulationClear(Int)  // TBC
  case setTabStopEveryEightColumns  // DECST8C

  // MARK: Cells

  case eraseInDisplay(ErasedPart)  // ED
  case selectiveEraseInDisplay(ErasedPart)  // DECSED
  case eraseInLine(ErasedPart)  // EL
  case selectiveEraseInLine(ErasedPart)  // DECSEL
  case eraseCharacter(Int)  // ECH
  case insertCharacter(Int)  // ICH
  case deleteCharacter(Int)  // DCH
  case insertLine(Int)  // IL
  case deleteLine(Int)  // DL
  case insertColumn(Int)  // DECIC
  case deleteColumn(Int)  // DECDC
  case scrollUp(Int)  // SU
  case scrollDown(Int)  // SD
  /// SD with the final byte that ECMA-48 misprinted in 1991. Fewer terminals support it.
  case misprintedScrollDown(Int)
  case scrollLeft(Int)  // SL
  case scrollRight(Int)  // SR
  case repeatCharacter(Int)  // REP
  /// SGR; the attributes are in the sequence.
  case selectGraphicRendition
  case selectCharacterProtection(isProtected: Bool)  // DECSCA

  // MARK: Rectangles: their places are in the sequence

  case changeAttributesInRectangle  // DECCARA
  case reverseAttributesInRectangle  // DECRARA
  case selectAttributeChangeExtent(isRectangle: Bool)  // DECSACE
  case copyRectangle  // DECCRA
  case fillRectangle  // DECFRA
  case eraseRectangle  // DECERA
  case selectiveEraseRectangle  // DECSERA
  case requestChecksumOfRectangle  // DECRQCRA

  // MARK: Modes: their numbers are in the sequence

  case setMode  // SM
  case resetMode  // RM
  /// DECSET; each number is a ``PrivateMode``.
  case setPrivateMode
  case resetPrivateMode  // DECRST
  case savePrivateMode  // XTSAVE
  case restorePrivateMode  // XTRESTORE

  // MARK: Margins and resets

  /// DECSTBM. A bottom of 0 is the last row.
  case setTopAndBottomMargins(top: Int, bottom: Int)
  /// DECSLRM under DECLRMM, else SCOSC: the bytes are the same. A right margin of 0 is the last column.
  case setLeftAndRightMarginsOrSaveCursor(left: Int, right: Int)
  case softReset  // DECSTR
  case setConformanceLevel  // DECSCL
  /// Another sequence with the intermediate byte of DECSTR or DECSCL. Its effect in a terminal is unknown, and may be a reset.
  case otherReset

  // MARK: The window, the mouse and reports

  /// XTWINOPS; the operation is in the sequence.
  case manipulateWindow
  /// DECSNLS; nil without a number.
  case selectNumberOfLines(Int?)
  /// XTHIMOUSE. Terminals without support for it treat it as SD.
  case initiateHighlightTracking
  case requestCursorPosition  // DSR 6
  case requestExtendedCursorPosition  // DECXCPR
  case requestDeviceAttributes  // DA1

  /// Any other sequence: it does not change the screen, and the rewriter passes it on.
  case unknown
}

/// The part of the screen or the row that ED and EL erase.
package enum ErasedPart: Equatable, Sendable {
  case fromCursor
  case toCursor
  case all
  /// Only for ED; an extension of xterm.
  case scrollback
  case unknown

  init(_ parameter: Int) {
    self =
      switch parameter {
      case 0: .fromCursor
      case 1: .toCursor
      case 2: .all
      case 3: .scrollback
      default: .unknown
      }
  }
}
