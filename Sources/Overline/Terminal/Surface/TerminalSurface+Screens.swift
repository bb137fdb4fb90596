/// The primary and the alternate screen. Each has a placement of its own, and margins survive the switch in both directions.
extension TerminalSurface {
  /// Call this when the terminal shows the alternate screen.
  ///
  /// - Parameter isCleared: whether the switch has erased it. An uncleared one may still show rows that were drawn under an earlier banner.
  mutating func enterAlternateScreen(isCleared: Bool) {
    missed.showAlternate()
    placement = banner.map { .shown(rows: $0.height) } ?? .hidden
    let wanted = rows - placement.inset
    if screen.rows > wanted { screen.removeRows(bottom: screen.rows - wanted) }
    if screen.rows < wanted { screen.appendBlankRows(wanted - screen.rows) }
    if !isCleared { screen.grid.forget() }
    beginPainting()
    appendBanner()
    endPainting(resetMargins: true)
  }

  /// Call this when the terminal shows the primary screen again. Applies to it the changes of the banner that happened meanwhile.
  mutating func leaveAlternateScreen() {
    alternate = PlacedScreen()
    let height = banner?.height ?? 0
    if missed.isSizeOld { takeNewSize() }
    if missed.isMoved { return }
    // The terminal has restored its cursor itself. The banner waits until the cursor's place is known.
    if placement == .hidden, !screen.isCursorKnown { return }
    if placement != .hidden, placement.inset != height { hideActive() }
    if placement == .hidden, banner != nil { showActive() } else { restoreBanner() }
  }

  /// Call this when a reset has erased everything that the terminal had moved.
  mutating func forgetMove() {
    if missed.isSizeOld { fitScreenRows(rows - placement.inset) }
    missed.erase()
  }

  /// Paints the banner and sets the margins again, after a sequence that may have erased or reset them.
  mutating func restoreBanner() {
    beginPainting()
    appendBannerIfShown()
    endPainting(resetMargins: true)
  }

  /// Places the cursor that a sequence has restored.
  ///
  /// - Parameter wasUnrestricted: ``isUnrestricted`` before the sequence.
  mutating func placeRestoredCursor(wasUnrestricted: Bool) {
    if wasUnrestricted != isUnrestricted {
      output.append("\u{1b}[?6l")
      appendMargins()
    }
    output.append(screen.modes.isOrigin ? "\u{1b}[?6h" : "\u{1b}[?6l")
    appendCursor()
    screen.encodePen(into: &output)
  }
}
