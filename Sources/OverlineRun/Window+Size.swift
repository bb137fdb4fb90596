internal import Overline
internal import OverlineSystem

/// The terminal's size, from which the program's follows.
extension Window {
  /// While anything shows, waits until a changing size settles: every repaint before that would be outdated.
  mutating func noteResize() {
    guard !shown.isEmpty else { return resizeNow() }
    let now = BootClock.now
    let first = deadlines.firstResize ?? now
    deadlines.firstResize = first
    deadlines.resize = min(now + .milliseconds(75), first + .milliseconds(150))
  }

  /// The terminal's size has settled. If it equals the old one, it was another in between, and the terminal has moved its content.
  mutating func settleSize() {
    deadlines.resize = nil
    deadlines.firstResize = nil
    isResizeDue = false
    guard !shown.isEmpty else { return resizeNow() }
    guard let new = terminal.size else { return }
    // Terminals differ in how they move their rows: the cursor's place tells.
    switch output.readiness() {
    // The program ended and will not finish its open sequence.
    case .notAtGround where ending.isDrained:
      var bytes: [UInt8] = []
      output.abandonSequence(into: &bytes)
      send(bytes)
      resizeNow()
    case .notAtGround: isResizeDue = true
    case .ready where !output.screen.isAlternate:
      inquiry = .none
      askForCursor(.forSize(new))
    case .ready, .needsCursor: resizeNow()
    }
  }

  /// - Parameter cursorRow: the row that the terminal reports for its cursor, from 1.
  mutating func resizeNow(cursorRow: Int? = nil) {
    deadlines.resize = nil
    deadlines.firstResize = nil
    isResizeDue = false
    guard let new = terminal.size, new != size || !shown.isEmpty else { return }
    let isSame = new == size
    let isMoved = !shown.isEmpty || (new.rows, new.columns) != (size.rows, size.columns)
    size = new
    isSizeDue = true
    if isMoved, new.rows > 0, new.columns > 0 {
      var bytes: [UInt8] = []
      output.resize(rows: new.rows, columns: new.columns, cursorRow: cursorRow, into: &bytes)
      send(bytes)
      if !output.isShown {
        shown.banner = nil
        bannerRows = BannerRows()
      }
      needsRepaint = !shown.isEmpty
      deliver(.banner(.windowResized(rows: new.rows, columns: new.columns)))
      perform(toasts.handle(.windowResized(rows: new.rows, columns: new.columns), at: BootClock.now))
      present()
    }
    // The kernel signals a program only if the size differs.
    if isSame { session?.forward(.windowSizeChanged) }
    // Pending output is left to the loop: the terminal may block.
    if toTerminal.isEmpty { flushTerminal() }
  }
}
