import Banner
import ReferenceTerminal
import Terminal

/// A rewriter between a program and a reference terminal, and the same program bare on one of its own.
struct Window: ~Copyable {
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

  func banner(_ height: Int) -> BannerRows {
    var appearance = Appearance.offline
    appearance.title = Self.title
    appearance.height = height
    return BannerRows(BannerFrame(appearance: appearance), columns: columns, colors: .truecolor)
  }

  mutating func show(_ height: Int = 1) {
    var output: [UInt8] = []
    rewriter.show(banner(height), into: &output)
    outer.write(output)
  }

  mutating func hide() {
    var output: [UInt8] = []
    rewriter.hide(into: &output)
    outer.write(output)
  }

  /// The program writes; one read, one batch.
  mutating func write(_ bytes: [UInt8], endsBatch: Bool = true) {
    bare?.write(bytes)
    if rewriter.isTransparent {
      outer.write(bytes)
      rewriter.note(bytes)
      return
    }
    var output: [UInt8] = []
    rewriter.rewrite(bytes, into: &output)
    if endsBatch { rewriter.finishBatch(into: &output) }
    outer.write(output)
  }

  mutating func write(_ text: String) { write(Array(text.utf8)) }

  /// The terminal's scrollback and screen, without blank lines at the end.
  var lines: [String] {
    var lines = outer.scrollbackText + outer.text
    while lines.last == "" { lines.removeLast() }
    return lines
  }
}
