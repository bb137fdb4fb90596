internal import Overline

/// Keys and mouse for the overlays. The mouse is on while a toast shows, if the settings say so and the program did not turn it on itself.
struct OverlayPointer {
  var settings: ToastInputSettings
  /// True while the window has turned the mouse on.
  private(set) var isOn = false
  /// The terminal's row, from 0, in which the mouse pressed the toast.
  private var pressedRow = 0

  init(_ settings: ToastInputSettings) { self.settings = settings }

  /// Turns the mouse on. Sent again after each batch of output: the program may have turned it or its encoding off.
  static let turningOn = Array("\u{1b}[?1002h\u{1b}[?1006h".utf8)

  /// The bytes that turn the mouse on or off; empty if nothing changes. If the program turned the mouse on meanwhile, the bytes set the
  /// program's modes.
  mutating func update(isToastShown: Bool, _ modes: Modes) -> [UInt8] {
    let isWanted = settings.mouse && isToastShown && modes.mouseTracking == .off
    guard isWanted != isOn else { return [] }
    isOn = isWanted
    if isWanted { return Self.turningOn }
    var text = "\u{1b}[?1002l\u{1b}[?1006l"
    if modes.mouseTracking != .off { text += "\u{1b}[?\(modes.mouseTracking.rawValue)h" }
    if modes.mouseEncoding != .x10 { text += "\u{1b}[?\(modes.mouseEncoding.rawValue)h" }
    return Array(text.utf8)
  }

  /// The meaning of a key or a mouse event for the overlays; nil for none.
  ///
  /// - Parameters:
  ///   - offset: the boxes' distance from the terminal's first row.
  ///   - edge: the edge of the visible toast.
  mutating func event(
    for input: OverlayInput, on boxes: PlacedOverlays, offset: Int, edge: ToastEdge?
  ) -> OverlayEvent? {
    switch input {
    case .alertKey(let key): return .alert(.keyPressed(key))
    case .alertPressed(let row, let column):
      return boxes.buttons.firstIndex { $0?.contains(row: row - offset, column: column) == true }
        .map { .alert(.buttonPressed($0)) }
    case .toastPressed(let row):
      pressedRow = row
      return .toast(.dragBegan)
    case .toastDragged(let row): return .toast(.dragMoved(rows: distance(to: row, edge)))
    case .toastReleased(let row): return .toast(.dragEnded(rows: row.map { distance(to: $0, edge) } ?? -1))
    case .toastEscaped: return .toast(.frontToastDismissed)
    }
  }

  /// Rows towards the toast's edge since the button was pressed.
  private func distance(to row: Int, _ edge: ToastEdge?) -> Int {
    switch edge {
    case .bottom: row - pressedRow
    case .top, nil: pressedRow - row
    }
  }
}
