internal import Banner
internal import POSIX
internal import Terminal

/// What is on the screen over and above the program.
extension Window {
  /// What should be there.
  var wanted: Presentation {
    if isLeaving || ending.signal != nil || ending.isDrained || ending.isTerminalGone { return Presentation() }
    return Presentation(banner: machine.frame, alert: alerts.frame, toast: toasts.frame)
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
    case .needsCursor: return askForCursor(.forBanner)
    }
    inquiry = .none
    var bytes: [UInt8] = []
    if !new.hasOverlay { isInset = false }
    draw(new, into: &bytes)
    if !isInset, !output.canCover(boxes) {
      // Nobody knows what the boxes would cover: they get rows of their own, for as long as there are any.
      isInset = true
      draw(new, into: &bytes)
    }
    output.cover(isInset ? [] : boxes, colors: capabilities.colors, into: &bytes)
    var shown = new
    if !output.isShown { shown.banner = nil }
    put(shown, bytes)
  }

  /// Draws the banner, if it is not there yet, and lays the boxes out for the rows that are left to the program.
  private mutating func draw(_ new: Presentation, into bytes: inout [UInt8]) {
    let rows = bannerRows(new)
    if rows != bannerRows || needsRepaint {
      if rows.height > 0 { output.show(rows, into: &bytes) } else if output.isShown { output.hide(into: &bytes) }
      bannerRows = rows
    }
    boxes = layOut(new, rows: output.programRows)
  }

  /// The banner's rows, and below them those of boxes that cannot stand over the program's screen. These do not slide: each row more or
  /// less is a new size for the program.
  private func bannerRows(_ new: Presentation) -> BannerRows {
    var rows = BannerRows()
    if let banner = new.banner {
      rows = BannerRows(banner, columns: size.columns, colors: capabilities.colors, usesASCII: capabilities.usesASCII)
    }
    guard isInset else { return rows }
    var still = new
    still.toast?.rest()
    for box in layOut(still, rows: size.rows - rows.height) {
      let more = rows.appending(box, colors: capabilities.colors)
      if more.height + Appearance.minimumContentRows <= size.rows { rows = more }
    }
    return rows
  }

  /// The boxes, the backmost first. What is too large for the window is left out.
  private func layOut(_ new: Presentation, rows: Int) -> [OverlayBox] {
    var boxes: [(level: OverlayLevel, box: OverlayBox)] = []
    if let alert = new.alert, rows >= AlertLayout.leastRows, size.columns >= AlertLayout.leastColumns {
      let layout = AlertLayout(
        alert, rows: rows, columns: size.columns, colors: capabilities.colors, usesASCII: capabilities.usesASCII)
      boxes.append((.alert, layout.box))
    }
    if let toast = new.toast {
      let layout = ToastLayout(
        toast, rows: rows, columns: size.columns, colors: capabilities.colors, usesASCII: capabilities.usesASCII)
      if let layout {
        let box = layout.box(toast, rows: rows, columns: size.columns)
        boxes.insert((toast.content.level, box), at: toast.content.level < .alert ? 0 : boxes.count)
      }
    }
    return boxes.map(\.box)
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
    case .needsCursor: if inquiry == .none, ending.program == nil { return askForCursor(.forBanner) }
    }
    output.cover([], colors: capabilities.colors, into: &bytes)
    if output.isShown { output.hide(into: &bytes) }
    bannerRows = BannerRows()
    boxes = []
    isInset = false
    put(Presentation(), bytes)
  }

  /// The screen first, then the program's size: it must not draw into rows that it does not have yet.
  private mutating func put(_ new: Presentation, _ bytes: [UInt8]) {
    isSizeDue = true
    shown = new
    needsRepaint = false
    send(bytes)
    if toTerminal.isEmpty || ending.isTerminalGone { flushTerminal() }
  }
}
