@testable import Overline
import OverlineReferenceTerminal
import OverlineTestThread
import Testing

/// A few lines of output scroll, and the terminal changes its size before it handles them.
@Suite(.ownThread) struct ScrollInPlaceTests {
  /// Prints numbered lines, and keeps them.
  private final class Program {
    let window = Window(rows: 12, columns: 40)
    private(set) var printed: [String] = []

    init(takesLinesBack: Bool = false) {
      window.outer.takesLinesBack = takesLinesBack
      print(20)
      window.show()
      print(2)
    }

    /// Prints lines in one batch.
    func print(_ count: Int) {
      let new = (0..<count).map { "line \(printed.count + $0)" }
      printed += new
      window.write(new.map { $0 + "\r\n" }.joined())
    }

    /// The terminal reports its cursor after a batch, then its last size.
    func settle(rows: Int, reported: Int) {
      let lost = window.rewriter.surface.cursorRow - reported
      if lost > 0 { window.rewriter.surface.loseBanner(rows: lost) }
      window.resize(rows: rows)
      if window.readiness() == .needsCursor { window.reportCursor() }
      window.show()
    }

    var kept: [String] { window.lines.filter { !$0.isEmpty && !$0.contains(Window.title) } }
    var savedBanners: Int { window.outer.scrollbackText.count { $0.contains(Window.title) } }
  }

  @Test(arguments: 1...9, 1...6)
  func aTerminalThatHasLostRowsKeepsEachLineOnce(lost: Int, count: Int) {
    let program = Program()
    program.window.outer.resize(rows: 12 - lost, columns: 40)
    program.print(count)
    // The terminal has saved the banner once, when it lost its row.
    #expect(program.kept == program.printed && program.savedBanners == 1)
    program.settle(rows: 12 - lost, reported: program.window.outer.cursor.row + 1)
    #expect(program.kept == program.printed && program.savedBanners == 1)
    #expect(program.window.outer.text[0].contains(Window.title))
  }

  /// The rows that the terminal takes back when it grows again are the program's: the banner is no longer among them.
  @Test(arguments: [true, false], 1...9)
  func aTerminalThatLosesRowsAndGetsThemBackKeepsEachLineOnce(takesLinesBack: Bool, lost: Int) {
    let program = Program(takesLinesBack: takesLinesBack)
    program.window.outer.resize(rows: 12 - lost, columns: 40)
    program.print(3)
    program.settle(rows: 12, reported: program.window.outer.cursor.row + 1)
    #expect(program.kept == program.printed)
    #expect(program.savedBanners <= 1 && program.window.outer.text[0].contains(Window.title))
    program.print(5)
    #expect(program.kept == program.printed)
  }

  @Test(arguments: [true, false], 1...9)
  func aTerminalThatHasGrownKeepsEachLineOnce(takesLinesBack: Bool, more: Int) {
    let program = Program(takesLinesBack: takesLinesBack)
    program.window.outer.resize(rows: 12 + more, columns: 40)
    program.print(3)
    program.settle(rows: 12 + more, reported: program.window.rewriter.surface.cursorRow)
    #expect(program.kept == program.printed && program.savedBanners == 0)
    #expect(program.window.outer.text[0].contains(Window.title))
  }

  /// The first step of a drag meets a frame of the banner's fade.
  @Test(arguments: [true, false], [-4, -3, -2, -1, 1, 2, 9])
  func aFrameOverwritesNoLine(takesLinesBack: Bool, more: Int) {
    let program = Program(takesLinesBack: takesLinesBack)
    program.window.outer.resize(rows: 12 + more, columns: 40)
    program.window.show()
    program.window.resize(rows: 12 + more)
    program.window.show()
    #expect(program.kept == program.printed && program.savedBanners <= 1)
    #expect(program.window.outer.text[0].contains(Window.title))
  }

  /// A row that was full wraps in a terminal of another size too: otherwise the next row would be elsewhere.
  @Test(arguments: [(12, 60), (13, 40), (21, 40)])
  func belowALongLineEachLineIsKept(rows: Int, columns: Int) {
    let program = Program()
    let window = program.window
    window.write(String(repeating: "0123456789", count: 6) + "\r\n")
    program.print(1)
    window.outer.resize(rows: rows, columns: columns)
    program.print(3)
    if columns == 40 { window.resize(rows: rows) } else { #expect(window.outer.cursor.row == 11) }
    #expect(program.kept.filter { $0.hasPrefix("line") } == program.printed)
  }

  /// The edge pauses and is dragged on: the terminal gets another size before it handles the rows for the last one.
  @Test(arguments: 0...9, [-3, -2, -1, 1, 2, 3, 9])
  func aDragThatGoesOnLosesNoLine(lost: Int, next: Int) {
    let rows = 12 - lost
    guard (3...12).contains(rows + next) else { return }
    for takesLinesBack in [true, false] {
      let program = Program(takesLinesBack: takesLinesBack)
      program.window.resize(rows: rows, next: rows + next)
      program.window.show()
      program.window.resize(rows: rows + next)
      program.window.show()
      var kept = program.kept
      // A line feed that made room for the banner has scrolled another line than expected, which is saved twice.
      if lost > 0, next < 0, let again = kept.indices.dropFirst().first(where: { kept[$0] == kept[$0 - 1] }) {
        kept.remove(at: again)
      }
      #expect(kept == program.printed, "lines are taken back: \(takesLinesBack)")
      #expect(program.window.outer.text[0].contains(Window.title))
      let count = program.kept.count
      program.print(5)
      #expect(program.kept.suffix(5) == program.printed.suffix(5) && program.kept.count == count + 5)
    }
  }

  /// VTE became 39 columns wide: it has broken the coloured banner in two. It saves the first part, or takes lines back if it grows too.
  @Test(arguments: 0...4, 0...3)
  func noLineContinuesABrokenBanner(count: Int, more: Int) {
    var rewriter = OutputRewriter(rows: 12, columns: 40, terminal: .of(.vte))
    let lines = (0..<10).map { "line \($0)" }
    var output: [UInt8] = []
    rewriter.surface.note(Array(("\u{1b}[H\u{1b}[2J" + lines.joined(separator: "\r\n") + "\r\n").utf8))
    rewriter.surface.show(BannerRows(BannerFrame(appearance: .offline), columns: 40, colors: .truecolor), into: &output)
    let terminal = ReferenceTerminal(rows: 12 + more, columns: 39)
    let above = (1..<max(1, more)).map { "earlier line \($0)" } + ["first part", "second part"]
    terminal.write((above + lines).joined(separator: "\r\n") + "\r\n")
    output = []
    let new = (10..<10 + count).map { "line \($0)" }
    rewriter.rewrite(Array(new.map { $0 + "\r\n" }.joined().utf8), into: &output)
    rewriter.finishBatch(into: &output)
    terminal.write(output)
    #expect(terminal.scrollbackText + terminal.text == above + lines + new + [""])
    // The last row that the program has lost is where the banner was: it reaches the scrollback, and the banner follows.
    output = []
    rewriter.surface.resize(rows: 12 + more, columns: 39, cursorRow: 12 + more, into: &output)
    terminal.write(output)
    #expect(terminal.scrollbackText == above + (0..<count).map { "line \($0)" })
    #expect(terminal.text[0].contains("No connection"))
    #expect(terminal.text[1...11] == (lines + new).suffix(10) + [""])
  }

  /// kitty became narrower before it handled the rows: it has split its lines and saved some, and each row that was printed over them is
  /// cut off.
  @Test(arguments: 1...4, [8, 12])
  func rowsThatWereCutOffArePrintedAgain(count: Int, rows: Int) {
    var rewriter = OutputRewriter(rows: 8, columns: 40)
    func line(_ number: Int) -> String {
      let text = "line \(number) \(String(repeating: "x", count: number * 7 % 30))."
      // A row that is full counts as wrapped below.
      return text.count == 20 ? "\(text)." : text
    }
    let lines = (0..<20).map(line)
    var output: [UInt8] = []
    rewriter.surface.note(Array(("\u{1b}[H\u{1b}[2J" + lines.joined(separator: "\r\n") + "\r\n").utf8))
    rewriter.surface.show(BannerRows(BannerFrame(appearance: .offline), columns: 40, colors: .truecolor), into: &output)
    let terminal = ReferenceTerminal(rows: rows, columns: 20)
    terminal.write((lines.dropLast(6) + ["BANNER"] + lines.suffix(6)).joined(separator: "\r\n") + "\r\n")
    let new = (20..<20 + count).map(line)
    output = []
    rewriter.rewrite(Array(new.map { $0 + "\r\n" }.joined().utf8), into: &output)
    rewriter.finishBatch(into: &output)
    terminal.write(output)
    output = []
    rewriter.surface.resize(
      rows: rows, columns: 20, cursorRow: terminal.cursor.row + 1, isCutOff: true, into: &output)
    terminal.write(output)
    #expect(terminal.text[0].contains("No co"))
    #expect(rewriter.surface.cursorRow == terminal.cursor.row + 1 && terminal.cursor.column == 0)
    output = []
    rewriter.surface.hide(into: &output)
    terminal.write(output)
    let joined = (terminal.scrollbackText + terminal.text).map { $0.count == 20 ? $0 : $0 + "\n" }.joined()
    for line in lines + new { #expect(joined.contains("\(line)\n"), "\(joined)") }
    #expect(joined.hasSuffix("\n\(new.last!)\n\n\n"))
  }

  /// Wrapped lines, tabs and attributes are the same after their rows were printed over themselves.
  @Test func rowsThatArePrintedOverThemselvesDoNotChange() {
    let window = Window(rows: 8, columns: 20)
    let bare = ReferenceTerminal(rows: 7, columns: 20)
    window.write("\u{1b}[2;1H")
    window.show()
    bare.write("\u{1b}[2;1H")
    let wrapped = String(repeating: "w", count: 50)
    for text in ["a\tb\r\n", "\u{1b}[1;44mbold\u{1b}[m\r\n", "日本語\r\n", "e\u{301}\r\n", "\(wrapped)\r\n"] {
      for _ in 0..<4 {
        window.write(text)
        bare.write(text)
      }
      #expect(window.outer.cells.dropFirst() == bare.cells[...])
      #expect(window.outer.scrollbackText.filter { !$0.isEmpty } == bare.scrollbackText.filter { !$0.isEmpty })
    }
  }

  /// After a new width, output may come before the banner is laid out anew.
  @Test(arguments: [true, false])
  func aBannerForAWiderTerminalChangesNoRow(findsBrokenRows: Bool) {
    let window = Window(rows: 8, columns: 60)
    window.rewriter.surface.screen.tables.traits.findsBrokenRows = findsBrokenRows
    var lines = (0..<10).map { "line \($0)" }
    window.write(lines.map { $0 + "\r\n" }.joined())
    window.show()
    window.resize(rows: 8, columns: 20)
    for _ in 0..<3 {
      lines.append("line \(lines.count)")
      window.write(lines.last! + "\r\n")
      #expect(window.outer.text.dropFirst() == lines.suffix(6) + [""])
    }
    #expect(window.outer.scrollbackText == lines.dropLast(6))
  }

  /// The program's first row stays whole.
  @Test func aBannerForAWiderTerminalDoesNotWrap() {
    let window = Window(rows: 8, columns: 60)
    for line in 0..<10 { window.write("line \(line)\r\n") }
    window.show()
    window.resize(rows: 8, columns: 20)
    #expect(window.outer.text[1] == "line 4")
  }

  /// The banner is the only row that is printed again: the rows below it may show the picture.
  @Test func noRowIsPrintedOverAPicture() {
    let window = Window(rows: 8, columns: 40)
    for line in 0..<10 { window.write("line \(line)\r\n") }
    window.show()
    window.write("\r\n")
    let start = window.output.endIndex
    window.write("\r\n\u{1b}]1337;File=inline=1:AAAA\u{7}")
    let output = window.output[start...]
    #expect(output.split(separator: "AAAA").last?.contains("line") == false)
  }

  /// The picture is too long to scroll in place. It scrolls two rows away, and no row of before is printed again.
  @Test func aLongPictureDoublesNoRow() {
    let window = Window(rows: 8, columns: 40)
    let lines = (0..<10).map { "line \($0)" }
    window.write(lines.map { $0 + "\r\n" }.joined())
    window.show()
    window.write("\r\n\u{1b}]1337;File=inline=1:\(String(repeating: "A", count: 2000))\u{7}")
    window.outer.write("\n\n")
    window.reportCursor()
    window.write("\r\nend")
    #expect(window.lines.filter { !$0.isEmpty && !$0.contains(Window.title) } == lines + ["end"])
    #expect(window.outer.text[0].contains(Window.title))
  }

  /// Shell integrations send such sequences at each prompt. They are no pictures, and need no other place for the banner.
  @Test(arguments: ["CurrentDir=/tmp", "SetUserVar=a=YQ=="])
  func aShellIntegrationIsNoPicture(_ text: String) {
    let window = Window(rows: 8, columns: 40)
    for line in 0..<10 { window.write("line \(line)\r\n") }
    window.show()
    let start = window.output.endIndex
    window.write("\r\n\u{1b}]1337;\(text)\u{7}$ ")
    #expect(!window.output[start...].contains("\u{1b}[H"))
  }

  /// After a report below the program's last row, the program erases its screen: nothing is left to scroll away later.
  @Test func aReportBelowTheLastRowIsUsedOnce() {
    let window = Self.forgottenInAFlood()
    window.outer.write("\u{1b}[8;1H")
    window.reportCursor()
    window.write("\u{1b}[2J\u{1b}[H")
    window.hide()
    window.write("\u{1b}[?1049h\u{1b}[2J\u{1b}[Htop")
    window.show()
    #expect(window.outer.text.prefix(2).last == "top")
  }

  /// A window that was stopped while output flowed below a banner: another process may have used the terminal.
  private static func forgottenInAFlood() -> Window {
    let window = Window(rows: 8, columns: 40)
    window.show()
    window.write(Array(String(repeating: "flood\r\n", count: 400).utf8), endsBatch: false)
    window.rewriter.surface.forgetScreen()
    return window
  }

  /// A shell has used the terminal while output flowed: what it printed stays.
  @Test func afterAnotherProcessNoStaleRowIsPrinted() {
    let window = Self.forgottenInAFlood()
    window.outer.write("\r\n$ jobs\r\n$ fg\r\n")
    window.reportCursor()
    window.write("on")
    #expect(window.lines.suffix(3) == ["$ jobs", "$ fg", "on"])
  }

  /// A program that prints each line in a synchronized update scrolls in place too, and the update ends when the banner is back.
  @Test func aSynchronizedUpdateScrollsInPlace() {
    let window = Window(rows: 8, columns: 40)
    for line in 0..<10 { window.write("line \(line)\r\n") }
    window.show()
    let start = window.output.endIndex
    window.write(["one", "two"].map { "\u{1b}[?2026h\r\n\($0)\u{1b}[?2026l" }.joined())
    let output = window.output[start...]
    #expect(output.hasPrefix("\u{1b}[?2026h") && output.hasSuffix("\u{1b}[?2026l"))
    #expect(output.ranges(of: "\u{1b}[?2026l").count == 1 && !output.contains("\u{1b}[H"))
    #expect(window.outer.text[0].contains(Window.title))
  }

  /// A flood lifts the banner once, and not for each line.
  @Test func aFloodIsNotPrintedForEachLine() {
    let window = Window(rows: 12, columns: 40)
    window.show()
    let start = window.output.endIndex
    window.write(String(repeating: "line\r\n", count: 2000))
    #expect(window.output[start...].utf8.count < 2000 * 8)
  }

  /// Before the window puts a lifted banner back in xterm, it compares the cursor's row with this one. The first line feed uses one row of a
  /// banner, so below a higher banner the row is not known.
  @Test(arguments: [(height: 1, isKnown: true), (height: 2, isKnown: false)])
  func theRowOfTheCursorWhileOutputFlows(height: Int, isKnown: Bool) {
    let window = Window(rows: 12, columns: 40)
    window.rewriter.surface.screen.tables.traits.maximumInPlace = 0
    window.write((1...20).map { "line \($0)\r\n" }.joined())
    window.show(height)
    window.write(Array("one\r\ntwo".utf8), endsBatch: false)
    #expect(window.rewriter.surface.flowRow == (isKnown ? window.outer.cursor.row + 1 : nil))
  }
}
