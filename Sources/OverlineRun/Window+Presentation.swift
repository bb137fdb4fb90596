internal import Overline
internal import OverlineSystem

/// What is on the screen over and above the program.
extension Window {
  /// What should be there.
  var wanted: Presentation {
    if isLeaving || ending.signal != nil || ending.isDrained || ending.isTerminalGone { return Presentation() }
    return Presentation(banner: machine.frame, alert: alerts.frame, toast: toasts.frame)
  }

  /// Shows the banner before the program starts. Without an answer about the cursor within a second, the program starts without it.
  mutating func presentBeforeStart(_ event: BannerEvent) {
    deliver(.banner(event))
    guard !wanted.isEmpty else { return }
    terminal.makeRaw()
    present()
    let end = BootClock.now + .seconds(1)
    if inquiry.isWaiting { deadlines.cursor = end }
    var few = PollSet(count: 3)
    // A moment more than the deadline of the question, which is taken in the last turn.
    let last = end + .milliseconds(50)
    while inquiry.isWaiting || !toTerminal.isEmpty, ending.signal == nil, BootClock.now < last {
      few.watch(0, signals.rawValue, .readable)
      few.watch(1, terminal.reading, .readable)
      few.watch(2, terminal.writing, toTerminal.isEmpty ? [] : .writable)
      let next = inquiry.isWaiting ? end : last
      few.wait(milliseconds: max(1, (next - BootClock.now).pollTimeout))
      if few.ready(0) != [] { takeSignals() }
      if few.ready(1) != [] { readTyped() }
      if few.ready(2) != [] { flushTerminal() }
      takeDeadlines()
    }
  }

  /// Brings the screen to what should be on it, if it can be touched now; asked again after everything that happens.
  mutating func present() {
    guard toTerminal.isEmpty, !inquiry.isWaiting, deadlines.resize == nil, !isResizeDue else { return }
    let wanted = wanted
    if wanted.isEmpty {
      if shown.isEmpty { needsRepaint = false } else { hide() }
    } else if shown != wanted || needsRepaint {
      show(wanted)
    }
  }

  /// Shows something for the first time, or the next frame of it.
  private mutating func show(_ new: Presentation) {
    switch output.readiness() {
    case .ready: break
    // After the next output it may be.
    case .notAtGround: return
    case .needsCursor:
      if inquiry == .failed { refuseAlerts(.noCursor) }
      return askForBanner()
    }
    inquiry = .none
    var bytes: [UInt8] = []
    if !new.hasOverlay { isInset = false }
    draw(new, into: &bytes)
    if !isInset, !canCover() {
      // Nobody knows what the boxes would cover: they get rows of their own, for as long as there are any.
      isInset = true
      draw(new, into: &bytes)
    }
    output.cover(isInset ? [] : overlays.boxes, colors: capabilities.colors, into: &bytes)
    var shown = new
    if !output.isShown { shown.banner = nil }
    put(shown, bytes)
    if new.alert != nil, !overlays.hasAlert { refuseAlerts(.noRoom) }
  }

  /// Whoever asks would wait for what nobody can see: they are told, and ask elsewhere.
  private mutating func refuseAlerts(_ reason: AlertRefusal) {
    guard alerts.frame != nil else { return }
    perform(alerts.handle(.alertsRefused(reason), at: BootClock.now))
    conclude()
    present()
  }

  /// Whether boxes stand over the program's screen, or will soon: a program that got another size, or came to another screen, is about
  /// to draw what is below them.
  private mutating func canCover() -> Bool {
    let isKnown = output.canCover(overlays.boxes)
    if isKnown || !shown.hasOverlay || isRedrawOverdue {
      deadlines.redraw = nil
      isRedrawOverdue = false
      return isKnown
    }
    deadlines.redraw = deadlines.redraw ?? BootClock.now + .milliseconds(500)
    return true
  }

  /// Draws the rows above the program's, if they are not there yet, and lays the boxes out.
  private mutating func draw(_ new: Presentation, into bytes: inout [UInt8]) {
    var rows = BannerRows()
    if let banner = new.banner {
      rows = BannerRows(banner, columns: size.columns, colors: capabilities.colors, usesASCII: capabilities.usesASCII)
    }
    if isInset {
      let room = size.rows - rows.height
      // A question matters more than what is below it: of that one row stays, if there are no more.
      let alertRows = max(room - Appearance.minimumContentRows, min(AlertLayout.leastRows, room - 1))
      overlays = PlacedOverlays(
        new.resting, rows: room, columns: size.columns, alertRows: alertRows, capabilities)
      stack(below: &rows)
    }
    if rows != bannerRows || needsRepaint {
      if rows.height > 0 { output.show(rows, into: &bytes) } else if output.isShown { output.hide(into: &bytes) }
      bannerRows = rows
    }
    if !isInset { overlays = PlacedOverlays(new, rows: output.programRows, columns: size.columns, capabilities) }
  }

  /// Gives boxes that cannot stand over the program's screen rows of their own. They do not slide: each row more or less is a new size
  /// for the program.
  private mutating func stack(below rows: inout BannerRows) {
    let items = overlays.items
    overlays.items = []
    for var item in items {
      let more = rows.appending(item.box, colors: capabilities.colors)
      guard more.height + (item.isToast ? Appearance.minimumContentRows : 1) <= size.rows else { continue }
      item.move(toRow: rows.height)
      rows = more
      overlays.items.append(item)
    }
  }

  /// - Parameter isUrgent: nobody will be here to do it later.
  mutating func hide(isUrgent: Bool = false) {
    guard !shown.isEmpty else { return }
    // Once the program is gone, or stopped, nothing will end what it left open.
    let isLast = isUrgent || ending.program != nil
    var bytes: [UInt8] = []
    switch output.readiness() {
    case .ready: inquiry = .none
    case .notAtGround:
      guard isLast else { return }
      output.abandonSequence(into: &bytes)
    // Without an answer it goes all the same.
    case .needsCursor: if inquiry == .none, ending.program == nil { return askForBanner() }
    }
    output.cover([], colors: capabilities.colors, into: &bytes)
    if output.isShown { output.hide(into: &bytes) }
    bannerRows = BannerRows()
    overlays = PlacedOverlays()
    isInset = false
    isRedrawOverdue = false
    deadlines.redraw = nil
    put(Presentation(), bytes)
  }

  /// The screen first, then the program's size: it must not draw into rows that it does not have yet.
  private mutating func put(_ new: Presentation, _ bytes: [UInt8]) {
    isSizeDue = true
    let wasAsking = isAsking
    shown = new
    if isAsking, !wasAsking { perform(alerts.handle(.alertAppeared, at: BootClock.now)) }
    needsRepaint = false
    send(bytes)
    setMouse()
    if toTerminal.isEmpty || ending.isTerminalGone { flushTerminal() }
  }
}
