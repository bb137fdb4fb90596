internal import Overline
internal import OverlineSystem

/// Requests from other threads, and deadlines.
extension Window {
  mutating func takeRequests() {
    for request in link.take() { deliver(request) }
  }

  mutating func takeDeadline() {
    timer.take()
    armed = nil
    _ = machine.handle(.deadlineReached, at: BootClock.now)
    perform(toasts.handle(.deadlineReached, at: BootClock.now))
    conclude()
  }

  mutating func deliver(_ request: WindowRequest) {
    let now = BootClock.now
    // The frame is drawn from the newest state alone: a slow terminal gets no outdated frames.
    switch request {
    case .banner(let event): _ = machine.handle(event, at: now)
    case .toast(let content, let id): perform(toasts.handle(.toastPosted(content, id: id), at: now))
    case .dismissToast(let id): perform(toasts.handle(.toastDismissed(id), at: now))
    case .dismissFrontToast: perform(toasts.handle(.frontToastDismissed, at: now))
    case .alert(let alert, let id): perform(alerts.handle(.alertPosted(alert, id: id), at: now))
    case .withdrawAlert(let id): perform(alerts.handle(.alertWithdrawn(id), at: now))
    case .toastSettings(let settings, let input):
      toastInput = input
      perform(toasts.handle(.settingsChanged(settings), at: now))
    }
    conclude()
  }

  mutating func perform(_ effects: [ToastEffect]) {
    for effect in effects {
      switch effect {
      case .end(let id): link.onToastEnd(id)
      case .draw, .clear, .publish: break
      }
    }
  }

  mutating func perform(_ effects: [AlertEffect]) {
    for effect in effects {
      switch effect {
      case .answer(let id, let button): link.onAnswer(id, button)
      case .refuse(let id, let reason): link.onRefusal(id, reason)
      case .draw, .clear, .publish: break
      }
    }
  }

  /// Arms the timer and informs observers; call it after anything that may change the presentation or its deadlines.
  mutating func conclude() {
    let next = [machine.nextDeadline, toasts.nextDeadline].compactMap { $0 }.min()
    if next != armed {
      timer.arm(next)
      armed = next
    }
    publish()
  }

  /// Reports a changed status to the observers.
  mutating func publish() {
    var new = WindowStatus()
    new.overlays = OverlayStatus(banner: machine.status, toast: toasts.current, alert: alerts.frame?.alert)
    new.inset.top += insetRows
    new.rows = output.programRows
    new.columns = size.columns
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
    if let redraw = deadlines.redraw, redraw <= now {
      deadlines.redraw = nil
      isRedrawOverdue = true
      needsRepaint = true
    }
    if let look = deadlines.look, look <= now { awaitLost() }
    if let end = deadlines.end, end <= now {
      deadlines.end = nil
      giveUp()
    }
  }
}
