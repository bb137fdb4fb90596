internal import Overline
internal import OverlineSystem

/// Keyboard and mouse input for toasts and alerts.
extension Window {
  /// The terminal's cells that the toast covers; nil when none is visible.
  var toastArea: CellArea? { overlays.toast?.moved(down: isInset ? 0 : insetRows) }

  private var alertButtons: [CellArea?] { overlays.buttons.map { $0?.moved(down: isInset ? 0 : insetRows) } }

  /// True while an alert has the keyboard: it is visible and not answered yet.
  var isAsking: Bool { alerts.frame != nil && shown.alert != nil && overlays.hasAlert }

  mutating func takeOverlayInput() {
    let inputs = input.takeOverlayInput()
    guard !inputs.isEmpty else { return }
    for input in inputs { handle(input) }
    conclude()
  }

  private mutating func handle(_ input: OverlayInput) {
    let now = BootClock.now
    switch input {
    case .alertKey(let key): perform(alerts.handle(.keyPressed(key), at: now))
    case .alertPressed(let row, let column):
      guard let button = alertButtons.firstIndex(where: { $0?.contains(row: row, column: column) == true })
      else { return }
      perform(alerts.handle(.buttonPressed(button), at: now))
    case .toastPressed(let row):
      dragStart = row
      perform(toasts.handle(.dragBegan, at: now))
    case .toastDragged(let row): perform(toasts.handle(.dragMoved(rows: distance(to: row)), at: now))
    case .toastReleased(let row): perform(toasts.handle(.dragEnded(rows: distance(to: row)), at: now))
    case .toastEscaped: perform(toasts.handle(.frontToastDismissed, at: now))
    }
  }

  /// Rows towards the toast's edge since the button was pressed; where unknown, one row away from it.
  private func distance(to row: Int?) -> Int {
    guard let row else { return -1 }
    return switch shown.toast?.content.edge {
    case .bottom: row - dragStart
    case .top, nil: dragStart - row
    }
  }

  // MARK: - The mouse

  /// Turns the mouse on while a toast shows, if `toast.mouse` is set and the program did not turn it on, and off again; only at ground
  /// state. If the program turns the mouse on meanwhile, it gets the modes that it set.
  mutating func setMouse() {
    let modes = output.screen.modes
    let isWanted = toastInput.mouse && shown.toast != nil && modes.mouseTracking == .off
    guard isWanted != isMouseOn else { return }
    isMouseOn = isWanted
    if isWanted { return send(Self.mouseOn) }
    var text = "\u{1b}[?1002l\u{1b}[?1006l"
    if modes.mouseTracking != .off { text += "\u{1b}[?\(modes.mouseTracking.rawValue)h" }
    if modes.mouseEncoding != .x10 { text += "\u{1b}[?\(modes.mouseEncoding.rawValue)h" }
    send(Array(text.utf8))
  }

  /// Turns the mouse on. Sent again after each batch of output: the program may have turned it or its encoding off.
  static var mouseOn: [UInt8] { Array("\u{1b}[?1002h\u{1b}[?1006h".utf8) }

  /// Called after the program's output.
  mutating func followMouse() {
    if toasts.isHeld, !isMouseOn, output.screen.modes.mouseTracking == .off {
      perform(toasts.handle(.dragCancelled, at: BootClock.now))
      conclude()
      present()
    }
    guard isMouseOn, output.screen.modes.mouseTracking != .off, output.readiness() != .notAtGround else { return }
    setMouse()
  }
}
