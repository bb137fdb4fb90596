@testable import Overline
import OverlineReferenceTerminal

/// A rewriter between a program and a reference terminal, and the same program bare on one of its own.
final class Window {
  static let title = "No connection"

  var rewriter: OutputRewriter
  let outer: ReferenceTerminal
  let columns: Int
  var bare: ReferenceTerminal?

  init(rows: Int, columns: Int) {
    self.columns = columns
    // libvterm, which the reference terminal is, does not reflow.
    rewriter = OutputRewriter(rows: rows, columns: columns)
    rewriter.surface.screen.tables.traits.reflows = false
    outer = ReferenceTerminal(rows: rows, columns: columns)
    // From here on everything is known.
    write("\u{1b}[H\u{1b}[2J")
  }

  /// All output to the terminal.
  private(set) var output = ""

  private func send(_ bytes: [UInt8]) {
    output += String(decoding: bytes, as: UTF8.self)
    outer.write(bytes)
  }

  func banner(_ height: Int) -> BannerRows {
    var appearance = BannerAppearance.offline
    appearance.title = Self.title
    appearance.height = height
    return BannerRows(BannerFrame(appearance: appearance), columns: columns, colors: .truecolor)
  }

  func show(_ height: Int = 1) {
    var output: [UInt8] = []
    rewriter.surface.show(banner(height), into: &output)
    send(output)
  }

  func hide() {
    var output: [UInt8] = []
    rewriter.surface.hide(into: &output)
    send(output)
  }

  func cover(_ boxes: [OverlayBox]) {
    var output: [UInt8] = []
    rewriter.surface.cover(boxes, colors: .truecolor, into: &output)
    send(output)
  }

  /// Sets another size; the terminal is asked for its cursor. It may have `next` rows before it handles what is printed then.
  func resize(rows: Int, columns: Int? = nil, next: Int? = nil) {
    let columns = columns ?? self.columns
    outer.resize(rows: rows, columns: columns)
    var output: [UInt8] = []
    rewriter.surface.resize(rows: rows, columns: columns, cursorRow: outer.cursor.row + 1, into: &output)
    if let next { outer.resize(rows: next, columns: columns) }
    send(output)
  }

  /// The terminal reports its cursor, as xterm and others do: under origin mode relative to the margins.
  func reportCursor() {
    let modes = rewriter.surface.screen.modes
    let margins = rewriter.surface.screen.margins
    let offset = rewriter.surface.isLifted ? 0 : rewriter.surface.rows - rewriter.surface.programRows
    let top = modes.isOrigin ? margins.top + offset : 0
    let left = modes.isOrigin && modes.hasLeftRightMargins ? margins.left : 0
    rewriter.surface.cursorReported(row: outer.cursor.row + 1 - top, column: outer.cursor.column + 1 - left)
  }

  /// The program writes; one read, one batch.
  func write(_ bytes: [UInt8], endsBatch: Bool = true) {
    bare?.write(bytes)
    if rewriter.isTransparent {
      send(bytes)
      rewriter.surface.note(bytes)
      return
    }
    var output: [UInt8] = []
    rewriter.rewrite(bytes, into: &output)
    if endsBatch { rewriter.finishBatch(into: &output) }
    send(output)
  }

  func write(_ text: String) { write(Array(text.utf8)) }

  var isTransparent: Bool { rewriter.isTransparent }
  var isLifted: Bool { rewriter.surface.isLifted }
  var isUncovered: Bool { rewriter.surface.isUncovered }
  func readiness() -> OutputRewriter.Readiness { rewriter.readiness() }

  /// The terminal's scrollback and screen, without blank lines at the end.
  var lines: [String] {
    var lines = outer.scrollbackText + outer.text
    while lines.last == "" { lines.removeLast() }
    return lines
  }
}

extension OverlayBox {
  /// A toast at an edge; its text is long enough to be cut.
  static func toast(
    _ edge: ToastEdge, title: String = "Saved", rows: Int, columns: Int
  ) -> OverlayBox {
    var machine = ToastMachine(window: WindowTraits(colors: .truecolor, reducesMotion: true))
    let content = ToastContent(title: title, message: "All of your changes have been stored.", edge: edge)
    _ = machine.handle(.toastPosted(content, id: ToastID(rawValue: 1)), at: .zero)
    let frame = machine.frame!
    return ToastLayout(frame, rows: rows, columns: columns, colors: .truecolor)!.box(
      frame, rows: rows, columns: columns)
  }

  /// An alert, in the middle.
  static func alert(_ title: String, rows: Int, columns: Int) -> OverlayBox {
    var machine = AlertMachine()
    let alert = Alert(title: title, buttons: ["Deploy", "Cancel"])
    _ = machine.handle(.alertPosted(alert, id: AlertID(rawValue: 1)), at: .zero)
    return AlertLayout(machine.frame!, rows: rows, columns: columns, colors: .truecolor).box
  }
}

extension [[TerminalCell]] {
  /// Without invisible attributes: whether a space is bold, or which colour its text would have.
  var seen: [[TerminalCell]] {
    map { row in
      row.map { cell in
        guard cell.text == " ", !cell.isReverse, cell.underline == 0, !cell.isStruck else { return cell }
        var blank = TerminalCell()
        blank.background = cell.background
        return blank
      }
    }
  }
}
