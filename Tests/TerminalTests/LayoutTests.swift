import Overline
import OverlineTestThread
import Testing

@Suite(.ownThread) struct LayoutTests {
  private let offline = BannerFrame(appearance: .offline, detail: "eth0 has no carrier")

  private func line(_ layout: BannerLayout, row: Int = 0) -> String { layout.rows[row].map(\.text).joined() }

  @Test func theTitleIsCentredAndTheCauseFollowsIt() {
    let layout = BannerLayout(offline, columns: 80, colors: .truecolor)
    let text = "⚠ No connection · eth0 has no carrier"
    #expect(line(layout) == String(repeating: " ", count: 21) + text + String(repeating: " ", count: 22))
    let runs = layout.rows[0]
    #expect(runs.map(\.columns) == [21, 15, 22, 22])
    #expect(runs[1].style == TextStyle(textColor: .white, backgroundColor: .systemRed, attributes: .bold))
    #expect(runs[2].style.attributes == [])
    #expect(runs[2].style.textColor != .white)
    #expect(runs[0].style.attributes == [])
  }

  @Test(arguments: 0...90)
  func everyWidthIsFilledExactlyAndTheLastColumnIsFree(columns: Int) {
    let wide = BannerFrame(
      appearance: BannerAppearance.Builder(.offline).title("接続がありません 👩‍👩‍👧").appearance, detail: "eth0")
    for frame in [offline, wide, BannerFrame(appearance: .standard)] {
      for colors in ColorDepth.allCases {
        let layout = BannerLayout(frame, columns: columns, colors: colors)
        #expect(layout.rows.count == 1)
        #expect(layout.rows[0].reduce(0) { $0 + $1.columns } == columns)
        for run in layout.rows[0] { #expect(TerminalText.width(of: run.text) == run.columns) }
        if columns > 1 { #expect(line(layout).last == " ") }
      }
    }
  }

  @Test(arguments: [
    (39, "⚠ No connection · eth0 has no carrier"), (38, "⚠ No connection"), (17, "⚠ No connection"),
    (16, "⚠ No connecti…"), (3, "…"), (2, ""), (0, ""),
  ])
  func narrowWindows(columns: Int, text: String) {
    #expect(BannerText(offline, columns: columns).line == text)
  }

  @Test(arguments: [
    (80, "⚠ No connection · the router 192.0.2.1 does not answer (last heard 43 s ago)"),
    (75, "⚠ No connection · the router 192.0.2.1 does not answer"),
    (56, "⚠ No connection · the router 192.0.2.1 does not answer"),
    (55, "⚠ No connection"),
  ])
  func anAdditionInParenthesesGoesFirst(columns: Int, text: String) {
    let frame = BannerFrame(
      appearance: .offline, detail: "the router 192.0.2.1 does not answer (last heard 43 s ago)")
    #expect(BannerText(frame, columns: columns).line == text)
  }

  @Test func asciiOnly() {
    #expect(BannerText(offline, columns: 80, usesASCII: true).line == "! No connection - eth0 has no carrier")
    #expect(BannerText(offline, columns: 14, usesASCII: true).line == "! No conn...")
    #expect(BannerText(BannerFrame(appearance: .restored)).line == "✓ Back online")
  }

  @Test func textIsNotTrusted() {
    let frame = BannerFrame(
      appearance: BannerAppearance.Builder().title("\u{1b}[2J\u{202e}x").appearance, detail: "a\nb\u{9b}")
    #expect(BannerText(frame).line == "[2Jx · a b")
    let rows = BannerRows(frame, columns: 40, colors: .truecolor).rows
    #expect(!String(decoding: rows.joined(), as: UTF8.self).contains("\u{1b}[2J"))
  }

  @Test func tallBannersAndSlides() {
    let tall = BannerAppearance.Builder(.offline).height(3).titleTopInset(1).appearance
    var layout = BannerLayout(BannerFrame(appearance: tall), columns: 40, colors: .truecolor)
    #expect(layout.rows.count == 3)
    #expect(line(layout, row: 0) == String(repeating: " ", count: 40))
    #expect(line(layout, row: 1).contains("No connection"))
    // Two rows are still beyond the edge: the banner's last row is in the window's first.
    layout = BannerLayout(BannerFrame(appearance: tall, hiddenRows: 2), columns: 40, colors: .truecolor)
    #expect(layout.rows.map(\.count) == [1, 0, 0])
    layout = BannerLayout(BannerFrame(appearance: tall, hiddenRows: 1), columns: 40, colors: .truecolor)
    #expect(line(layout, row: 0).contains("No connection"))
  }

  @Test func withoutColoursItIsReversed() {
    let layout = BannerLayout(BannerFrame(appearance: .standard), columns: 20, colors: .monochrome)
    for run in layout.rows[0] {
      #expect(run.style.isReversed && run.style.textColor == nil && run.style.backgroundColor == nil)
    }
    #expect(line(layout).contains("•"))
  }
}

@Suite(.ownThread) struct ControlSequenceTests {
  @Test(arguments: [
    (ColorDepth.truecolor, "\u{1b}[0;1;38;2;255;255;255;48;2;179;38;30m"),
    (.palette256, "\u{1b}[0;1;38;5;231;48;5;124m"),
    (.ansi16, "\u{1b}[0;1;97;41m"), (.monochrome, "\u{1b}[0;1m"),
  ])
  func styles(colors: ColorDepth, sequence: String) {
    let style = TextStyle(textColor: .white, backgroundColor: .systemRed, attributes: .bold)
    #expect(style.controlSequence(colors: colors) == sequence)
  }

  @Test func theTerminalsOwnColoursStayItsOwn() {
    let style = TextStyle(
      textColor: .ansi(.brightWhite), backgroundColor: .ansi(.blue), attributes: [.italic, .underline],
      isReversed: true)
    #expect(style.controlSequence(colors: .truecolor) == "\u{1b}[0;3;4;7;97;44m")
    #expect(TextStyle(backgroundColor: .ansi(.brightBlack)).controlSequence(colors: .ansi16) == "\u{1b}[0;100m")
    #expect(TextStyle().controlSequence(colors: .truecolor) == "\u{1b}[0m")
  }
}

@Suite(.ownThread) struct BannerRowsTests {
  private func text(
    _ frame: BannerFrame, columns: Int = 20, colors: ColorDepth = .ansi16, usesASCII: Bool = false
  ) -> [String] {
    BannerRows(frame, columns: columns, colors: colors, usesASCII: usesASCII).rows
      .map { String(decoding: $0, as: UTF8.self).replacing("\u{1b}", with: "^") }
  }

  @Test func whatIsNotTextIsErased() {
    #expect(
      text(BannerFrame(appearance: .offline)) == ["^[0;97;41m  ^[0;1;97;41m⚠ No connection^[0;97;41m^[K"])
  }

  @Test func rowsThatAreNotThereYetAreBlank() {
    let tall = BannerAppearance.Builder(.offline).height(2).appearance
    #expect(text(BannerFrame(appearance: tall, hiddenRows: 1)) == ["^[0;97;41m^[K", "^[0m^[K"])
  }

  /// Erasing does not fill with reversed colours: blanks are printed as well, except in the last column.
  @Test func withoutColours() {
    #expect(
      text(BannerFrame(appearance: .offline), colors: .monochrome, usesASCII: true)
        == ["^[0;7m  ^[0;1;7m! No connection^[0;7m  ^[0m^[K"])
  }
}
