internal import Overline
internal import OverlineSystem

/// The terminal's size, and with it the program's.
extension Window {
  /// While anything shows, a size that changes again and again is waited for: every repaint would be one of the past.
  mutating func noteResize() {
    guard !shown.isEmpty else { return resizeNow() }
    let now = BootClock.now
    let first = deadlines.firstResize ?? now
    deadlines.firstResize = first
    deadlines.resize = min(now + .milliseconds(75), first + .milliseconds(150))
  }

  /// The terminal has had its size for long enough. If it is the one it had before, it has had another one meanwhile, and has moved what
  /// was on it.
  mutating func settleSize() {
    deadlines.resize = nil
    deadlines.firstResize = nil
    isResizeDue = false
    guard !shown.isEmpty else { return resizeNow() }
    guard let new = terminal.size else { return }
    // Terminals differ in what they do with their rows: where the cursor is tells.
    switch output.readiness() {
    // Nobody ends what a program left open that is gone.
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

  /// - Parameter cursorRow: where the terminal says that its cursor is now, from 1.
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
    // The kernel tells a program of a size that is another one only.
    if isSame { session?.forward(.windowSizeChanged) }
    // Terminals that may block are asked first.
    if toTerminal.isEmpty { flushTerminal() }
  }
}
