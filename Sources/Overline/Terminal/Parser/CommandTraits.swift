/// What code needs to know of a command that it does not perform. Fields, not an `OptionSet`: its literals look up generic metadata at each
/// call, and this is made for each command.
package struct CommandTraits: Sendable {
  /// A terminal does the same in whichever row the cursor is: the banner need not be lowered before.
  var addressesNoRow = false
  /// It changes only cells and the cursor: skimming leaves it out. Rare commands of that kind may stay.
  package var isSkimmed = false
  /// ``ScrollForecast`` does not follow it, and takes it for one that may scroll or erase the first row.
  var mayScroll = false
}

extension TerminalCommand {
  @inline(__always)
  package var traits: CommandTraits {
    switch self {
    case .cursorForward, .cursorBackward, .cursorCharacterAbsolute, .characterPositionAbsolute,
      .characterPositionForward, .cursorForwardTabulation, .eraseInLine, .eraseCharacter, .insertCharacter,
      .deleteCharacter, .repeatCharacter:
      CommandTraits(addressesNoRow: true, isSkimmed: true)
    case .cursorBackwardTabulation: CommandTraits(addressesNoRow: true, mayScroll: true)
    case .selectGraphicRendition, .setPrivateMode, .resetPrivateMode, .requestDeviceAttributes:
      CommandTraits(addressesNoRow: true)
    case .cursorUp, .cursorDown, .linePositionAbsolute, .linePositionForward, .cursorPosition,
      .horizontalAndVerticalPosition, .insertLine:
      CommandTraits(isSkimmed: true)
    case .cursorNextLine, .cursorPrecedingLine, .eraseInDisplay, .deleteLine, .scrollUp, .scrollDown,
      .initiateHighlightTracking:
      CommandTraits(isSkimmed: true, mayScroll: true)
    case .selectiveEraseInLine, .tabulationClear, .setMode, .resetMode, .requestCursorPosition, .unknown:
      CommandTraits()
    case .restoreCursor, .cursorTabulationControl, .setTabStopEveryEightColumns, .selectiveEraseInDisplay,
      .insertColumn, .deleteColumn, .misprintedScrollDown, .scrollLeft, .scrollRight, .selectCharacterProtection,
      .changeAttributesInRectangle, .reverseAttributesInRectangle, .selectAttributeChangeExtent, .copyRectangle,
      .fillRectangle, .eraseRectangle, .selectiveEraseRectangle, .requestChecksumOfRectangle, .savePrivateMode,
      .restorePrivateMode, .setTopAndBottomMargins, .setLeftAndRightMarginsOrSaveCursor, .softReset,
      .setConformanceLevel, .otherReset, .manipulateWindow, .selectNumberOfLines, .requestExtendedCursorPosition:
      CommandTraits(mayScroll: true)
    }
  }
}

extension EscapeCommand {
  var traits: CommandTraits {
    switch self {
    case .index, .nextLine, .characterTabulationSet, .singleShift, .lockingShift, .selectCharacterSet, .unknown:
      CommandTraits(addressesNoRow: true)
    case .startOfGuardedArea, .endOfGuardedArea, .sendControls, .requestIdentification:
      CommandTraits(addressesNoRow: true, mayScroll: true)
    case .saveCursor, .reverseIndex: CommandTraits()
    case .restoreCursor, .resetToInitialState, .screenAlignmentPattern, .backIndex, .forwardIndex, .lineAttributes:
      CommandTraits(mayScroll: true)
    }
  }
}
