import Banner
import ReferenceTerminal
import Terminal

/// A rewriter between a program and a reference terminal, and the same program bare on one of its own.
final class Window {
  static let title = "No connection"

  var rewriter: OutputRewriter
  let outer: ReferenceTerminal
  let columns: Int
  var bare: ReferenceTerminal?

  init(rows: Int, columns: Int) {
    self.columns = columns
    rewriter = OutputRewriter(rows: rows, columns: columns)
    outer = ReferenceTerminal(rows: rows, columns: columns)
    // From here on nothing is uncertain.
    write("\u{1b}[H\u{1b}[2J")
  }

  /// Everything that the terminal got.
  private(set) var output = ""

  private func send(_ bytes: [UInt8]) {
    output += String(decoding: bytes, as: UTF8.self)
    outer.write(bytes)
  }

  func banner(_ height: Int) -> BannerRows {
    var appearance = Appearance.offline
    appearance.title = Self.title
    appearance.height = height
    return BannerRows(BannerFrame(appearance: appearance), columns: columns, colors: .truecolor)
  }

  func show(_ height: Int = 1) {
    var output: [UInt8] = []
    rewriter.show(banner(height), into: &output)
    send(output)
  }

  func hide() {
    var output: [UInt8] = []
    rewriter.hide(into: &output)
    send(output)
  }

  func cover(_ boxes: [OverlayBox]) {
    var output: [UInt8] = []
    rewriter.cover(boxes, colors: .truecolor, into: &output)
    send(output)
  }

  /// Another height; the terminal is asked where its cursor is.
  func resize(rows: Int) {
    outer.resize(rows: rows, columns: columns)
    var output: [UInt8] = []
    rewriter.resize(rows: rows, columns: columns, cursorRow: outer.cursor.row + 1, into: &output)
    send(output)
  }

  /// The program writes; one read, one batch.
  func write(_ bytes: [UInt8], endsBatch: Bool = true) {
    bare?.write(bytes)
    if rewriter.isTransparent {
      send(bytes)
      rewriter.note(bytes)
      return
    }
    var output: [UInt8] = []
    rewriter.rewrite(bytes, into: &output)
    if endsBatch { rewriter.finishBatch(into: &output) }
    send(output)
  }

  func write(_ text: String) { write(Array(text.utf8)) }

  var isTransparent: Bool { rewriter.isTransparent }
  var isLifted: Bool { rewriter.isLifted }
  func readiness() -> OutputRewriter.Readiness { rewriter.readiness() }

  /// The terminal's scrollback and screen, without blank lines at the end.
  var lines: [String] {
    var lines = outer.scrollbackText + outer.text
    while lines.last == "" { lines.removeLast() }
    return lines
  }
}

extension [[TerminalCell]] {
  /// Without what nobody can see: whether a space is bold, or which colour its text would have.
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
