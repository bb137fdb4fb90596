extension ControlSequence {
  /// The command that prefix, intermediate and final byte stand for, with its parameters.
  ///
  /// Inlined, so that a switch over the command compiles to a switch over the final byte.
  @inline(__always)
  package var command: TerminalCommand { isPlain ? plainCommand : markedCommand }

  @inline(__always)
  private var plainCommand: TerminalCommand {
    switch final {
    case UInt8(ascii: "m"): .selectGraphicRendition
    case UInt8(ascii: "A"): .cursorUp(amount())
    case UInt8(ascii: "B"): .cursorDown(amount())
    case UInt8(ascii: "C"): .cursorForward(amount())
    case UInt8(ascii: "D"): .cursorBackward(amount())
    case UInt8(ascii: "E"): .cursorNextLine(amount())
    case UInt8(ascii: "F"): .cursorPrecedingLine(amount())
    case UInt8(ascii: "G"): .cursorCharacterAbsolute(amount())
    case UInt8(ascii: "H"): .cursorPosition(row: amount(0), column: amount(1))
    case UInt8(ascii: "f"): .horizontalAndVerticalPosition(row: amount(0), column: amount(1))
    case UInt8(ascii: "`"): .characterPositionAbsolute(amount())
    case UInt8(ascii: "a"): .characterPositionForward(amount())
    case UInt8(ascii: "d"): .linePositionAbsolute(amount())
    case UInt8(ascii: "e"): .linePositionForward(amount())
    case UInt8(ascii: "u"): .restoreCursor
    case UInt8(ascii: "I"): .cursorForwardTabulation(amount())
    case UInt8(ascii: "Z"): .cursorBackwardTabulation(amount())
    case UInt8(ascii: "W"): .cursorTabulationControl(parameter(0, default: 0))
    case UInt8(ascii: "g"): .tabulationClear(parameter(0, default: 0))
    case UInt8(ascii: "J"): .eraseInDisplay(ErasedPart(parameter(0, default: 0)))
    case UInt8(ascii: "K"): .eraseInLine(ErasedPart(parameter(0, default: 0)))
    case UInt8(ascii: "X"): .eraseCharacter(amount())
    case UInt8(ascii: "@"): .insertCharacter(amount())
    case UInt8(ascii: "P"): .deleteCharacter(amount())
    case UInt8(ascii: "L"): .insertLine(amount())
    case UInt8(ascii: "M"): .deleteLine(amount())
    case UInt8(ascii: "S"): .scrollUp(amount())
    case UInt8(ascii: "T"): count <= 1 ? .scrollDown(amount()) : .initiateHighlightTracking
    case UInt8(ascii: "^"): .misprintedScrollDown(amount())
    case UInt8(ascii: "b"): .repeatCharacter(amount())
    case UInt8(ascii: "h"): .setMode
    case UInt8(ascii: "l"): .resetMode
    case UInt8(ascii: "r"): .setTopAndBottomMargins(top: amount(0), bottom: parameter(1, default: 0))
    case UInt8(ascii: "s"): .setLeftAndRightMarginsOrSaveCursor(left: amount(0), right: parameter(1, default: 0))
    case UInt8(ascii: "t"): .manipulateWindow
    case UInt8(ascii: "n"): parameter(0, default: 0) == 6 ? .requestCursorPosition : .unknown
    case UInt8(ascii: "c"): parameter(0, default: 0) == 0 ? .requestDeviceAttributes : .unknown
    default: .unknown
    }
  }

  /// The command of a sequence with a prefix or an intermediate byte.
  @inline(never)
  private var markedCommand: TerminalCommand {
    switch (prefix, intermediate) {
    case (UInt8(ascii: "?"), 0): questionedCommand
    case (0, UInt16(UInt8(ascii: "!"))): final == UInt8(ascii: "p") ? .softReset : .otherReset
    case (0, UInt16(UInt8(ascii: "\""))):
      switch final {
      case UInt8(ascii: "p"): .setConformanceLevel
      case UInt8(ascii: "q"): .selectCharacterProtection(isProtected: parameter(0, default: 0) == 1)
      default: .otherReset
      }
    case (0, UInt16(UInt8(ascii: "$"))): rectangleCommand
    case (0, UInt16(UInt8(ascii: "*"))):
      switch final {
      case UInt8(ascii: "x"): .selectAttributeChangeExtent(isRectangle: parameter(0, default: 0) == 2)
      case UInt8(ascii: "y"): .requestChecksumOfRectangle
      case UInt8(ascii: "|"): .selectNumberOfLines(self[0])
      default: .unknown
      }
    case (0, UInt16(UInt8(ascii: "'"))):
      switch final {
      case UInt8(ascii: "}"): .insertColumn(amount())
      case UInt8(ascii: "~"): .deleteColumn(amount())
      default: .unknown
      }
    case (0, UInt16(UInt8(ascii: " "))):
      switch final {
      case UInt8(ascii: "@"): .scrollLeft(amount())
      case UInt8(ascii: "A"): .scrollRight(amount())
      default: .unknown
      }
    default: .unknown
    }
  }

  private var questionedCommand: TerminalCommand {
    switch final {
    case UInt8(ascii: "h"): .setPrivateMode
    case UInt8(ascii: "l"): .resetPrivateMode
    case UInt8(ascii: "s"): .savePrivateMode
    case UInt8(ascii: "r"): .restorePrivateMode
    case UInt8(ascii: "J"): .selectiveEraseInDisplay(ErasedPart(parameter(0, default: 0)))
    case UInt8(ascii: "K"): .selectiveEraseInLine(ErasedPart(parameter(0, default: 0)))
    case UInt8(ascii: "W"): self[0] == 5 ? .setTabStopEveryEightColumns : .unknown
    case UInt8(ascii: "n"): parameter(0, default: 0) == 6 ? .requestExtendedCursorPosition : .unknown
    default: .unknown
    }
  }

  private var rectangleCommand: TerminalCommand {
    switch final {
    case UInt8(ascii: "r"): .changeAttributesInRectangle
    case UInt8(ascii: "t"): .reverseAttributesInRectangle
    case UInt8(ascii: "v"): .copyRectangle
    case UInt8(ascii: "x"): .fillRectangle
    case UInt8(ascii: "z"): .eraseRectangle
    case UInt8(ascii: "{"): .selectiveEraseRectangle
    default: .unknown
    }
  }
}
