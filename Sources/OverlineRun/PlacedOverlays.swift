internal import Overline

/// Toast and alert laid out, each where it is.
struct PlacedOverlays: Hashable {
  struct Item: Hashable {
    var box: OverlayBox
    /// An alert's; nil for one that is not to be seen.
    var buttons: [CellArea?] = []
    let isToast: Bool

    /// Puts the box into rows from this one on.
    mutating func move(toRow row: Int) {
      let distance = row - box.row
      box.row = row
      for index in buttons.indices { buttons[index] = buttons[index]?.moved(down: distance) }
    }
  }

  /// The backmost first.
  var items: [Item] = []

  init() {}

  /// What is too large for the screen is left out.
  ///
  /// - Parameters:
  ///   - rows: the height of the screen that they stand over.
  ///   - columns: its width.
  ///   - alertRows: the height of an alert, at most; nil is all of the screen.
  init(
    _ presentation: Presentation, rows: Int, columns: Int, alertRows: Int? = nil, _ capabilities: TerminalCapabilities
  ) {
    if let alert = presentation.alert, rows >= AlertLayout.leastRows, columns >= AlertLayout.leastColumns {
      let layout = AlertLayout(
        alert, rows: alertRows ?? rows, columns: columns, colors: capabilities.colors,
        usesASCII: capabilities.usesASCII)
      items.append(Item(box: layout.box, buttons: layout.buttons, isToast: false))
    }
    if let toast = presentation.toast,
      let layout = ToastLayout(
        toast, rows: rows, columns: columns, colors: capabilities.colors, usesASCII: capabilities.usesASCII)
    {
      let item = Item(box: layout.box(toast, rows: rows, columns: columns), isToast: true)
      items.insert(item, at: toast.content.level < .alert ? 0 : items.count)
    }
  }

  var boxes: [OverlayBox] { items.map(\.box) }

  /// The toast's cells; nil when there is none to be seen.
  var toast: CellArea? {
    items.first(where: \.isToast).map { CellArea(rows: $0.box.rowRange, columns: $0.box.columnRange) }
  }

  var hasAlert: Bool { items.contains { !$0.isToast } }

  /// Those of the alert's buttons, in their order; nil for one that is not to be seen.
  var buttons: [CellArea?] { items.first { !$0.isToast }?.buttons ?? [] }
}
