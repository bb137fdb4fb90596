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
    new.inset.top += insetRows
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
    if let resize = deadlines.resize, resize <= now { settleSize() }
    if let cursor = deadlines.cursor, cursor <= now {
      deadlines.cursor = nil
      stopWaitingForCursor()
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
    isLeaving || ending.signal != nil || ending.isDrained || ending.isTerminalGone ? nil : machine.frame
  }

  /// Brings the screen to what should be on it, if it can be touched now; asked again after everything that happens.
  mutating func present() {
    guard toTerminal.isEmpty, !inquiry.isWaiting, deadlines.resize == nil, !isResizeDue else { return }
    switch (shown, wanted) {
    case (nil, nil): needsRepaint = false
    case (nil, let frame?): show(frame)
    case (_?, nil): hide()
    case (let old?, let frame?):
      if old != frame || needsRepaint { show(frame) }
    }
  }

  private func rows(_ frame: BannerFrame) -> BannerRows {
    BannerRows(frame, columns: size.columns, colors: capabilities.colors, usesASCII: capabilities.usesASCII)
  }

  /// Shows a frame, the first one or the next.
  private mutating func show(_ frame: BannerFrame) {
    switch output.readiness() {
    case .ready: break
    // After the next output it may be.
    case .notAtGround: return
    case .needsCursor: return askForCursor(.forBanner)
    }
    inquiry = .none
    var bytes: [UInt8] = []
    output.show(rows(frame), into: &bytes)
    put(output.isShown ? frame : nil, bytes)
  }

  /// - Parameter isUrgent: nobody will be here to do it later.
  mutating func hide(isUrgent: Bool = false) {
    guard shown != nil else { return }
    // Once the program is gone, or stopped, nothing will end what it left open.
    let isLast = isUrgent || ending.program != nil
    var bytes: [UInt8] = []
    switch output.readiness() {
    case .ready: inquiry = .none
    case .notAtGround:
      guard isLast else { return }
      output.abandonSequence(into: &bytes)
    // Without an answer it goes all the same.
    case .needsCursor: if inquiry == .none, ending.program == nil { return askForCursor(.forBanner) }
    }
    output.hide(into: &bytes)
    put(nil, bytes)
  }

  /// The screen first, then the program's size: it must not draw into rows that it does not have yet.
  private mutating func put(_ frame: BannerFrame?, _ bytes: [UInt8]) {
    isSizeDue = true
    shown = frame
    needsRepaint = false
    send(bytes)
    if toTerminal.isEmpty || ending.isTerminalGone { flushTerminal() }
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

  /// The terminal has had its size for long enough.
  mutating func settleSize() {
    deadlines.resize = nil
    deadlines.firstResize = nil
    guard let new = terminal.size, new != size else { return }
    // Terminals differ in what they do with their rows: where the cursor is tells.
    switch shown == nil ? .needsCursor : output.readiness() {
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
    guard let new = terminal.size, new != size else { return }
    let isMoved = (new.rows, new.columns) != (size.rows, size.columns)
    size = new
    isSizeDue = true
    if isMoved, new.rows > 0, new.columns > 0 {
      var bytes: [UInt8] = []
      output.resize(rows: new.rows, columns: new.columns, cursorRow: cursorRow, into: &bytes)
      send(bytes)
      if !output.isShown { shown = nil }
      needsRepaint = shown != nil
      deliver(.windowResized(rows: new.rows, columns: new.columns))
      present()
    }
    flushTerminal()
  }
}
