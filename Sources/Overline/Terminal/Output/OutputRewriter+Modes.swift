/// DEC private modes and requests (`CSI ? …`).
extension OutputRewriter {
  mutating func privateSequence(_ sequence: ControlSequence, _ range: Range<Int>) {
    switch sequence.final {
    case UInt8(ascii: "h"), UInt8(ascii: "l"): setModes(sequence, range)
    case UInt8(ascii: "J"):
      erase(sequence, range)
      screen.controlSequence(sequence, range)
    case UInt8(ascii: "n"):
      if sequence.parameter(0, default: 0) == 6 { queries.append(.extendedCursorPosition(offset: reportedOffset)) }
      screen.controlSequence(sequence, range)
    // XTRESTORE may bring any of them back.
    case UInt8(ascii: "r"): reset(range) { $0.controlSequence(sequence, range) }
    default: screen.controlSequence(sequence, range)
    }
  }

  private mutating func setModes(_ sequence: ControlSequence, _ range: Range<Int>) {
    let modes = (0..<sequence.count).compactMap { sequence[$0] }
    let isOne = modes.count == 1
    guard modes.contains(where: Self.concernRows) else { return screen.controlSequence(sequence, range) }
    if isOne { return setMode(modes[0], sequence, range) }
    // Each on its own, in their order.
    omit(range)
    for mode in modes {
      var bytes = Array("\u{1b}[?".utf8)
      bytes.append(decimal: mode)
      bytes.append(sequence.final)
      rewriteApart(bytes)
    }
  }

  /// DECCOLM, DECOM, DECLRMM, the alternate screens, the saved cursor and synchronized output.
  private static func concernRows(_ mode: Int) -> Bool {
    switch mode {
    case 3, 6, 47, 69, 1047, 1048, 1049, 2026: true
    default: false
    }
  }

  /// Rewrites bytes of the window's own making amid the input.
  mutating func rewriteApart(_ bytes: [UInt8]) {
    let outer = (input: input, passed: passed, itemEnd: itemEnd)
    input = bytes
    passed = 0
    itemEnd = 0
    var parser = VTParser()
    _ = parser.parse(bytes.span, from: 0, &self)
    pass(upTo: bytes.count)
    (input, passed, itemEnd) = outer
  }

  private mutating func setMode(_ mode: Int, _ sequence: ControlSequence, _ range: Range<Int>) {
    let isSet = sequence.final == UInt8(ascii: "h")
    switch mode {
    case 3: reset(range) { $0.controlSequence(sequence, range) }
    case 6:
      screen.controlSequence(sequence, range)
      homeAgain(after: range)
    case 47, 1047, 1049: switchScreen(mode, sequence, range)
    case 1048:
      if isSet {
        savedOffset = placement.offset
        screen.controlSequence(sequence, range)
      } else {
        restoreCursor(range) { $0.controlSequence(sequence, range) }
      }
    case 2026:
      screen.controlSequence(sequence, range)
      // Inside an update of the window's own it would begin or end that one.
      if isUpdating { omit(range) }
    default: screen.controlSequence(sequence, range)
    }
  }

  /// Each screen has its own banner, and its own place. Margins outlive the switch in both directions.
  private mutating func switchScreen(_ mode: Int, _ sequence: ControlSequence, _ range: Range<Int>) {
    let wasAlternate = screen.isAlternate
    if mode == 1049, sequence.final == UInt8(ascii: "h"), !wasAlternate { primarySavedOffset = placement.offset }
    pass(upTo: range.lowerBound)
    beginUpdate()
    // Afterwards nobody may know where the cursor is, which this homes.
    if wasAlternate, sequence.final == UInt8(ascii: "l"), placement != .hidden { output.append("\u{1b}[r") }
    screen.controlSequence(sequence, range)
    pass(upTo: range.upperBound)
    guard wasAlternate != screen.isAlternate else { return restoreBanner() }
    if screen.isAlternate {
      isPrimarySizeOld = isPrimarySizeOld || isMoved
      isMoved = false
      // What a cleared screen needs is to have the program's height. One that is not may still show what it did under another banner.
      alternatePlacement = banner.map { .shown(rows: $0.height) } ?? .hidden
      fitScreen()
      if mode != 1049 { screen.grid.forget() }
      beginPainting()
      appendBanner()
      endPainting(resetMargins: true)
    } else {
      leaveAlternateScreen(range)
    }
  }

  /// The same screen again: 1049 erases it, where it is the alternate one, and restores the cursor.
  private mutating func restoreBanner() {
    guard placement != .hidden else { return }
    output.append("\u{1b}[?6l")
    beginPainting()
    appendBannerIfShown()
    endPainting(resetMargins: true)
  }

  /// What happened to the banner while the program was on the alternate screen happens to the primary one now.
  mutating func leaveAlternateScreen(_ range: Range<Int>) {
    pass(upTo: range.upperBound)
    alternatePlacement = .hidden
    alternateSavedOffset = 0
    let height = banner?.height ?? 0
    if isPrimarySizeOld { takeNewSize() }
    if isMoved { return }
    // The terminal has restored its cursor itself. Where to nobody knows: the banner waits for that.
    if placement == .hidden, !screen.isCursorKnown { return }
    if placement != .hidden, placement.inset != height { hideActive() }
    if placement == .hidden, banner != nil {
      showActive()
    } else {
      beginPainting()
      appendBannerIfShown()
      endPainting(resetMargins: true)
    }
  }

  /// Gives the alternate screen the program's height.
  private mutating func fitScreen() {
    let wanted = rows - placement.inset
    if screen.rows > wanted { screen.removeRows(bottom: screen.rows - wanted) }
    if screen.rows < wanted { screen.appendBlankRows(wanted - screen.rows) }
  }
}
