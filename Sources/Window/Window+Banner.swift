internal import Banner
internal import POSIX
internal import Terminal

/// The banner, its room, and the terminal's size.
extension Window {
  // MARK: - What happened

  mutating func takeEvents() {
    for event in link.take() { deliver(event) }
  }

  mutating func takeDeadline() {
    timer.take()
    armed = nil
    deliver(.deadlineReached)
  }

  private mutating func deliver(_ event: BannerEvent) {
    // What to do comes of the newest state alone: a slow terminal gets no frames of the past.
    _ = machine.handle(event, at: BootClock.now)
    let next = machine.nextDeadline
    if next != armed {
      timer.arm(next)
      armed = next
    }
    publish()
  }

  /// Tells observers what is new.
  mutating func publish() {
    var new = WindowStatus()
    new.banner = machine.status
    new.inset.top += shown?.appearance.height ?? 0
    guard new != status else { return }
    status = new
    link.onChange(new)
  }

  mutating func takeDeadlines() {
    let now = BootClock.now
    if let settle = deadlines.settle, settle <= now {
      deadlines.settle = nil
      output.settle()
    }
    if let release = deadlines.release, release <= now { releaseInput() }
    if let batch = deadlines.batch, batch <= now {
      if output.isLifted { finishBatch() } else { deadlines.batch = nil }
    }
    if let resize = deadlines.resize, resize <= now { resizeNow() }
    if let cursor = deadlines.cursor, cursor <= now {
      deadlines.cursor = nil
      if inquiry == .waiting { inquiry = .failed }
    }
    if let look = deadlines.look, look <= now { awaitLost() }
    if let end = deadlines.end, end <= now {
      deadlines.end = nil
      giveUp()
    }
  }

  // MARK: - What is shown

  /// What should be on the screen.
  var wanted: BannerFrame? {
    ending.signal != nil || ending.isDrained || ending.isTerminalGone ? nil : machine.frame
  }

  /// Brings the screen to what should be on it, if it can be touched now; asked again after everything that happens.
  mutating func present() {
    guard toTerminal.isEmpty, inquiry != .waiting, deadlines.resize == nil else { return }
    switch (shown, wanted) {
    case (nil, nil): needsRepaint = false
    case (nil, let frame?): show(frame)
    case (_?, nil): hide()
    case (let old?, let frame?):
      guard old != frame || needsRepaint else { return }
      if old.appearance.height == frame.appearance.height { repaint(frame) } else { replace(frame) }
    }
  }

  private func rows(_ frame: BannerFrame) -> BannerRows {
    BannerRows(frame, columns: size.columns, colors: capabilities.colors, usesASCII: capabilities.usesASCII)
  }

  private mutating func show(_ frame: BannerFrame) {
    switch output.readiness() {
    case .ready: break
    // After the next output it may be.
    case .notAtGround: return
    case .needsCursor: return askForCursor()
    }
    inquiry = .none
    var bytes: [UInt8] = []
    output.show(rows(frame), into: &bytes)
    put(frame, bytes)
  }

  private mutating func repaint(_ frame: BannerFrame) {
    guard output.readiness() != .notAtGround else { return }
    var bytes: [UInt8] = []
    output.repaint(rows(frame), into: &bytes)
    put(frame, bytes)
  }

  private mutating func replace(_ frame: BannerFrame) {
    guard output.readiness() != .notAtGround else { return }
    var bytes: [UInt8] = []
    output.hide(into: &bytes)
    output.show(rows(frame), into: &bytes)
    put(frame, bytes)
  }

  mutating func hide() {
    guard shown != nil else { return }
    // Once the program is gone nothing will end what it left open.
    guard output.readiness() != .notAtGround || ending.program != nil else { return }
    var bytes: [UInt8] = []
    output.hide(into: &bytes)
    put(nil, bytes)
  }

  /// The screen first, then the program's size: it must not draw into rows that it does not have yet.
  private mutating func put(_ frame: BannerFrame?, _ bytes: [UInt8]) {
    isSizeDue = isSizeDue || shown?.appearance.height != frame?.appearance.height
    shown = frame
    needsRepaint = false
    send(bytes)
    if toTerminal.isEmpty || ending.isTerminalGone { flushTerminal() }
  }

  // MARK: - The cursor

  /// Asks the terminal, and holds the output back meanwhile. What it says to the second question ends the answers, whether it knows
  /// the first or not.
  private mutating func askForCursor() {
    guard inquiry == .none else { return }
    inquiry = .waiting
    deadlines.cursor = BootClock.now + .milliseconds(200)
    input.ask()
    send(Array("\u{1b}[6n\u{1b}[c".utf8))
  }

  mutating func takeCursorReport() {
    guard inquiry == .waiting, let report = input.ownReport else { return }
    inquiry = .none
    deadlines.cursor = nil
    output.cursorReported(row: report.row, column: report.column)
    present()
  }

  // MARK: - The size

  /// While a banner shows, a size that changes again and again is waited for: every repaint would be one of the past.
  mutating func noteResize() {
    guard shown != nil else { return resizeNow() }
    let now = BootClock.now
    let first = deadlines.firstResize ?? now
    deadlines.firstResize = first
    deadlines.resize = min(now + .milliseconds(75), first + .milliseconds(150))
  }

  mutating func resizeNow() {
    deadlines.resize = nil
    deadlines.firstResize = nil
    guard let new = terminal.size, new != size else { return }
    let isMoved = (new.rows, new.columns) != (size.rows, size.columns)
    size = new
    if isMoved {
      output.resize(rows: new.rows, columns: new.columns)
      needsRepaint = shown != nil
      deliver(.windowResized(rows: new.rows, columns: new.columns))
    }
    if needsRepaint { isSizeDue = true } else { session?.setSize(programSize) }
    present()
  }
}
