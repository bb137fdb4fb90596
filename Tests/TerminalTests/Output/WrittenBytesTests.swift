import Overline
import OverlineReferenceTerminal
import OverlineTestThread
import Testing

/// The bytes that reach the terminal while a banner shows in its first row: differences that no picture shows.
@Suite(.ownThread) struct WrittenBytesTests {
  private static let rows = 11

  /// The bytes that reach the terminal from this stream, with a banner of one row on a terminal of eleven.
  private func written(_ stream: String, before: String = "") -> String {
    let window = Window(rows: Self.rows, columns: 20)
    window.show()
    window.write(before)
    let start = window.output.endIndex
    window.write(stream)
    return String(window.output[start...])
  }

  /// Hazard 22: sequences that address no rows pass unchanged.
  @Test(arguments: [
    "\u{1b}]8;id=a;https://example.org\u{1b}\\link\u{1b}]8;;\u{1b}\\", "\u{1b}]52;c;aGVsbG8=\u{7}",
    "\u{1b}]133;A\u{7}$ \u{1b}]133;B\u{7}", "\u{1b}[?2004h\u{1b}[?1004h\u{1b}[?1002h\u{1b}[?1006h",
    "\u{1b}[>1u\u{1b}[<u",
    "\u{1b}[?2031h\u{1b}[>4;2m\u{1b}=\u{1b}[?1h", "\u{1b}]2;title\u{1b}\\\u{1b}]10;?\u{7}",
    "\u{1b}[5n\u{1b}[>c\u{1b}[?2026$p",
  ])
  func whatConcernsNoRowsPassesAsItIs(stream: String) {
    #expect(written(stream) == stream)
  }

  /// The window reads the terminal's replies, and an 8-bit control in them could be part of a key's UTF-8.
  @Test(arguments: ["\u{1b} G", "\u{1b}[62\"p", "\u{1b}[64;0\"p"])
  func theTerminalAnswersInSevenBitsBelowABanner(request: String) {
    let window = Window(rows: Self.rows, columns: 20)
    window.write(request)
    window.show()
    window.write(request)
    window.hide()
    let selections = window.output.matches(of: /\x1b [FG]|\x1b\[6[24].*?p/).map { String($0.output) }
    let passed = request == "\u{1b} G" ? [] : [request, "\u{1b} F"]
    #expect(selections == [request, "\u{1b} F"] + passed + ["\u{1b} G"])
  }

  @Test(arguments: ["\u{1b} G\u{1b} F", "\u{1b}[62\"p\u{1b}[62;1\"p", "\u{1b} G\u{1b}c", "\u{1b}[61\"p"])
  func aProgramWithSevenBitRepliesKeepsThem(request: String) {
    let window = Window(rows: Self.rows, columns: 20)
    window.write(request)
    let start = window.output.endIndex
    window.show()
    window.hide()
    #expect(!window.output[start...].contains(/\x1b [FG]/))
  }

  /// A picture passes whole and once. The banner is lifted before it.
  @Test(arguments: ["\u{1b}Pq#0;2;0;0;0~~@@\u{1b}\\", "\u{1b}_Ga=T,f=24,s=1,v=1;AAAA\u{1b}\\"])
  func picturesPassWhole(picture: String) {
    #expect(written(picture).ranges(of: picture).count == 1)
  }

  /// Hazard 11: requests count from below the banner.
  @Test(arguments: [
    ("\u{1b}[8;10;20t", "\u{1b}[8;11;20t"), ("\u{1b}[30t", "\u{1b}[31t"),
    ("\u{1b}[30*|", "\u{1b}[31*|"),
    ("\u{1b}[88;2;1;3;4$x", "\u{1b}[88;3;1;4;4$x"), ("\u{1b}[2;1;99;4$z", "\u{1b}[3;1;11;4$z"),
    ("\u{1b}[1;1;2;4;1;5;5;1$v", "\u{1b}[2;1;3;4;1;6;5;1$v"), ("\u{1b}[2;1;3;4;1$r", "\u{1b}[3;1;4;4;1$r"),
    ("\u{1b}[1;1;2;1;3;4*y", "\u{1b}[1;1;3;1;4;4*y"),
  ])
  func requestsAreMovedDown(request: String, moved: String) {
    #expect(written(request) == moved)
  }

  /// Hazard 11: each request is stored with the rows by which the banner had moved the program's when it was sent.
  @Test func questionsAreKeptWithTheirOffset() {
    let window = Window(rows: Self.rows, columns: 20)
    window.show(3)
    window.write("\u{1b}[6n\u{1b}[?6n\u{1b}[18t\u{1b}[14t\u{1b}P$qr\u{1b}\\\u{1b}[c")
    // A request string may hold a picture: the banner is lifted before it.
    #expect(
      window.rewriter.takeQueries() == [
        .cursorPosition(offset: 3), .extendedCursorPosition(offset: 3), .textAreaSize(offset: 3),
        .textAreaPixels(offset: 3), .margins(offset: 0), .deviceAttributes,
      ])
    window.write("\u{1b}[H\u{1b}[2;4r\u{1b}[?6h\u{1b}[6n")
    #expect(window.rewriter.takeQueries() == [.cursorPosition(offset: 0)])
  }

  /// Hazard 8: the next frame of a fade is drawn only in the banner's rows, whatever the program has set.
  @Test(arguments: [
    "\u{1b}[3;6r\u{1b}[?6h", "\u{1b}[4h", "\u{1b}(0", "\u{1b}[?69h\u{1b}[5;12s", "\u{1b}[31;7m", "\u{1b}[?7l",
    "12345678901234567890",
  ])
  func aFrameChangesNothingBelow(modes: String) {
    let window = Window(rows: Self.rows, columns: 20)
    let bare = ReferenceTerminal(rows: Self.rows - 1, columns: 20)
    bare.write("\u{1b}[H\u{1b}[2J")
    window.show()
    for text in ["one\r\ntwo\r\nthree" + modes, "abc"] {
      window.write(text)
      bare.write(text)
      window.show()
    }
    #expect(window.outer.text[0].contains(Window.title))
    #expect(Array(window.outer.cells.dropFirst()) == bare.cells)
    var cursor = window.outer.cursor
    cursor.row -= 1
    #expect(cursor == bare.cursor)
  }

  /// Hazards 2 and 4: not every terminal of the tests implements these; those that do reset margins and banner.
  @Test(arguments: ["\u{1b}[62;1\"p", "\u{1b}[!p", "\u{1b}[?3h", "\u{1b}[?3l", "\u{1b}c", "\u{1b}#8", "\u{1b}[?1;6r"])
  func whatResetsTheTerminalIsFollowedByMarginsAndBanner(reset: String) throws {
    let output = written("\u{1b}[3;5r" + reset)
    let after = output[try #require(output.firstRange(of: reset)).upperBound...]
    #expect(after.contains("\u{1b}[r"))
    #expect(after.contains(Window.title))
  }

  /// Hazard 5: a terminal may move rows to its scrollback, VTE and tmux the whole screen at ED 2: the banner is never among them.
  @Test(arguments: [
    "\u{1b}[2J", "\u{1b}[3J", "\u{1b}[J", "\u{1b}[2S", "\u{1b}[2M", "\u{1b}c", "\u{1b}_Ga=T,f=24,s=1,v=1;AAAA\u{1b}\\",
  ])
  func whatReachesScrollbackFindsNoBanner(sequence: String) throws {
    let window = Window(rows: Self.rows, columns: 20)
    window.show()
    window.write("one\r\ntwo\u{1b}[1;1H")
    #expect(window.outer.text[0].contains(Window.title))
    window.write(sequence)
    let passed = try #require(window.output.ranges(of: sequence).last)
    let then = ReferenceTerminal(rows: Self.rows, columns: 20)
    then.write(String(window.output[..<passed.lowerBound]))
    #expect(!then.text.contains { $0.contains(Window.title) })
    #expect(then.text.prefix(2) == ["one", "two"])
    #expect(window.outer.text[0].contains(Window.title) || window.isLifted)
  }

  /// Hazard 10: no update is opened inside another one, or ended by the other side.
  @Test(arguments: 1...40)
  func updatesDoNotNest(seed: Int) {
    var random = Seeded(UInt64(seed))
    let window = Window(rows: Self.rows, columns: 20)
    let start = window.output.endIndex
    var isOpen = false
    for _ in 0..<200 {
      switch Int.random(in: 0...9, using: &random) {
      case 0: window.show(1)
      case 1: window.hide()
      case 2 where !isOpen:
        isOpen = true
        window.write("\u{1b}[?2026hx")
      case 3 where isOpen:
        isOpen = false
        window.write("y\r\n\u{1b}[?2026l")
      case 4 where !isOpen: window.write("\n\u{1b}[?2026hz\n\u{1b}[?2026l")
      case 5: window.write("\u{1b}[?1049h\u{1b}[2J")
      case 6: window.write("\u{1b}[?1049l")
      default: window.write("line\r\n")
      }
    }
    let marks = window.output[start...].ranges(of: "\u{1b}[?2026").map { window.output[$0.upperBound] }
    #expect(zip(marks, marks.dropFirst()).allSatisfy { $0 != $1 }, "seed \(seed): \(String(marks))")
  }

  /// The terminal itself wraps a wrapped line that is printed again: then it can reflow the line, and copy it as one.
  @Test(arguments: [
    String(repeating: "abcdefghij", count: 5), String(repeating: "日本", count: 12),
    "ab日本" + String(repeating: "日", count: 20),
    // Spaces before and after the margin.
    "one two three four five six", "abcdefghijklmno    next", "abcd日本 日本 日本 日本 日本", "abcdefghijklmnopqrs next",
    "abcdefghijklmnopqrs ",
  ])
  func aWrappedLineIsPrintedAsOne(text: String) {
    for setup in ["", "\u{1b}[?7l", "\u{1b}[4h", "\u{1b}[44m"] {
      let window = Window(rows: Self.rows, columns: 19)
      window.write("one\r\n\(text)\r\ntwo\(setup)")
      let before = window.outer.text
      let start = window.output.endIndex
      window.show()
      #expect(window.output[start...].contains(text))
      #expect(Array(window.outer.text.dropFirst()) == Array(before.dropLast()))
      window.hide()
      #expect(window.outer.text == before)
    }
  }

  /// A tab ended in the last column, where a wide character has no room: the terminal wraps before it again.
  @Test(arguments: ["abc\t\t\t", "\t\t\t", "abcdefghijk\u{1b}[19G"])
  func aWideCharacterBehindATabStaysWrapped(start: String) {
    for scrolls in [false, true] {
      let window = Window(rows: Self.rows, columns: 19)
      window.write("one\r\n\(start)日本\r\ntwo")
      let before = window.lines
      window.show()
      let start = window.output.endIndex
      if scrolls { window.write(String(repeating: "\r\n", count: Self.rows - 3)) } else { window.show() }
      window.hide()
      #expect(window.output[start...].contains("\u{1b}[19G日本"))
      #expect(window.lines == before)
    }
  }

  /// Hazard 8: the banner is not part of the program's open link, which is open again afterwards.
  @Test func anOpenLinkIsNotTheBanners() throws {
    let link = "\u{1b}]8;id=a;https://example.org\u{1b}\\"
    let window = Window(rows: Self.rows, columns: 20)
    window.write(link + "link")
    let start = window.output.endIndex
    window.show()
    let output = String(window.output[start...])
    let end = try #require(output.firstRange(of: "\u{1b}]8;;\u{1b}\\"))
    let title = try #require(output.firstRange(of: Window.title))
    let again = try #require(output.ranges(of: "https://example.org").last)
    #expect(end.upperBound <= title.lowerBound && title.upperBound <= again.lowerBound)
  }

  /// Hazard 16: background printed to the last column would be rewrapped when the window changes its width.
  @Test(arguments: [ColorDepth.truecolor, .palette256, .ansi16, .monochrome])
  func theBannerErasesItsBackground(colors: ColorDepth) {
    for columns in [2, 14, 15, 20, 80] {
      let frame = BannerFrame(appearance: .offline)
      for row in BannerRows(frame, columns: columns, colors: colors, usesASCII: true).rows {
        let text = String(decoding: row, as: UTF8.self)
        #expect(text.hasSuffix("\u{1b}[K"))
        #expect(text.replacing(/\u{1b}\[[0-9;]*[mK]/, with: "").count < columns)
      }
    }
  }

  /// Hazards 6 and 14: the window's own output saves no cursor, and turns on no reports.
  @Test func theWindowTouchesNothingOfTheProgramsOwn() {
    let window = Window(rows: Self.rows, columns: 20)
    let start = window.output.endIndex
    window.write((0..<30).map { "line \($0)\r\n" }.joined())
    for height in [1, 3] {
      window.show(height)
      window.write("more\r\nand more\r\n\u{1b}[?1047heditor\u{1b}[?1047l")
      window.hide()
    }
    let output = window.output[start...]
    for own in [
      "\u{1b}7", "\u{1b}8", "\u{1b}[s", "\u{1b}[u", "\u{1b}[?100", "\u{1b}[?1002", "\u{1b}[?2048", "\u{1b}[6n",
    ] {
      #expect(!output.contains(own), "\(own.debugDescription)")
    }
  }
}
