/// What those need to know of a command that do not perform it.
package struct CommandTraits: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A terminal does the same in whichever row the cursor is: the banner need not be lowered before.
  static let addressesNoRow = CommandTraits(rawValue: 1)
  /// It changes only cells and the cursor: skimming leaves it out. Rare commands of that kind may stay.
  package static let isSkimmed = CommandTraits(rawValue: 2)
  /// It may scroll or erase the first row, or ``ScrollForecast`` cannot tell where it leads.
  static let mayScroll = CommandTraits(rawValue: 4)
}

extension TerminalCommand {
  @inline(__always)
  package var traits: CommandTraits {
    switch self {
    case .cursorForward, .cursorBackward, .cursorCharacterAbsolute, .characterPositionAbsolute,
      .characterPositionForward, .cursorForwardTabulation, .eraseInLine, .eraseCharacter, .insertCharacter,
      .deleteCharacter, .repeatCharacter:
      [.addressesNoRow, .isSkimmed]
    case .cursorBackwardTabulation: [.addressesNoRow, .mayScroll]
    case .selectGraphicRendition, .setPrivateMode, .resetPrivateMode, .requestDeviceAttributes: .addressesNoRow
    case .cursorUp, .cursorDown, .linePositionAbsolute, .linePositionForward, .cursorPosition,
      .horizontalAndVerticalPosition, .insertLine:
      .isSkimmed
    case .cursorNextLine, .cursorPrecedingLine, .eraseInDisplay, .deleteLine, .scrollUp, .scrollDown,
      .initiateHighlightTracking:
      [.isSkimmed, .mayScroll]
    case .selectiveEraseInLine, .tabulationClear, .setMode, .resetMode, .requestCursorPosition, .unknown: []
    case .restoreCursor, .cursorTabulationControl, .setTabStopEveryEightColumns, .selectiveEraseInDisplay,
      .insertColumn, .deleteColumn, .misprintedScrollDown, .scrollLeft, .scrollRight, .selectCharacterProtection,
      .changeAttributesInRectangle, .reverseAttributesInRectangle, .selectAttributeChangeExtent, .copyRectangle,
      .fillRectangle, .eraseRectangle, .selectiveEraseRectangle, .requestChecksumOfRectangle, .savePrivateMode,
      .restorePrivateMode, .setTopAndBottomMargins, .setLeftAndRightMarginsOrSaveCursor, .softReset,
      .setConformanceLevel, .otherReset, .manipulateWindow, .selectNumberOfLines, .requestExtendedCursorPosition:
      .mayScroll
    }
  }
}

extension EscapeCommand {
  var traits: CommandTraits {
    switch self {
    case .index, .nextLine, .characterTabulationSet, .singleShift, .lockingShift, .selectCharacterSet, .unknown:
      .addressesNoRow
    case .startOfGuardedArea, .endOfGuardedArea, .sendControls, .requestIdentification: [.addressesNoRow, .mayScroll]
    case .saveCursor, .reverseIndex: []
    case .restoreCursor, .resetToInitialState, .screenAlignmentPattern, .backIndex, .forwardIndex, .lineAttributes:
      .mayScroll
    }
  }
}
