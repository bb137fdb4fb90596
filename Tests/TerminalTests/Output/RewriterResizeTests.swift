@testable import Overline
import OverlineReferenceTerminal
import OverlineTestThread
import Testing

/// The terminal changes its size while a banner shows: terminals that take lines back from the scrollback when they grow, and others.
@Suite(.ownThread) struct RewriterResizeTests {
  @Test(arguments: [true, false], 1...40)
  func stormsOfSizes(takesLinesBack: Bool, seed: Int) {
    var random = Seeded(UInt64(seed))
    let window = Window(rows: 20, columns: 40)
    window.outer.takesLinesBack = takesLinesBack
    var printed: [String] = []
    window.show(Bool.random(using: &random) ? 1 : 3)
    for step in 0..<30 {
      for _ in 0..<Int.random(in: 0...8, using: &random) {
        printed.append("line \(printed.count)")
        window.write(printed.last! + "\r\n")
      }
      window.resize(rows: Int.random(in: 9...30, using: &random))
      let shown = window.outer.text.prefix { $0.contains(Window.title) || $0.isEmpty }
      #expect(shown.contains { $0.contains(Window.title) }, "step \(step), seed \(seed): \(window.outer.text)")
      #expect(window.outer.text.count { $0.contains(Window.title) } == 1, "step \(step), seed \(seed)")
    }
    window.hide()
    // A terminal that shrinks pushes the banner's rows out before the window learns of it.
    let lines = window.lines.filter { !$0.isEmpty && !$0.contains(Window.title) }
    #expect(lines == printed, "seed \(seed)")
  }

  /// Lines that a taller terminal takes back stay on the screen, below the banner.
  @Test(arguments: [1, 3])
  func linesThatComeBackStay(height: Int) {
    let window = Window(rows: 10, columns: 40)
    window.outer.takesLinesBack = true
    let lines = (0..<30).map { "line \($0)" }
    window.write(lines.joined(separator: "\r\n"))
    window.show(height)
    for rows in [16, 20, 25] {
      window.resize(rows: rows)
      #expect(window.outer.text.dropFirst(height) == lines.suffix(rows - height)[...])
    }
    window.resize(rows: 20)
    window.hide()
    #expect(window.lines.filter { !$0.isEmpty && !$0.contains(Window.title) } == lines)
  }

  /// The window knows rows that the terminal has moved, and those that it took back from its scrollback: a banner needs no other room than
  /// its own.
  @Test(arguments: [true, false], 1...40)
  func aBannerMovesNoRowsAfterAStormOfSizes(takesLinesBack: Bool, seed: Int) {
    var random = Seeded(UInt64(seed))
    let window = Window(rows: 20, columns: 40)
    window.outer.takesLinesBack = takesLinesBack
    var printed: [String] = []
    for step in 0..<10 {
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        for _ in 0..<Int.random(in: 0...12, using: &random) {
          printed.append("line \(printed.count)")
          window.write(printed.last! + "\r\n")
        }
        window.resize(rows: Int.random(in: 9...30, using: &random))
      }
      let before = window.outer.text
      let height = Bool.random(using: &random) ? 1 : 3
      let isRoomBelow = window.outer.cursor.row < window.outer.rows - height
      #expect(window.readiness() == .needsCursor)
      window.reportCursor()
      window.show(height)
      let after = isRoomBelow ? before.dropLast(height) : before.dropFirst(height)
      #expect(Array(window.outer.text.dropFirst(height)) == Array(after), "step \(step), seed \(seed)")
      window.hide()
    }
    #expect(window.lines == printed, "seed \(seed)")
  }

  /// Below a banner the first row begins a line, even if that line began in the scrollback.
  @Test func aLineFromTheScrollbackIsSplitAnewBelowABanner() {
    let window = Window(rows: 6, columns: 10)
    window.rewriter.surface.screen.tables.traits.reflows = true
    window.write(String(repeating: "0123456789", count: 8) + "\r\nend")
    window.show()
    let start = window.output.endIndex
    window.resize(rows: 6, columns: 8)
    // The row's last character again, and the next row's first: the terminal wraps between them.
    #expect(window.output[start...].contains("89012345\u{1b}[?7h\u{1b}[999C56"))
  }

  /// The window splits lines anew as the terminal does, which then reports its cursor. xterm cuts them off.
  @Test(arguments: [(10, 5, true), (25, 4, true), (10, 4, false), (25, 4, false)])
  func aNewWidthWithoutABannerKeepsTheRowsKnown(columns: Int, row: Int, reflows: Bool) {
    var rewriter = OutputRewriter(rows: 6, columns: 20, terminal: .of(reflows ? .vte : .xterm))
    rewriter.surface.note(Array("\u{1b}[H\u{1b}[2J1\r\n2\r\n0123456789abc\r\n4".utf8))
    var output: [UInt8] = []
    rewriter.surface.resize(rows: 6, columns: columns, into: &output)
    #expect(output.isEmpty && rewriter.readiness() == .needsCursor)
    rewriter.surface.cursorReported(row: row, column: 2)
    let banner = BannerRows(BannerFrame(appearance: .offline), columns: columns, colors: .monochrome)
    rewriter.surface.show(banner, into: &output)
    // There is room below: nothing scrolls out.
    #expect(!output.contains(0x0a))
    #expect(
      String(decoding: output, as: UTF8.self).contains("\u{1b}[4;1H0123456789\(reflows || columns > 12 ? "abc" : "")"))
  }

  /// A narrower terminal moves the end of the cursor's line to a row below the cursor.
  @Test func theEndOfTheCursorsLineIsPrinted() {
    var rewriter = OutputRewriter(rows: 8, columns: 20)
    var output: [UInt8] = []
    rewriter.surface.note(Array("\u{1b}[H\u{1b}[2Jline\r\nprogress 12345678\r".utf8))
    rewriter.surface.show(
      BannerRows(BannerFrame(appearance: .offline), columns: 20, colors: .monochrome), into: &output)
    output = []
    rewriter.surface.resize(rows: 8, columns: 10, cursorRow: 3, into: &output)
    #expect(String(decoding: output, as: UTF8.self).contains("2345678"))
  }

  /// Below a banner a full-screen program runs, and the terminal has 30 columns when it ends.
  private func becomeWider(_ rewriter: inout OutputRewriter, _ output: inout [UInt8]) {
    rewriter.surface.show(
      BannerRows(BannerFrame(appearance: .offline), columns: 20, colors: .monochrome), into: &output)
    rewriter.rewrite(Array("\u{1b}[?1049h".utf8), into: &output)
    rewriter.finishBatch(into: &output)
    rewriter.surface.resize(rows: 8, columns: 30, into: &output)
    rewriter.rewrite(Array("\u{1b}[?1049l".utf8), into: &output)
    rewriter.finishBatch(into: &output)
  }

  /// During a full-screen program the terminal became wider: it has joined the rows of a line, and taken a line back into the banner's place.
  @Test func aLineInTheBannersPlaceIsKept() {
    var rewriter = OutputRewriter(rows: 8, columns: 20)
    var output: [UInt8] = []
    let lines = ["0123456789", "line 1", "line 2", "line 3", "line 4", "line 5", "$"]
    rewriter.surface.note(Array(("\u{1b}[H\u{1b}[2J" + lines.joined(separator: "\r\n")).utf8))
    becomeWider(&rewriter, &output)
    #expect(rewriter.readiness() == .needsCursor)
    let terminal = ReferenceTerminal(rows: 8, columns: 30)
    let shown = ["earlier line", "No connection"] + lines.dropFirst()
    terminal.write(shown.joined(separator: "\r\n"))
    output = []
    rewriter.surface.cursorReported(row: 8, column: 2)
    rewriter.finishBatch(into: &output)
    terminal.write(output)
    #expect(terminal.scrollbackText + terminal.text.dropFirst() == shown)
    #expect(terminal.text[0].contains("No connection"))
  }

  /// During a full-screen program the terminal became narrower, and has split two lines above the cursor. What the shell prints next would
  /// otherwise overwrite them.
  @Test func theCursorIsBelowLinesThatWereSplitDuringAFullScreenProgram() {
    var rewriter = OutputRewriter(rows: 10, columns: 20)
    var output: [UInt8] = []
    let lines = ["line 0 of 18 cells", "line 1 of 18 cells", "line 2", "$ vim"]
    rewriter.surface.note(Array(("\u{1b}[H\u{1b}[2J" + lines.joined(separator: "\r\n")).utf8))
    rewriter.surface.show(
      BannerRows(BannerFrame(appearance: .offline), columns: 20, colors: .monochrome), into: &output)
    rewriter.rewrite(Array("\u{1b}[?1049h".utf8), into: &output)
    rewriter.finishBatch(into: &output)
    rewriter.surface.resize(rows: 10, columns: 15, into: &output)
    output = []
    rewriter.rewrite(Array("\u{1b}[?1049l".utf8), into: &output)
    let terminal = ReferenceTerminal(rows: 10, columns: 15)
    rewriter.surface.endUpdates(into: &output)
    terminal.write(output)
    terminal.write("No connection\r\n" + lines.joined(separator: "\r\n"))
    output = []
    rewriter.surface.cursorReported(row: 7, column: 6)
    rewriter.rewrite(Array("\r\nStopped".utf8), into: &output)
    rewriter.finishBatch(into: &output)
    terminal.write(output)
    #expect(
      terminal.text.dropFirst()
        == ["line 0 of 18 ce", "lls", "line 1 of 18 ce", "lls", "line 2", "$ vim", "Stopped", "", ""])
    #expect(terminal.text[0].contains("No connect"))
  }

  /// During a full-screen program the terminal became higher, and has taken three lines back above the banner. The shell prints more before the
  /// banner is back at the top: a line that scrolls meanwhile would be painted over.
  @Test func aLineThatScrollsBeforeTheBannerIsFoundIsKept() {
    var rewriter = OutputRewriter(rows: 8, columns: 20)
    var output: [UInt8] = []
    let lines = ["line 0", "line 1", "line 2", "line 3", "line 4", "line 5", "$ vim"]
    rewriter.surface.note(Array(("\u{1b}[H\u{1b}[2J" + lines.joined(separator: "\r\n")).utf8))
    rewriter.surface.show(
      BannerRows(BannerFrame(appearance: .offline), columns: 20, colors: .monochrome), into: &output)
    rewriter.rewrite(Array("\u{1b}[?1049h".utf8), into: &output)
    rewriter.finishBatch(into: &output)
    rewriter.surface.resize(rows: 11, columns: 20, into: &output)
    let forecast = rewriter.forecast(Array("\u{1b}[?1049l\r\nStopped\r\n$ ".utf8))
    #expect(forecast.pauseOffset == 8)
    output = []
    rewriter.rewrite(Array("\u{1b}[?1049l".utf8), into: &output)
    let isMoved = rewriter.surface.isBannerMoved
    #expect(isMoved)
    let terminal = ReferenceTerminal(rows: 11, columns: 20)
    let earlier = ["earlier 1", "earlier 2", "earlier 3"]
    terminal.write((earlier + ["No connection"] + lines).joined(separator: "\r\n"))
    rewriter.surface.endUpdates(into: &output)
    terminal.write(output)
    output = []
    terminal.write("\u{1b}[11;6H")
    rewriter.surface.cursorReported(row: 11, column: 6)
    rewriter.rewrite(Array("\r\nStopped\r\n$ ".utf8), into: &output)
    rewriter.finishBatch(into: &output)
    terminal.write(output)
    #expect(terminal.text[0].contains("No connection"))
    let all = terminal.scrollbackText + terminal.text.dropFirst()
    #expect(all.filter { !$0.isEmpty } == earlier + lines + ["Stopped", "$"])
  }

  /// A banner is between the two rows of a line. A terminal that becomes twice as wide joins the first row and the banner: the window prints the
  /// whole line in this row. If the terminal became only a little wider before, the window does not know the first row any more, and the
  /// terminal must save it, with the banner. In a terminal that stays a little wider the banner's row has no text, and the scrollback gets no
  /// copy of the banner.
  @Test(arguments: [([60], true, false), ([30, 60], false, true), ([30], false, false)])
  func aLineThatATerminalJoinsToTheBannerIsKept(widths: [Int], isWhole: Bool, isSaved: Bool) {
    var rewriter = OutputRewriter(rows: 8, columns: 20)
    var output: [UInt8] = []
    let rest = ["klmno", "line 2", "line 3", "line 4", "line 5", "line 6", "$"]
    rewriter.surface.note(Array(("\u{1b}[H\u{1b}[2J0123456789abcdefghij" + rest.joined(separator: "\r\n")).utf8))
    rewriter.surface.show(
      BannerRows(BannerFrame(appearance: .offline), columns: 20, colors: .monochrome), into: &output)
    for width in widths {
      output = []
      rewriter.surface.resize(rows: 8, columns: width, cursorRow: 8, into: &output)
    }
    let terminal = ReferenceTerminal(rows: 8, columns: widths.last!)
    let joined = isWhole || isSaved ? "0123456789abcdefghij No connection" : "No connection"
    terminal.write(([joined] + rest).joined(separator: "\r\n"))
    terminal.write(output)
    #expect(terminal.scrollbackText == (isSaved ? [joined] : []))
    #expect(Array(terminal.text.dropFirst()) == (isWhole ? ["0123456789abcdefghijklmno"] + rest.dropFirst() : rest))
  }

  /// At another width urxvt reports the first row of the cursor's line, and the old column. It has pushed the banner out, and no other row.
  @Test func aCursorThatStaysInItsColumnShowsNoLostRows() {
    var rewriter = OutputRewriter(rows: 8, columns: 20, terminal: .of(.urxvt))
    var output: [UInt8] = []
    let lines = ["line 1, 19 columns."] + (2...5).map { "line \($0)" }
    let typed = "$ " + String(repeating: "x", count: 28)
    rewriter.surface.note(Array(("\u{1b}[H\u{1b}[2J\r\n" + (lines + [typed]).joined(separator: "\r\n")).utf8))
    rewriter.surface.show(BannerRows(BannerFrame(appearance: .offline), columns: 20, colors: .truecolor), into: &output)
    output = []
    rewriter.surface.resize(rows: 8, columns: 18, cursorRow: 7, into: &output)
    let terminal = ReferenceTerminal(rows: 8, columns: 18)
    terminal.write((["No connection"] + lines + [typed]).joined(separator: "\r\n") + "\u{1b}[7;11H")
    #expect(terminal.scrollbackText == ["No connection"])
    terminal.write(output)
    #expect(terminal.text[0].contains("No connection") && terminal.cursor.row == 7)
    #expect((terminal.scrollbackText.dropFirst() + terminal.text.dropFirst()).joined() == (lines + [typed]).joined())
  }

  /// The first lines that scroll below rows that are not known push those to the scrollback, and meet no margins: with margins VTE would mark no
  /// soft wraps.
  @Test func linesBelowUnknownRowsMeetNoMargins() {
    var rewriter = OutputRewriter(rows: 8, columns: 20)
    var output: [UInt8] = []
    rewriter.surface.note(Array("\u{1b}[H\u{1b}[2Jline 1\r\nline 2\r\n".utf8))
    becomeWider(&rewriter, &output)
    rewriter.surface.cursorReported(row: 4, column: 1)
    rewriter.rewrite(Array("\u{1b}[J\r\nline 3\r\nline 4".utf8), into: &output)
    rewriter.finishBatch(into: &output)
    output = []
    rewriter.rewrite(Array((5...9).map { "\r\nline \($0)" }.joined().utf8), into: &output)
    let text = String(decoding: output, as: UTF8.self)
    let margins = text[..<text.firstRange(of: "line 8")!.lowerBound].matches(of: /\u{1b}\[([\d;]*)r/)
    #expect(margins.last?.1 == "")
  }
}
