import Overline
import OverlineTestThread
import Testing

@Suite(.ownThread) struct ToastLayoutTests {
  private static func frame(_ content: ToastContent) -> ToastFrame {
    var machine = ToastMachine(window: WindowTraits(reducesMotion: true))
    _ = machine.handle(.toastPosted(content, id: ToastID(rawValue: 1)), at: .zero)
    return machine.frame!
  }

  private static func text(_ content: ToastContent, rows: Int = 24, columns: Int = 80, usesASCII: Bool = false)
    -> [String]?
  {
    ToastLayout(frame(content), rows: rows, columns: columns, colors: .truecolor, usesASCII: usesASCII)?
      .rows.map { $0.map(\.text).joined() }
  }

  @Test func wordsAreCentredInABox() {
    let content = ToastContent(title: "Saved", message: "Your changes have been stored.", style: .success)
    #expect(
      Self.text(content) == [
        "╭──────────────────────────────────╮",
        "│             ✓ Saved              │",
        "│  Your changes have been stored.  │",
        "╰──────────────────────────────────╯",
      ])
    #expect(
      Self.text(content, usesASCII: true)?.prefix(2) == [
        "+----------------------------------+", "|             + Saved              |",
      ])
    // No room for a frame.
    #expect(
      Self.text(content, rows: 7) == ["            ✓ Saved             ", " Your changes have been stored. "])
  }

  @Test(
    "the whole box has the style's colour in each depth; without colours the frame sets it off",
    arguments: [
      (ColorDepth.truecolor, "48;2;46;125;50"), (.palette256, "48;5;"), (.ansi16, ";4"), (.monochrome, ""),
    ])
  func theBoxIsColoured(_ colors: ColorDepth, _ background: String) {
    let content = ToastContent(title: "Saved", message: "Stored.", style: .success)
    let frame = Self.frame(content)
    func rows(_ count: Int) -> [String] {
      let layout = ToastLayout(frame, rows: count, columns: 80, colors: colors)!
      return layout.box(frame, rows: count, columns: 80).encoded(colors: colors).map {
        String(decoding: $0, as: UTF8.self)
      }
    }
    #expect(rows(24).count == 4 && rows(6).count == 2)
    for row in rows(24) { #expect(row.contains(background) && !row.contains("\u{1b}[0;7m"), "\(row.debugDescription)") }
    for row in rows(6) { #expect(row.contains(colors == .monochrome ? "7m" : background)) }
  }

  @Test func aMessageWrapsToThreeRows() {
    let content = ToastContent(title: "Failed", message: String(repeating: "word ", count: 60), style: .error)
    let rows = Self.text(content, columns: 40)!
    #expect(rows.count == 6)
    #expect(rows[4].hasSuffix("…  │"), "\(rows[4])")
    #expect(rows.allSatisfy { $0.count == rows[0].count && $0.count <= 36 })
  }

  @Test func aLowWindowLeavesTheMessageOutAndALowerOneTheToast() {
    let content = ToastContent(title: "Saved", message: "One two three")
    #expect(Self.text(content, rows: 6)?.count == 2)
    #expect(Self.text(content, rows: 5)?.count == 1)
    #expect(Self.text(content, rows: 4) == nil)
    #expect(Self.text(content, rows: 24, columns: 6) == nil)
    #expect(Self.text(content, rows: 24, columns: 7)?.first == " … ")
  }

  /// Two columns stay free at each side, and every row is as wide as the box, whatever the text.
  @Test(arguments: 1...300)
  func anyTextFits(seed: Int) {
    var random = Seeded(UInt64(seed))
    let alphabet = [
      "a", "漢", "👨‍👩‍👧", "\u{1b}[31m", "é", " ", "\u{202e}", "#(x)", "\0", "ﷺ", "\n", "🇩🇪", "long-word-without-end-",
    ]
    func words(_ count: Int) -> String { (0..<count).map { _ in alphabet.randomElement(using: &random)! }.joined() }
    let columns = Int.random(in: 1...100, using: &random)
    let rows = Int.random(in: 1...30, using: &random)
    let edge: ToastEdge = seed % 2 == 0 ? .top : .bottom
    var content = ToastContent(title: words(20), message: words(200), edge: edge)
    if seed % 5 == 0 { content.rows = (0..<12).map { _ in [StyledText(words(5)), StyledText(words(50))] } }
    let frame = Self.frame(content)
    guard let layout = ToastLayout(frame, rows: rows, columns: columns, colors: .palette256) else {
      #expect(rows < 5 || columns < 7)
      return
    }
    let box = layout.box(frame, rows: rows, columns: columns)
    #expect(box.column >= 2 && box.columnRange.upperBound <= columns - 2)
    #expect(edge == .top ? box.row == 0 : box.rowRange.upperBound == rows)
    #expect(box.rows.count + 4 <= rows)
    for row in box.rows {
      #expect(row.reduce(0) { $0 + $1.columns } == box.columns)
      #expect(row.allSatisfy { TerminalText.firstUnsafe(in: $0.text) == nil })
    }
  }

  @Test func aHugeTextIsCutInNoTime() {
    let content = ToastContent(
      title: String(repeating: "漢字", count: 500_000), message: String(repeating: "x", count: 1 << 20))
    let clock = ContinuousClock()
    let time = clock.measure { _ = Self.text(content) }
    #expect(time < .seconds(30))
  }

  @Test func slidingShowsThePartThatIsOut() {
    let content = ToastContent(title: "One", message: "Two", edge: .top)
    var machine = ToastMachine(window: WindowTraits())
    _ = machine.handle(.toastPosted(content, id: ToastID(rawValue: 1)), at: .zero)
    let frame = machine.frame!
    let layout = ToastLayout(frame, rows: 24, columns: 80, colors: .truecolor)!
    #expect(layout.rows.count == 4)
    let box = layout.box(frame, rows: 24, columns: 80)
    #expect(box.rows.count < 4 && box.rows == layout.rows.suffix(box.rows.count), "its last rows come first")
  }
  @Test(arguments: [(5, 7, true), (4, 7, false), (5, 6, false)])
  func aToastNeedsItsSmallestScreen(_ rows: Int, _ columns: Int, isShown: Bool) {
    var machine = ToastMachine(window: WindowTraits(reducesMotion: true))
    _ = machine.handle(.toastPosted(ToastContent(title: "Saved"), id: ToastID(rawValue: 1)), at: .zero)
    let layout = ToastLayout(machine.frame!, rows: rows, columns: columns, colors: .truecolor)
    #expect((layout != nil) == isShown)
    #expect(isShown == (rows >= ToastLayout.minimumRows && columns >= ToastLayout.minimumColumns))
  }
}

@Suite(.ownThread) struct AlertLayoutTests {
  private static func layout(
    _ alert: Alert, rows: Int = 24, columns: Int = 80, colors: ColorDepth = .truecolor
  ) -> AlertLayout {
    var machine = AlertMachine()
    _ = machine.handle(.alertPosted(alert, id: AlertID(rawValue: 1)), at: .zero)
    return AlertLayout(machine.frame!, rows: rows, columns: columns, colors: colors)
  }

  @Test func aQuestionAndItsButtons() {
    let layout = Self.layout(
      Alert(title: "Deploy to production?", message: "Version 7.", buttons: ["Deploy", "Cancel"]))
    #expect(
      layout.box.rows.map { $0.map(\.text).joined() } == [
        "╭──────────────────────────╮",
        "│                          │",
        "│  Deploy to production?   │",
        "│        Version 7.        │",
        "│                          │",
        "│  [ Deploy ]  [ Cancel ]  │",
        "│                          │",
        "╰──────────────────────────╯",
      ])
    // The buttons' places match their text.
    let first = layout.buttons[0]!
    let row = layout.box.rows[first.rows.lowerBound - layout.box.row].map(\.text).joined()
    let start = first.columns.lowerBound - layout.box.column
    #expect(Array(row)[start] == "[" && Array(row)[first.columns.upperBound - layout.box.column - 1] == "]")
  }

  @Test(arguments: ColorDepth.allCases)
  func theFocusIsSeenInAnyColours(_ colors: ColorDepth) {
    let layout = Self.layout(Alert(title: "Deploy?", buttons: ["Yes", "No"]), colors: colors)
    let runs = layout.box.rows.joined().filter { $0.text.contains("[") }
    #expect(runs[0].style.isReversed != runs[1].style.isReversed)
  }

  /// Enter presses the focused button: it must be visible, and the others keep their places.
  @Test func theFocusIsSeenInALowWindow() throws {
    let titles = (1...6).map { "Choice number \($0)" }
    var machine = AlertMachine()
    _ = machine.handle(.alertPosted(Alert(title: "Which?", buttons: titles), id: AlertID(rawValue: 1)), at: .zero)
    for focus in 0..<6 {
      let layout = AlertLayout(machine.frame!, rows: 4, columns: 24, colors: .truecolor)
      let drawn = layout.box.rows.map { $0.map(\.text).joined() }
      #expect(drawn.contains { $0.contains(titles[focus]) }, "\(drawn)")
      for (title, area) in zip(titles, layout.buttons) {
        let row = area.map { drawn[$0.rows.lowerBound - layout.box.row] }
        #expect(row?.contains(title) ?? !drawn.contains { $0.contains(title) })
      }
      #expect(layout.buttons[focus] != nil)
      _ = machine.handle(.keyPressed(.nextButton), at: .seconds(1))
    }
  }

  @Test(arguments: 1...300)
  func itFitsAnyWindow(seed: Int) {
    var random = Seeded(UInt64(seed))
    let rows = Int.random(in: AlertLayout.minimumRows...30, using: &random)
    let columns = Int.random(in: AlertLayout.minimumColumns...100, using: &random)
    let words = ["a", "漢字", "word ", "\u{1b}]0;x\u{7}", "🇩🇪", "long-word-without-end"]
    func text(_ count: Int) -> String { (0..<count).map { _ in words.randomElement(using: &random)! }.joined() }
    let buttons = (0..<Int.random(in: 1...8, using: &random)).map { "\($0)" + text(3) }
    let layout = Self.layout(Alert(title: text(20), message: text(80), buttons: buttons), rows: rows, columns: columns)
    #expect(layout.box.row >= 0 && layout.box.rowRange.upperBound <= rows)
    #expect(layout.box.column >= 0 && layout.box.columnRange.upperBound <= columns)
    for row in layout.box.rows {
      #expect(row.reduce(0) { $0 + $1.columns } == layout.box.columns)
      #expect(row.allSatisfy { TerminalText.firstUnsafe(in: $0.text) == nil })
    }
    #expect(layout.buttons.count == buttons.count)
    #expect(layout.buttons[0] != nil, "the focus is always to be seen")
    for case let button? in layout.buttons {
      #expect(layout.box.rowRange.contains(button.rows.lowerBound))
      #expect(layout.box.columnRange.contains(button.columns.lowerBound))
    }
  }
}
