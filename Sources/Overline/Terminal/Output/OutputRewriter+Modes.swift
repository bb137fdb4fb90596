/// DECSET and DECRST.
extension OutputRewriter {
  mutating func setModes(_ isSet: Bool, _ sequence: ControlSequence, _ range: Range<Int>) {
    let modes = (0..<sequence.count).compactMap { sequence[$0] }
    let known = modes.compactMap { PrivateMode(number: $0) }
    guard let first = known.first(where: { $0.concernsRows || $0 == .synchronizedOutput }) else {
      return screen.controlSequence(sequence, range)
    }
    if known.contains(where: \.concernsRows) { lowerFlow(before: range) }
    if modes.count == 1 { return setMode(first, isSet, sequence, range) }
    // Handle each mode on its own, in order.
    stream.omit(range, into: &output)
    for mode in modes {
      var bytes = Array("\u{1b}[?".utf8)
      bytes.append(decimal: mode)
      bytes.append(sequence.final)
      rewriteApart(bytes)
    }
  }

  /// Parses and rewrites the window's own bytes in the middle of the program's output.
  mutating func rewriteApart(_ bytes: [UInt8]) {
    let outer = stream.interrupt(with: bytes)
    var parser = VTParser()
    _ = parser.parse(bytes.span, from: 0, &self)
    stream.pass(upTo: bytes.count, into: &output)
    stream.resume(outer)
  }

  private mutating func setMode(
    _ mode: PrivateMode, _ isSet: Bool, _ sequence: ControlSequence, _ range: Range<Int>
  ) {
    switch mode {
    case .column: reset(range) { $0.controlSequence(sequence, range) }
    case .origin, .leftRightMargin:
      let wasUnrestricted = isUnrestricted
      screen.controlSequence(sequence, range)
      if placement.isShown, wasUnrestricted != isUnrestricted {
        stream.pass(upTo: range.upperBound, into: &output)
        appendMargins()
        appendCursor()
      } else if mode == .origin {
        homeAgain(after: range)
      }
    case .alternateScreen, .clearedAlternateScreen, .alternateScreenAndCursor:
      switchScreen(mode, isSet, sequence, range)
    case .savedCursor:
      if isSet {
        active.saveCursor()
        screen.controlSequence(sequence, range)
      } else {
        restoreCursor(range) { $0.controlSequence(sequence, range) }
      }
    case .synchronizedOutput:
      screen.controlSequence(sequence, range)
      // The terminal shows nothing while the banner is missing: the window's own update continues, or begins where the program's ends.
      if isUpdating || !isSet && isLifted {
        isUpdating = true
        stream.omit(range, into: &output)
      }
    case .autowrap, .x10Mouse, .textCursor, .allowsColumn, .keepsScreen, .tabWraps, .reverseWrap, .extendedReverseWrap,
      .normalMouse, .buttonEventMouse, .anyEventMouse, .utf8Mouse, .sgrMouse, .urxvtMouse, .sgrPixelMouse,
      .bracketedPaste, .inBandResize:
      screen.controlSequence(sequence, range)
    }
  }

  /// Each screen has its own placement and banner. Margins survive the switch in both directions.
  private mutating func switchScreen(
    _ mode: PrivateMode, _ isSet: Bool, _ sequence: ControlSequence, _ range: Range<Int>
  ) {
    let wasAlternate = screen.isAlternate
    if mode == .alternateScreenAndCursor, isSet, !wasAlternate { active.saveCursor() }
    stream.pass(upTo: range.lowerBound, into: &output)
    beginUpdate()
    // DECSTBM homes the cursor, whose place may be unknown afterwards.
    if wasAlternate, !isSet, placement != .hidden { output.append("\u{1b}[r") }
    screen.controlSequence(sequence, range)
    stream.pass(upTo: range.upperBound, into: &output)
    guard wasAlternate != screen.isAlternate else { return restoreBanner() }
    if screen.isAlternate {
      missed.showAlternate()
      // A cleared screen only needs the program's height. An uncleared one may still show rows that were drawn under an earlier banner.
      placement = banner.map { .shown(rows: $0.height) } ?? .hidden
      fitScreen()
      if mode != .alternateScreenAndCursor { screen.grid.forget() }
      beginPainting()
      appendBanner()
      endPainting(resetMargins: true)
    } else {
      leaveAlternateScreen(range)
    }
  }

  /// Handles a switch to the same screen. 1049 erases the alternate screen, and restores the cursor.
  private mutating func restoreBanner() {
    guard placement != .hidden else { return }
    output.append("\u{1b}[?6l")
    beginPainting()
    appendBannerIfShown()
    endPainting(resetMargins: true)
  }

  /// Applies to the primary screen the changes of the banner that happened during the alternate screen.
  mutating func leaveAlternateScreen(_ range: Range<Int>) {
    stream.pass(upTo: range.upperBound, into: &output)
    alternate = PlacedScreen()
    let height = banner?.height ?? 0
    if missed.isSizeOld { takeNewSize() }
    if missed.isMoved { return }
    // The terminal has restored its cursor itself. The banner waits until the cursor's place is known.
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

extension PrivateMode {
  /// Whether setting or resetting this mode changes the terminal's rows, or the way in which it counts them.
  var concernsRows: Bool {
    switch self {
    case .column, .origin, .alternateScreen, .leftRightMargin, .clearedAlternateScreen, .savedCursor,
      .alternateScreenAndCursor:
      true
    case .autowrap, .x10Mouse, .textCursor, .allowsColumn, .keepsScreen, .tabWraps, .reverseWrap, .extendedReverseWrap,
      .normalMouse, .buttonEventMouse, .anyEventMouse, .utf8Mouse, .sgrMouse, .urxvtMouse, .sgrPixelMouse,
      .bracketedPaste, .synchronizedOutput, .inBandResize:
      false
    }
  }
}
