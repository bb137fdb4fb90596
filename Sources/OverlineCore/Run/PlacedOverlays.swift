internal import Overline

/// Toast and alert, laid out and placed.
struct PlacedOverlays: Equatable {
  struct Item: Equatable {
    var box: OverlayBox
    /// The alert's buttons; nil for each button that is not visible.
    var buttons: [CellArea?] = []
    let isToast: Bool

    /// Moves the box so that it starts at this row.
    mutating func move(toRow row: Int) {
      let distance = row - box.row
      box.row = row
      for index in buttons.indices { buttons[index] = buttons[index]?.moved(down: distance) }
    }
  }

  /// Backmost first.
  var items: [Item] = []

  init() {}

  /// Lays out toast and alert; leaves out each that is too large for the screen.
  ///
  /// - Parameters:
  ///   - rows: the height of the screen that the overlays cover.
  ///   - columns: the width of that screen.
  ///   - alertRows: for overlays in rows of their own, the maximum height of an alert; nil for overlays over the program's screen.
  init(
    _ presentation: Presentation, rows: Int, columns: Int, alertRows: Int? = nil, _ capabilities: TerminalCapabilities
  ) {
    if let alert = presentation.alert, rows >= AlertLayout.minimumRows, columns >= AlertLayout.minimumColumns {
      let layout = AlertLayout(
        alert, rows: alertRows ?? rows, columns: columns, colors: capabilities.colors,
        usesASCII: capabilities.usesASCII)
      items.append(Item(box: layout.box, buttons: layout.buttons, isToast: false))
    }
    if let toast = presentation.toast,
      let layout = ToastLayout(
        toast, rows: rows, columns: columns, colors: capabilities.colors, usesASCII: capabilities.usesASCII,
        mayBeFramed: alertRows == nil)
    {
      let item = Item(box: layout.box(toast, rows: rows, columns: columns), isToast: true)
      items.insert(item, at: toast.content.level < .alert ? 0 : items.count)
    }
  }

  var boxes: [OverlayBox] { items.map(\.box) }

  /// The toast's cells; nil when no toast is visible.
  var toast: CellArea? {
    items.first(where: \.isToast).map { CellArea(rows: $0.box.rowRange, columns: $0.box.columnRange) }
  }

  var hasAlert: Bool { items.contains { !$0.isToast } }

  /// The cells of the alert's buttons, in order; nil for each button that is not visible.
  var buttons: [CellArea?] { items.first { !$0.isToast }?.buttons ?? [] }
}
