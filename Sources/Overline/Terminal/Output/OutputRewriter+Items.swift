/// Handles the program's output item by item. Items that are not dropped pass unchanged.
extension OutputRewriter: VTHandler {
  package mutating func text(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    stream.begin(range, into: &surface.output)
    var rest = range
    while surface.keepsFirstRow || surface.placement.isFlowing {
      let index = surface.screen.write(
        text: bytes, rest, mayScroll: !surface.keepsFirstRow, mayReachDoubtfulMargin: false)
      if index == rest.upperBound { return }
      rest = index..<rest.upperBound
      if surface.keepsFirstRow, surface.screen.wouldScroll {
        pass(upTo: index)
        surface.liftToScroll()
      } else {
        // The terminal may wrap the line elsewhere.
        lowerFlow(before: rest)
        liftBefore(rest)
      }
    }
    _ = surface.screen.write(text: bytes, rest)
  }

  package mutating func control(_ byte: UInt8, _ range: Range<Int>) {
    let start = stream.beginControl(range, into: &surface.output)
    let movesDown =
      switch ControlCharacter(byte) {
      case .lineFeed, .lineTabulation, .formFeed: true
      case .characterTabulation: surface.screen.wrapsBeforeTab
      case .backspace, .carriageReturn, .shiftOut, .shiftIn, .unknown: false
      }
    if movesDown, surface.keepsFirstRow, surface.screen.wouldScroll {
      pass(upTo: start)
      if byte == 0x09 { surface.liftToScroll() } else { surface.prepareLineFeed() }
    }
    if start < range.lowerBound {
      // A control character inside a sequence is sent before the sequence, which may have to be replaced.
      omit(start..<range.upperBound)
      surface.output.append(byte)
    }
    surface.screen.control(byte, range)
  }

  package mutating func escape(_ intermediate: UInt8, _ final: UInt8, _ range: Range<Int>) {
    stream.begin(range, into: &surface.output)
    var range = range
    if stream.passed > range.lowerBound {
      // A sequence that has no meaning in any terminal is left out.
      let isMalformed = intermediate == ControlSequence.malformed
      range = stream.mend(
        range, isMalformed ? [] : intermediate == 0 ? [0x1b, final] : [0x1b, intermediate, final], into: &surface.output
      )
    }
    let command = EscapeCommand(intermediate, final)
    if !command.traits.addressesNoRow { lowerFlow(before: range) }
    switch command {
    case .index, .nextLine:
      if surface.keepsFirstRow, surface.screen.wouldScroll {
        pass(upTo: range.lowerBound)
        surface.prepareLineFeed()
      }
    case .reverseIndex:
      // Above the program's margins a reverse index stops at the program's first row, which is not the terminal's.
      if surface.placement.offset > 0, surface.screen.cursor.row == 0, surface.screen.margins.top > 0 {
        return omit(range)
      }
      if surface.screen.cursor.row == 0 { return passWithinMargins(range) { $0.perform(command) } }
    case .saveCursor: surface.active.saveCursor()
    case .restoreCursor: return restoreCursor(range) { $0.perform(command) }
    case .resetToInitialState, .screenAlignmentPattern: return reset(range) { $0.perform(command) }
    case .requestIdentification: queries.append(.deviceAttributes)
    case .sendControls:
      // The window reads replies with 7-bit controls only: a byte of a C1 control may also be part of a key's UTF-8.
      if surface.placement != .hidden { omit(range) }
    case .backIndex, .forwardIndex: return passWithinMargins(range) { $0.perform(command) }
    case .characterTabulationSet, .startOfGuardedArea, .endOfGuardedArea, .singleShift,
      .lockingShift, .selectCharacterSet, .lineAttributes, .unknown:
      break
    }
    surface.screen.perform(command)
  }

  package mutating func string(
    _ kind: ControlString, _ bytes: Span<UInt8>, _ range: Range<Int>, isStart: Bool, isEnd: Bool
  ) {
    stream.begin(range, into: &surface.output)
    if isStart {
      // A picture may scroll the screen by an unknown distance.
      if kind.mayHoldPicture(bytes, range) {
        lowerFlow(before: range)
        liftBefore(range)
      }
      if stream.passed > range.lowerBound { mendIntroducer(kind, bytes, range) }
      noteStringQuery(kind, bytes, range)
    }
    surface.screen.string(kind, bytes, range, isStart: isStart, isEnd: isEnd)
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
    drop(stream.passed..<last + 1)
    surface.output += [0x1b, kind.rawValue]
  }

  /// Notes a request for the margins or the number of rows (DECRQSS `r`, `t`, `*|`): the terminal answers in its own rows.
  private mutating func noteStringQuery(
    _ kind: ControlString, _ bytes: Span<UInt8>, _ range: Range<Int>
  ) {
    guard kind == .deviceControl else { return }
    if bytes.begins("\u{1b}P$qr", range) {
      queries.append(.margins(offset: surface.placement.offset))
    } else if bytes.begins("\u{1b}P$qt", range) || bytes.begins("\u{1b}P$q*|", range) {
      queries.append(.rowCount(offset: surface.placement.inset))
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
