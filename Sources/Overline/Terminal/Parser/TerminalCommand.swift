/// What a control sequence asks of the terminal, by the names of ECMA-48, of DEC's manuals and of xterm's.
///
/// ``ControlSequence/command`` is the only place that knows the bytes. The screen, the rewriter and the skimmer switch over the cases
/// without `default:`, so a new case makes the compiler name each place that has to decide about it. Lists of any length, and what
/// only one place reads, stay in the sequence.
package enum TerminalCommand: Hashable, Sendable {
  // MARK: The cursor

  /// CUU.
  case cursorUp(Int)
  /// CUD.
  case cursorDown(Int)
  /// CUF.
  case cursorForward(Int)
  /// CUB.
  case cursorBackward(Int)
  /// CNL.
  case cursorNextLine(Int)
  /// CPL.
  case cursorPrecedingLine(Int)
  /// CHA.
  case cursorCharacterAbsolute(Int)
  /// CUP.
  case cursorPosition(row: Int, column: Int)
  /// HVP.
  case horizontalAndVerticalPosition(row: Int, column: Int)
  /// HPA.
  case characterPositionAbsolute(Int)
  /// HPR.
  case characterPositionForward(Int)
  /// VPA.
  case linePositionAbsolute(Int)
  /// VPR.
  case linePositionForward(Int)
  /// SCORC.
  case restoreCursor

  // MARK: Tabs

  /// CHT.
  case cursorForwardTabulation(Int)
  /// CBT.
  case cursorBackwardTabulation(Int)
  /// CTC.
  case cursorTabulationControl(Int)
  /// TBC.
  case tabulationClear(Int)
  /// DECST8C.
  case setTabStopEveryEightColumns

  // MARK: Cells

  /// ED.
  case eraseInDisplay(ErasedPart)
  /// DECSED.
  case selectiveEraseInDisplay(ErasedPart)
  /// EL.
  case eraseInLine(ErasedPart)
  /// DECSEL.
  case selectiveEraseInLine(ErasedPart)
  /// ECH.
  case eraseCharacter(Int)
  /// ICH.
  case insertCharacter(Int)
  /// DCH.
  case deleteCharacter(Int)
  /// IL.
  case insertLine(Int)
  /// DL.
  case deleteLine(Int)
  /// DECIC.
  case insertColumn(Int)
  /// DECDC.
  case deleteColumn(Int)
  /// SU.
  case scrollUp(Int)
  /// SD.
  case scrollDown(Int)
  /// SD as ECMA-48 misprinted it in 1991. Fewer terminals know it.
  case misprintedScrollDown(Int)
  /// SL.
  case scrollLeft(Int)
  /// SR.
  case scrollRight(Int)
  /// REP.
  case repeatCharacter(Int)
  /// SGR; the attributes are in the sequence.
  case selectGraphicRendition
  /// DECSCA.
  case selectCharacterProtection(isProtected: Bool)

  // MARK: Rectangles: where they are is in the sequence

  /// DECCARA.
  case changeAttributesInRectangle
  /// DECRARA.
  case reverseAttributesInRectangle
  /// DECSACE.
  case selectAttributeChangeExtent(isRectangle: Bool)
  /// DECCRA.
  case copyRectangle
  /// DECFRA.
  case fillRectangle
  /// DECERA.
  case eraseRectangle
  /// DECSERA.
  case selectiveEraseRectangle
  /// DECRQCRA.
  case requestChecksumOfRectangle

  // MARK: Modes: their numbers are in the sequence

  /// SM.
  case setMode
  /// RM.
  case resetMode
  /// DECSET; a number means a ``PrivateMode``.
  case setPrivateMode
  /// DECRST.
  case resetPrivateMode
  /// XTSAVE.
  case savePrivateMode
  /// XTRESTORE.
  case restorePrivateMode

  // MARK: Margins and resets

  /// DECSTBM. A bottom of 0 is the last row.
  case setTopAndBottomMargins(top: Int, bottom: Int)
  /// DECSLRM under DECLRMM, else SCOSC: the bytes are the same. A right margin of 0 is the last column.
  case setLeftAndRightMarginsOrSaveCursor(left: Int, right: Int)
  /// DECSTR.
  case softReset
  /// DECSCL.
  case setConformanceLevel
  /// Another sequence with the intermediate byte of DECSTR or DECSCL. What a terminal makes of it is unknown, and may be a reset.
  case otherReset

  // MARK: The window, the mouse and reports

  /// XTWINOPS; the operation is in the sequence.
  case manipulateWindow
  /// DECSNLS; nil without a number.
  case selectNumberOfLines(Int?)
  /// XTHIMOUSE. Terminals that do not know it take it for SD.
  case initiateHighlightTracking
  /// DSR 6.
  case requestCursorPosition
  /// DECXCPR.
  case requestExtendedCursorPosition
  /// DA1.
  case requestDeviceAttributes

  /// Any other: the screen does not change, and the rewriter passes it on.
  case unknown
}

/// The part of the screen or the row that ED and EL erase.
package enum ErasedPart: Hashable, Sendable {
  case fromCursor
  case toCursor
  case all
  /// Only ED, of xterm.
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

/// The modes of DECSET and DECRST that the screen or the rewriter heeds.
package enum PrivateMode: UInt16, Hashable, Sendable {
  /// DECCOLM.
  case column = 3
  /// DECOM.
  case origin = 6
  /// DECAWM.
  case autowrap = 7
  case x10Mouse = 9
  /// DECTCEM.
  case textCursor = 25
  /// DECCOLM is heeded.
  case allowsColumn = 40
  /// The alternate screen as it was left.
  case alternateScreen = 47
  /// DECLRMM.
  case leftRightMargin = 69
  case normalMouse = 1000
  case buttonEventMouse = 1002
  case anyEventMouse = 1003
  case utf8Mouse = 1005
  case sgrMouse = 1006
  case urxvtMouse = 1015
  case sgrPixelMouse = 1016
  /// The alternate screen, which is cleared when it is left.
  case clearedAlternateScreen = 1047
  /// DECSC and DECRC.
  case savedCursor = 1048
  /// The alternate screen, cleared when it is entered, with DECSC before and DECRC after.
  case alternateScreenAndCursor = 1049
  case bracketedPaste = 2004
  case synchronizedOutput = 2026
  case inBandResize = 2048
}
