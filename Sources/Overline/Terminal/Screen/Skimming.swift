/// Leaves out of a stream what does not matter without cells and cursor: text, motions, erasing, and
/// colours that other colours replace.
///
/// What is left is a small part of what a flood is made of, and is read in the usual way.
struct Skimming: ~Copyable {
  /// What is left.
  private(set) var essence: [UInt8] = []
  /// Whether there was nothing but text and SGRs.
  private(set) var isPlain = true
  /// Where the final bytes of the last SGRs are, behind which nothing else has come.
  private var renditions = InlineArray<128, Int>(repeating: 0)
  private var renditionCount = 0
  private let leftOut = Self.skimmedFinals

  /// A bit for each final byte, `@` lowest, whose command is left out: all are decoded once, since a flood has no time for it.
  private static let skimmedFinals: UInt64 = (0x40...0x7e).reduce(0) { found, final in
    ControlSequence(final: final).command.isSkimmed ? found | 1 &<< UInt64(final - 0x40) : found
  }

  /// - Parameter bytes: from ground state on. An incomplete sequence at their end is left as it is; half a character is text.
  init(_ bytes: Span<UInt8>) {
    skim(bytes)
  }

  /// A block at a time, up to what cannot be left out, and from the next control sequence again.
  @_optimize(speed)
  private mutating func skim(_ bytes: Span<UInt8>) {
    var carry = SkimmedBlock.Carry()
    var ground = 0
    var index = 0
    while index < bytes.count {
      let block = SkimmedBlock(bytes, index, &carry)
      if block.motions != 0 { isPlain = false }
      if block.isRemarkable, let remark = remark(bytes, ground, index, block) {
        add(block.renditions & (1 &<< UInt64(remark.place &- index) &- 1), index, bytes)
        endRenditions(bytes)
        isPlain = false
        index = handOn(bytes, from: remark.start)
        ground = index
        carry = SkimmedBlock.Carry()
      } else {
        // One of the colours that follow one another is enough.
        let colors = block.colors
        let last: UInt64 = colors == 0 ? 0 : 1 &<< UInt64(63 &- colors.leadingZeroBitCount)
        add(block.renditions & ~colors | last, index, bytes)
        index &+= ByteBlock.count
        if block.isPlain && index < bytes.count { index &+= ByteBlock.plainCount(bytes, from: index) }
      }
    }
    endRenditions(bytes)
    if let start = Self.incomplete(bytes, ground) {
      for place in start..<bytes.count { essence.append(bytes[place]) }
    }
  }

  /// What in a block must not be left out: where it begins, and where that shows.
  @inline(never)
  private func remark(
    _ bytes: Span<UInt8>, _ ground: Int, _ index: Int, _ block: SkimmedBlock
  ) -> (start: Int, place: Int)? {
    var places = block.escaped | block.finals | block.controls
    while places != 0 {
      let offset = places.trailingZeroBitCount, bit: UInt64 = 1 &<< UInt64(offset)
      let place = index &+ offset
      if place >= bytes.count { return nil }
      places ^= bit
      if block.escaped & bit != 0 { return (place &- 1, place) }
      if block.finals & bit != 0 {
        if !isLeftOut(bytes[place]), let start = Self.introducer(bytes, ground, before: place) {
          return (start, place)
        }
      } else if bytes[place] != 0xc2 || place &+ 1 == bytes.count || bytes[place &+ 1] & 0xe0 == 0x80 {
        return (place, place)
      }
    }
    return nil
  }

  /// Verbatim up to the next control sequence: a control string may be among it.
  ///
  /// - Returns: where that begins.
  private mutating func handOn(_ bytes: Span<UInt8>, from start: Int) -> Int {
    var end = start &+ 1
    while end < bytes.count && !Self.isIntroducer(bytes, end) { end &+= 1 }
    for place in start..<end { essence.append(bytes[place]) }
    // The next sequence would end an open string or sequence, but may be left out. CAN ends it instead, and has no other effect.
    if end < bytes.count { essence.append(0x18) }
    return end
  }

  private static func isIntroducer(_ bytes: Span<UInt8>, _ index: Int) -> Bool {
    bytes[index] == 0x1b && index &+ 1 < bytes.count && bytes[index &+ 1] == 0x5b
  }

  /// Where the control sequence begins whose parameters go up to `end`.
  private static func introducer(_ bytes: Span<UInt8>, _ ground: Int, before end: Int) -> Int? {
    var start = end &- 1
    while start > ground && bytes[start] &- 0x30 < 12 { start &-= 1 }
    return start > ground && isIntroducer(bytes, start &- 1) ? start &- 1 : nil
  }

  /// Where what is incomplete at the end begins.
  private static func incomplete(_ bytes: Span<UInt8>, _ ground: Int) -> Int? {
    guard ground < bytes.count else { return nil }
    return bytes[bytes.count &- 1] == 0x1b ? bytes.count &- 1 : introducer(bytes, ground, before: bytes.count)
  }

  /// Whether a control sequence without prefix and intermediates need not be read now, although its end is not one of the usual.
  @inline(__always)
  private func isLeftOut(_ final: UInt8) -> Bool {
    final &- 0x40 < 0x3f && leftOut & 1 &<< UInt64(final &- 0x40) != 0
  }

  @inline(__always)
  private mutating func add(_ found: UInt64, _ index: Int, _ bytes: Span<UInt8>) {
    var found = found
    while found != 0 {
      renditions[renditionCount] = index &+ found.trailingZeroBitCount
      renditionCount &+= 1
      if renditionCount == renditions.count { endRenditions(bytes) }
      found &= found &- 1
    }
  }

  /// SGR: what begins with a reset makes all before it of no consequence, and a colour another one.
  @inline(never)
  @_optimize(speed)
  private mutating func endRenditions(_ bytes: Span<UInt8>) {
    var first = renditionCount
    var isColored = false
    for number in stride(from: renditionCount &- 1, through: 0, by: -1) {
      let final = renditions[number]
      // Only the text's colour, one of eight.
      if final > 3 && bytes[final &- 3] == 0x5b && bytes[final &- 2] == 0x33 && bytes[final &- 1] < 0x38 {
        if isColored { continue }
        isColored = true
      }
      first &-= 1
      renditions[first] = final
      let parameters = Self.start(bytes, final) &+ 2
      if parameters == final
        || bytes[parameters] == 0x30 && (parameters &+ 1 == final || bytes[parameters &+ 1] == 0x3b)
      {
        break
      }
    }
    for number in first..<renditionCount {
      let final = renditions[number]
      for place in Self.start(bytes, final)...final { essence.append(bytes[place]) }
    }
    renditionCount = 0
  }

  private static func start(_ bytes: Span<UInt8>, _ final: Int) -> Int {
    var start = final &- 2
    while bytes[start] != 0x1b { start &-= 1 }
    return start
  }
}

extension TerminalCommand {
  /// Whether skimming leaves the command out: it changes only cells and the cursor. Rare commands of that kind may stay.
  package var isSkimmed: Bool {
    switch self {
    case .cursorUp, .cursorDown, .cursorForward, .cursorBackward, .cursorNextLine, .cursorPrecedingLine,
      .cursorCharacterAbsolute, .cursorPosition, .horizontalAndVerticalPosition, .characterPositionAbsolute,
      .characterPositionForward, .linePositionAbsolute, .linePositionForward, .cursorForwardTabulation,
      .eraseInDisplay, .eraseInLine, .eraseCharacter, .insertCharacter, .deleteCharacter, .insertLine, .deleteLine,
      .scrollUp, .scrollDown, .initiateHighlightTracking, .repeatCharacter:
      true
    case .cursorBackwardTabulation, .selectiveEraseInDisplay, .selectiveEraseInLine, .insertColumn, .deleteColumn,
      .misprintedScrollDown, .scrollLeft, .scrollRight, .changeAttributesInRectangle, .reverseAttributesInRectangle,
      .copyRectangle, .fillRectangle, .eraseRectangle, .selectiveEraseRectangle, .restoreCursor,
      .cursorTabulationControl, .tabulationClear, .setTabStopEveryEightColumns,
      .selectGraphicRendition, .selectCharacterProtection, .selectAttributeChangeExtent, .setMode, .resetMode,
      .setPrivateMode, .resetPrivateMode, .savePrivateMode, .restorePrivateMode, .setTopAndBottomMargins,
      .setLeftAndRightMarginsOrSaveCursor, .softReset, .setConformanceLevel, .otherReset, .manipulateWindow,
      .selectNumberOfLines, .requestCursorPosition, .requestExtendedCursorPosition, .requestDeviceAttributes,
      .requestChecksumOfRectangle, .unknown:
      false
    }
  }
}
