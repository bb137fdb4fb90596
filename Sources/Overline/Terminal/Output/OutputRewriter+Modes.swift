/// DECSET and DECRST.
extension OutputRewriter {
  mutating func setModes(_ isSet: Bool, _ sequence: ControlSequence, _ range: Range<Int>) {
    let modes = (0..<sequence.count).compactMap { sequence[$0] }
    let known = modes.compactMap { PrivateMode(number: $0) }
    guard let first = known.first(where: { $0.concernsRows || $0 == .synchronizedOutput }) else {
      return surface.screen.controlSequence(sequence, range)
    }
    if known.contains(where: \.concernsRows) { lowerFlow(before: range) }
    if modes.count == 1 { return setMode(first, isSet, sequence, range) }
    // Handle each mode on its own, in order.
    omit(range)
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
    pass(upTo: bytes.count)
    stream.resume(outer)
  }

  private mutating func setMode(
    _ mode: PrivateMode, _ isSet: Bool, _ sequence: ControlSequence, _ range: Range<Int>
  ) {
    if mode == .synchronizedOutput { return synchronize(isSet, sequence, range) }
    switch mode.facts.rows {
    case .resets: reset(range) { $0.controlSequence(sequence, range) }
    case .restricts:
      let wasUnrestricted = surface.isUnrestricted
      surface.screen.controlSequence(sequence, range)
      if surface.placement.isShown, wasUnrestricted != surface.isUnrestricted {
        pass(upTo: range.upperBound)
        surface.appendMargins()
        surface.appendCursor()
      } else if mode == .origin {
        homeAgain(after: range)
      }
    case .switchesScreen: switchScreen(mode, isSet, sequence, range)
    case .savesCursor:
      if isSet {
        surface.active.saveCursor()
        surface.screen.controlSequence(sequence, range)
      } else {
        restoreCursor(range) { $0.controlSequence(sequence, range) }
      }
    case .none: surface.screen.controlSequence(sequence, range)
    }
  }

  /// The terminal shows nothing while the banner is missing: the window's own update continues, or begins where the program's ends.
  private mutating func synchronize(_ isSet: Bool, _ sequence: ControlSequence, _ range: Range<Int>) {
    surface.screen.controlSequence(sequence, range)
    guard surface.isUpdating || !isSet && surface.isLifted else { return }
    surface.isUpdating = true
    omit(range)
  }

  /// Each screen has its own placement and banner. Margins survive the switch in both directions.
  private mutating func switchScreen(
    _ mode: PrivateMode, _ isSet: Bool, _ sequence: ControlSequence, _ range: Range<Int>
  ) {
    let wasAlternate = surface.screen.isAlternate
    if mode == .alternateScreenAndCursor, isSet, !wasAlternate { surface.active.saveCursor() }
    pass(upTo: range.lowerBound)
    surface.beginUpdate()
    // DECSTBM homes the cursor, whose place may be unknown afterwards.
    if wasAlternate, !isSet, surface.placement != .hidden { surface.output.append("\u{1b}[r") }
    surface.screen.controlSequence(sequence, range)
    pass(upTo: range.upperBound)
    switch (wasAlternate, surface.screen.isAlternate) {
    case (false, true): surface.enterAlternateScreen(isCleared: mode == .alternateScreenAndCursor)
    case (true, false): surface.leaveAlternateScreen()
    case (true, true), (false, false):
      // 1049 erases the alternate screen, and restores the cursor.
      guard surface.placement != .hidden else { return }
      surface.output.append("\u{1b}[?6l")
      surface.restoreBanner()
    }
  }
}
