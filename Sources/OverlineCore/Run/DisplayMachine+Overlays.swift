internal import Overline

/// What the window shows above and over the program's screen.
extension DisplayMachine {
  /// Brings the screen to the wanted state if the window may write to it now. Called again after every event.
  mutating func present(_ demand: Demand, at now: Duration) {
    guard reception != .writing, !inquiry.isWaiting, sizes.deadline == nil, !sizes.isHeld else { return }
    let isWanted = demand == .serve && reception != .gone && !overlays.isEmpty
    if !isWanted, canvas.shown.isEmpty {
      check.doubt = .none
      return
    }
    let wanted = isWanted ? overlays.presentation : Presentation()
    if canvas.shows(wanted) { return }
    if wanted.isEmpty { hide(demand, at: now) } else if !isShowHeld { show(wanted, at: now) }
  }

  /// True while the first overlay waits until the terminal's size has rested.
  var isShowHeld: Bool { sizes.restDeadline != nil && canvas.shown.isEmpty && !overlays.isEmpty }

  private mutating func show(_ new: Presentation, at now: Duration) {
    let wasAsking = isAsking
    // foot signals no size that it had for less than 100 ms. It has moved its rows nevertheless.
    if canvas.capabilities.traits.signalsSizeLate, canvas.shown.isEmpty, check.doubt == .none {
      check.doubt = canvas.output.surface.doubtPlace() ? .open : .settled
    }
    if check.doubt == .open, inquiry.hasFailed {
      check.doubt = .settled
      canvas.output.surface.trustPlace()
    }
    let isInPlace = canvas.output.surface.repaintsInPlace && new.toast == nil && new.alert == nil
    if !isInPlace, !confirmsSize(at: now) { return }
    var bytes: [UInt8] = []
    switch canvas.show(new, isSilent: inquiry.isSilent, at: now, into: &bytes) {
    case .notAtGround: return
    case .needsCursor:
      if inquiry.hasFailed { refuseAlerts(.noCursor, at: now) }
      return ask(.banner, at: now)
    case .drawn:
      inquiry.reset()
      if check.doubt == .open { check.doubt = .settled }
    }
    if isAsking, !wasAsking { deliver(.alert(.alertAppeared), at: now) }
    putOut(bytes)
    if new.alert != nil, !canvas.boxes.hasAlert { refuseAlerts(.noRoom, at: now) }
  }

  /// Asks a terminal that signals its size late whether it still has the size that the window knows. Below a banner, rows that are painted at
  /// fixed places would overwrite lines that it has taken back.
  ///
  /// - Returns: false while the answer is awaited. Then ``present(_:at:)`` is called again.
  private mutating func confirmsSize(at now: Duration) -> Bool {
    defer { check.isSizeConfirmed = false }
    let isInDoubt =
      canvas.capabilities.traits.signalsSizeLate && !canvas.output.surface.isBatchOpen && !check.isSizeConfirmed
    guard isInDoubt, mayCheck else { return true }
    ask(.paint(row: canvas.output.surface.cursorRow), at: now)
    return false
  }

  /// An invisible alert would keep its client waiting: refuse it, so that the client asks elsewhere.
  private mutating func refuseAlerts(_ reason: AlertRefusal, at now: Duration) {
    guard overlays.presentation.alert != nil else { return }
    deliver(.alert(.alertsRefused(reason)), at: now)
    present(.serve, at: now)
  }

  mutating func hide(_ demand: Demand, at now: Duration) {
    if canvas.shown.isEmpty { return }
    let isLast = if case .clear = demand { true } else { false }
    let mayAsk = demand != .clear(mayAsk: false)
    if mayAsk, !confirmsSize(at: now) { return }
    var bytes: [UInt8] = []
    switch canvas.hide(isLast: isLast, mayAsk: mayAsk && inquiry.isIdle, into: &bytes) {
    case .notAtGround: return
    case .needsCursor: return ask(.banner, at: now)
    case .drawn: inquiry.reset()
    }
    check = CursorCheck()
    putOut(bytes)
    emit(.releaseMemory)
  }

  private mutating func putOut(_ bytes: [UInt8]) {
    sizes.isProgramDue = true
    write(bytes)
    updateMouse()
  }

  private mutating func updateMouse() {
    write(pointer.update(isToastShown: canvas.shown.toast != nil, canvas.output.surface.screen.modes))
  }

  /// Follows the program, which may have turned the mouse on or off.
  mutating func followMouse(at now: Duration) {
    guard overlays.toasts.isHeld || pointer.isOn else { return }
    let isTracked = canvas.output.surface.screen.modes.mouseTracking != .off
    if overlays.toasts.isHeld, !pointer.isOn, !isTracked {
      deliver(.toast(.dragCancelled), at: now)
      present(.serve, at: now)
    }
    if pointer.isOn, isTracked, canvas.output.readiness() != .notAtGround { updateMouse() }
  }
}
