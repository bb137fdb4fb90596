/// Handles the program's output item by item. Items that are not dropped pass unchanged.
extension OutputRewriter: VTHandler {
  package mutating func text(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    stream.begin(range, into: &output)
    var rest = range
    while keepsFirstRow || placement.isFlowing {
      let index = screen.write(text: bytes, rest, mayScroll: !keepsFirstRow, mayReachDoubtfulMargin: false)
      if index == rest.upperBound { return }
      rest = index..<rest.upperBound
      if keepsFirstRow, screen.wouldScroll {
        stream.pass(upTo: index, into: &output)
        liftToScroll()
      } else {
        // The terminal may wrap the line elsewhere.
        lowerFlow(before: rest)
        liftBefore(rest)
      }
    }
    _ = screen.write(text: bytes, rest)
  }

  package mutating func control(_ byte: UInt8, _ range: Range<Int>) {
    let start = stream.beginControl(range, into: &output)
    let movesDown =
      switch ControlCharacter(byte) {
      case .lineFeed, .lineTabulation, .formFeed: true
      case .characterTabulation: screen.wrapsBeforeTab
      case .backspace, .carriageReturn, .shiftOut, .shiftIn, .unknown: false
      }
    if movesDown, keepsFirstRow, screen.wouldScroll {
      stream.pass(upTo: start, into: &output)
      if byte == 0x09 { liftToScroll() } else { prepareLineFeed() }
    }
    if start < range.lowerBound {
      // A control character inside a sequence is sent before the sequence, which may have to be replaced.
      stream.omit(start..<range.upperBound, into: &output)
      output.append(byte)
    }
    screen.control(byte, range)
  }

  package mutating func escape(_ intermediate: UInt8, _ final: UInt8, _ range: Range<Int>) {
    stream.begin(range, into: &output)
    var range = range
    if stream.passed > range.lowerBound {
      // A sequence that has no meaning in any terminal is left out.
      let isMalformed = intermediate == ControlSequence.malformed
      range = stream.mend(
        range, isMalformed ? [] : intermediate == 0 ? [0x1b, final] : [0x1b, intermediate, final], into: &output)
    }
    let command = EscapeCommand(intermediate, final)
    if !command.addressesNoRow { lowerFlow(before: range) }
    switch command {
    case .index, .nextLine:
      if keepsFirstRow, screen.wouldScroll {
        stream.pass(upTo: range.lowerBound, into: &output)
        prepareLineFeed()
      }
    case .reverseIndex:
      // Above the program's margins a reverse index stops at the program's first row, which is not the terminal's.
      if placement.offset > 0, screen.cursor.row == 0, screen.margins.top > 0 {
        return stream.omit(range, into: &output)
      }
      if screen.cursor.row == 0 { return passWithinMargins(range) { $0.perform(command) } }
    case .saveCursor: active.saveCursor()
    case .restoreCursor: return restoreCursor(range) { $0.perform(command) }
    case .resetToInitialState, .screenAlignmentPattern: return reset(range) { $0.perform(command) }
    case .requestIdentification: queries.append(.deviceAttributes)
    case .sendControls:
      // The window reads replies with 7-bit controls only: a byte of a C1 control may also be part of a key's UTF-8.
      if placement != .hidden { stream.omit(range, into: &output) }
    case .backIndex, .forwardIndex: return passWithinMargins(range) { $0.perform(command) }
    case .characterTabulationSet, .startOfGuardedArea, .endOfGuardedArea, .singleShift,
      .lockingShift, .selectCharacterSet, .lineAttributes, .unknown:
      break
    }
    screen.perform(command)
  }

  package mutating func string(
    _ kind: ControlString, _ bytes: Span<UInt8>, _ range: Range<Int>, isStart: Bool, isEnd: Bool
  ) {
    stream.begin(range, into: &output)
    if isStart {
      // A picture may scroll the screen by an unknown distance.
      if kind.mayHoldPicture(bytes, range) {
        lowerFlow(before: range)
        liftBefore(range)
      }
      if stream.passed > range.lowerBound { mendIntroducer(kind, bytes, range) }
      noteStringQuery(kind, bytes, range)
    }
    screen.string(kind, bytes, range, isStart: isStart, isEnd: isEnd)
    stream.wasCutOff = isEnd && !isTerminated(kind, bytes, range)
  }

  /// Whether a control string's last part has its terminator: ST in either form, or BEL.
  private func isTerminated(_ kind: ControlString, _ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    guard let last = range.last else { return false }
    switch bytes[last] {
    case 0x07: return kind == .operatingSystemCommand
    case 0x5c: return last > 0 && bytes[last - 1] == 0x1b
    case 0x9c: return last > 0 && bytes[last - 1] == 0xc2
    default: return false
    }
  }

  /// Reassembles an introducer that contained a control character.
  private mutating func mendIntroducer(_ kind: ControlString, _ bytes: Span<UInt8>, _ range: Range<Int>) {
    guard let last = (stream.passed..<range.upperBound).first(where: { bytes[$0] == kind.rawValue }) else { return }
    stream.drop(stream.passed..<last + 1, into: &output)
    output += [0x1b, kind.rawValue]
  }

  /// Notes a request for the margins or the number of rows (DECRQSS `r`, `t`, `*|`): the terminal answers in its own rows.
  private mutating func noteStringQuery(
    _ kind: ControlString, _ bytes: Span<UInt8>, _ range: Range<Int>
  ) {
    guard kind == .deviceControl else { return }
    if bytes.begins("\u{1b}P$qr", range) {
      queries.append(.margins(offset: placement.offset))
    } else if bytes.begins("\u{1b}P$qt", range) || bytes.begins("\u{1b}P$q*|", range) {
      queries.append(.rowCount(offset: placement.inset))
    }
  }

  // MARK: Lifting

  /// Whether lines that leave the program's first row must reach the scrollback.
  var keepsFirstRow: Bool { placement.isShown && !screen.isAlternate && !missed.isMoved }

  /// Lifts the banner before an item passes.
  mutating func liftBefore(_ range: Range<Int>) {
    guard keepsFirstRow else { return }
    stream.pass(upTo: range.lowerBound, into: &output)
    lift()
  }

  /// Passes a reset, then sets again the state that the window needs.
  mutating func reset(_ range: Range<Int>, _ apply: (inout Screen) -> Void) {
    let wasAlternate = screen.isAlternate
    liftBefore(range)
    apply(&screen)
    if wasAlternate != screen.isAlternate {
      // The reset has erased everything that the terminal had moved.
      if missed.isSizeOld { fitScreenRows(rows - placement.inset) }
      missed.erase()
      return leaveAlternateScreen(range)
    }
    guard placement != .hidden else { return }
    stream.pass(upTo: range.upperBound, into: &output)
    receiveSevenBitControls()
    beginPainting()
    appendBannerIfShown()
    endPainting(resetMargins: true)
  }

  /// On the alternate screen, a sequence that erases or resets also erases the banner: paint it again.
  mutating func appendBannerIfShown() {
    if placement.isShown { appendBanner() }
  }

  /// Passes a sequence that restores the saved cursor, then places the cursor. The terminal may have saved it at another offset or not at
  /// all, and not every terminal restores origin mode with it.
  mutating func restoreCursor(_ range: Range<Int>, _ apply: (inout Screen) -> Void) {
    let wasUnrestricted = isUnrestricted
    apply(&screen)
    guard placement != .hidden else { return }
    stream.pass(upTo: range.upperBound, into: &output)
    if wasUnrestricted != isUnrestricted {
      output.append("\u{1b}[?6l")
      appendMargins()
    }
    output.append(screen.modes.isOrigin ? "\u{1b}[?6h" : "\u{1b}[?6l")
    appendCursor()
    screen.encodePen(into: &output)
  }
}

extension EscapeCommand {
  /// Whether a terminal does the same in whichever row the cursor is.
  fileprivate var addressesNoRow: Bool {
    switch self {
    case .index, .nextLine, .characterTabulationSet, .startOfGuardedArea, .endOfGuardedArea, .singleShift,
      .lockingShift,
      .selectCharacterSet, .sendControls, .requestIdentification, .unknown:
      true
    case .saveCursor, .restoreCursor, .resetToInitialState, .screenAlignmentPattern, .reverseIndex, .backIndex,
      .forwardIndex, .lineAttributes:
      false
    }
  }
}

extension ControlString {
  /// Sixels, and kitty's and iTerm2's images.
  func mayHoldPicture(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Bool {
    switch self {
    case .deviceControl, .applicationCommand: true
    case .operatingSystemCommand:
      bytes.begins("\u{1b}]1337;", range) && Screen.imageNames.contains { bytes.begins("\u{1b}]1337;\($0)", range) }
    case .privacyMessage, .startOfString: false
    }
  }
}

extension Span<UInt8> {
  fileprivate func begins(_ text: String, _ range: Range<Int>) -> Bool {
    range.count >= text.utf8.count && zip(range, text.utf8).allSatisfy { self[$0] == $1 }
  }
}
