internal import Overline
internal import OverlineSystem

/// Drawing and removing banner, alert and toast.
extension Window {
  /// The presentation that should be on the screen.
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
    // A moment longer than the inquiry's deadline, which the last turn handles.
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

  /// Brings the screen to the wanted state if it can be touched now; called again after every event.
  mutating func present() {
    guard toTerminal.isEmpty, !inquiry.isWaiting, deadlines.resize == nil, !isResizeDue else { return }
    let wanted = wanted
    if wanted.isEmpty {
      if shown.isEmpty { needsRepaint = false } else { hide() }
    } else if shown != wanted || needsRepaint {
      show(wanted)
    }
  }

  /// Shows a presentation for the first time, or its next frame.
  private mutating func show(_ new: Presentation) {
    switch output.readiness() {
    case .ready: break
    // The next output may end the sequence.
    case .notAtGround: return
    case .needsCursor:
      if inquiry == .failed { refuseAlerts(.noCursor) }
      return askForBanner()
    }
    inquiry = .none
    var bytes: [UInt8] = []
    if !new.hasBox { isInset = false }
    draw(new, into: &bytes)
    if !isInset, !canCover() {
      // It is unknown what the boxes would cover: they get rows of their own for as long as any shows.
      isInset = true
      draw(new, into: &bytes)
    }
    output.cover(isInset ? [] : overlays.boxes, colors: capabilities.colors, into: &bytes)
    var shown = new
    if !output.isShown { shown.banner = nil }
    put(shown, bytes)
    if new.alert != nil, !overlays.hasAlert { refuseAlerts(.noRoom) }
  }

  /// An invisible alert would keep its client waiting: refuse it, so that the client asks elsewhere.
  private mutating func refuseAlerts(_ reason: AlertRefusal) {
    guard alerts.frame != nil else { return }
    perform(alerts.handle(.alertsRefused(reason), at: BootClock.now))
    conclude()
    present()
  }

  /// Whether boxes can stand over the program's screen, now or soon: after a new size or screen the program is about to
  /// draw what is below them.
  private mutating func canCover() -> Bool {
    let isKnown = output.canCover(overlays.boxes)
    if isKnown || !shown.hasBox || isRedrawOverdue {
      deadlines.redraw = nil
      isRedrawOverdue = false
      return isKnown
    }
    deadlines.redraw = deadlines.redraw ?? BootClock.now + .milliseconds(500)
    return true
  }

  /// Draws the rows above the program's if they changed, and lays the boxes out.
  private mutating func draw(_ new: Presentation, into bytes: inout [UInt8]) {
    var rows = BannerRows()
    if let banner = new.banner {
      rows = BannerRows(banner, columns: size.columns, colors: capabilities.colors, usesASCII: capabilities.usesASCII)
    }
    if isInset {
      let room = size.rows - rows.height
      // An alert matters more than the program's rows: in a low window only one of them stays.
      let alertRows = max(room - Appearance.minimumContentRows, min(AlertLayout.minimumRows, room - 1))
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

  /// Gives boxes that cannot stand over the program's screen rows of their own. They do not slide: each row more or less is
  /// a new size for the program.
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

  /// - Parameter isUrgent: there is no later chance to hide.
  mutating func hide(isUrgent: Bool = false) {
    guard !shown.isEmpty else { return }
    // A program that ended or stopped will not finish its open sequence.
    let isLast = isUrgent || ending.program != nil
    var bytes: [UInt8] = []
    switch output.readiness() {
    case .ready: inquiry = .none
    case .notAtGround:
      guard isLast else { return }
      output.abandonSequence(into: &bytes)
    // Without an answer it is hidden all the same.
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
