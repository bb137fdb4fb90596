import OverlineTestThread
import Testing

/// Schedules in which a window once failed, shrunk.
@Suite(.ownThread) struct ScheduleTests {
  /// A line whose spaces wrap was printed again without them. When the terminal grew, it took back a row that the window did not expect.
  @Test func spacesThatWrapArePrintedAgain() {
    expectNoFailure(
      Scenario(
        family: "foot", rows: 9, columns: 20,
        items: [
          .init(nil, .print("L10 ends in spaces   \r\nL11 ends in spaces   \r\nL12\r\n$ \r")),
          .init(nil, .goOffline),
          .init(nil, .print("L13")),
          .init(nil, .print("L14xxxxxxxxxxxxxxx\r\nL15\r\n")),
          .init(nil, .print("L16 ends in spaces   ")),
          .init(nil, .resize(rows: 14, columns: 20)),
          .init(nil, .goOnline),
        ]))
  }

  /// kitty leaves a line divided that begins in its scrollback. The window printed the line's beginning again on the screen.
  @Test func kittyRewrapsItsScreenAlone() {
    expectNoFailure(
      Scenario(
        family: "kitty", rows: 8, columns: 57,
        items: [
          .init(nil, .resize(rows: 8, columns: 17)),
          .init(nil, .print("L39xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\r\n")),
          .init(nil, .print("L40\r\nL41 ends in spaces\r\nL42\r\n")),
          .init(nil, .resize(rows: 8, columns: 30)),
          .init(nil, .goOffline),
          .init(nil, .goOnline),
        ]))
  }

  /// Alacritty leaves the last character of the cursor's line in a row of its own. The window counted on fewer rows, and saved one twice.
  @Test func aLineThatIsSplitElsewhereMakesTheRowsUnknown() {
    expectNoFailure(
      Scenario(
        family: "alacritty", rows: 14, columns: 54,
        items: [
          .init(nil, .resize(rows: 14, columns: 34)),
          .init(
            nil,
            .print(
              "L19\r\nL199 wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww"
            )),
          .init(nil, .resize(rows: 14, columns: 66)),
          .init(nil, .goOffline),
          .init(nil, .goOnline),
        ]))
  }

  /// `grep --color` and gcc print `ESC [ K` after a match that fills its row. Terminals disagree about what it erases there.
  @Test(arguments: Scenario.families) func whatErasesAtTheMarginIsFollowed(family: String) {
    for erasure in ["\u{1b}[m\u{1b}[K", "\u{1b}[1K", "\u{1b}[J", "\u{1b}[X", "\u{1b}[P", "\u{1b}[@"] {
      let line = "ERRORxxxxxxxxxxxxxxx\(erasure)last\r\nnext\r\n"
      expectNoFailure(
        Scenario(
          family: family, rows: 8, columns: 20,
          items: [
            .init(nil, .print("L1" + line.dropFirst(2))), .init(nil, .goOffline),
            .init(nil, .print("L2" + line.dropFirst(2))),
            .init(nil, .goOnline), .init(nil, .print("L3" + line.dropFirst(2))),
          ]))
    }
  }

  /// The first outage finds a fresh window's cursor after a character in the last column. Its report does not tell that a wrap is pending.
  @Test(arguments: Scenario.families) func aFreshWindowKeepsItsPendingWrap(family: String) {
    expectNoFailure(
      Scenario(
        family: family, rows: 12, columns: 20, linesBefore: 3,
        items: [
          .init(nil, .print("L1\r\nL2xxxxxxxxxxxxxxxxxx")), .init(nil, .goOffline), .init(nil, .print("345\r\n")),
          .init(nil, .goOnline),
        ]))
  }

  /// In the terminal's first row the cursor does not move up. A window whose terminal was opened for it learns that it is there.
  @Test(
    arguments: Scenario.families,
    [
      "\u{1b}[s\u{1b}[3A\u{1b}[u\u{1b}[AL1\r\nL2\u{1b}[5A\r\u{1b}[KL3\r\n",
      "\u{1b}[r\u{1b}[HL1\r\nL2\r\n\u{1b}[2A\u{1b}[KL3",
    ])
  func aWindowLearnsItsStart(family: String, output: String) {
    expectNoFailure(
      Scenario(
        family: family, rows: 8, columns: 20, leadsSession: true,
        items: [.init(nil, .print(output)), .init(nil, .goOffline), .init(nil, .goOnline)]))
  }

  /// Terminals count a flag of four scalars as two, three or four columns. The window put its cursor elsewhere, and printed a character twice.
  @Test(arguments: Scenario.families, ["🏳️‍🌈w", "❤️w", "👍🏽", "😀\u{fe0e} w"])
  func textThatTerminalsCountInDifferentWays(family: String, text: String) {
    expectNoFailure(
      Scenario(
        family: family, rows: 8, columns: 40,
        items: [
          .init(nil, .print("L1\r\nL2\(text)")), .init(nil, .goOffline), .init(nil, .print("x")), .init(nil, .goOnline),
          .init(nil, .print("y")),
        ]))
  }

  /// A line with such text reaches the right margin: terminals wrap it in different places, and may scroll where another does not.
  @Test(arguments: Scenario.families, ["🏳️‍🌈", "❤️", "🇩🇪🇫🇷", "👍🏽", "䷀", "\u{1fae8}"])
  func textThatTerminalsWrapInDifferentPlaces(family: String, text: String) {
    for length in 15...20 {
      let line = String(repeating: "x", count: length) + text + "yz\r\n"
      for isNamed in [true, false] {
        expectNoFailure(
          Scenario(
            family: family, rows: 6, columns: 20, isNamed: isNamed,
            items: [
              .init(nil, .print("L1\r\nL2" + line)), .init(nil, .goOffline),
              .init(nil, .print("L3" + line + "L4" + line + "L5" + line)), .init(nil, .goOnline),
              .init(nil, .print("L6" + line)),
            ]))
      }
    }
  }

  /// A shell had the terminal during an outage. The window left a blank row there, and foot lost the shell's last line.
  @Test(arguments: Scenario.families) func aStopInAnOutage(family: String) {
    expectNoFailure(
      Scenario(
        family: family, rows: 12, columns: 30, linesBefore: 20,
        items: [
          .init(nil, .print("L1\r\nL2 \(String(repeating: "w", count: 40))")), .init(nil, .goOffline),
          .init(nil, .suspend),
          .init(nil, .print("y\r\nL3\r\n")), .init(nil, .goOnline), .init(nil, .print("L4")),
        ]))
  }

  /// A terminal became narrower and lower, and as it was again before the window had followed the first size.
  @Test(arguments: Scenario.families, [(8, 45, 50), (8, 45, 150), (12, 45, 250), (8, 60, 150)])
  func aSizeThatLastsForAMoment(family: String, size: (rows: Int, columns: Int, time: Int)) {
    let text = (1...14).map { "L\($0)\r\n" }.joined()
    expectNoFailure(
      Scenario(
        family: family, rows: 12, columns: 60, linesBefore: 20,
        items: [
          .init(nil, .print(text)), .init(nil, .goOffline), .init(nil, .resize(rows: size.rows, columns: size.columns)),
          .init(size.time, .resize(rows: 12, columns: 60)), .init(nil, .print("")), .init(nil, .goOnline),
        ]))
  }

  /// foot signals no size that it had for less than 100 ms. It has moved its rows to other places nevertheless.
  @Test(arguments: [(8, 60), (16, 60), (12, 45), (12, 80)]) func footHadAnotherSize(rows: Int, columns: Int) {
    let text = (1...14).map { "L\($0) " + String(repeating: "w", count: $0 % 3 == 0 ? 70 : 0) + "\r\n" }.joined()
    expectNoFailure(
      Scenario(
        family: "foot", rows: 12, columns: 60, linesBefore: 20,
        items: [
          .init(nil, .print(text)), .init(nil, .goOffline), .init(nil, .goOnline),
          .init(nil, .resize(rows: rows, columns: columns)), .init(50, .resize(rows: 12, columns: 60)),
          .init(20, .goOffline),
          .init(nil, .print("L15\r\n")), .init(nil, .goOnline),
        ]))
  }

  /// kitty finds a command's output by the marks of its rows. They are not in the text, and the banner's row must have none.
  @Test func kittysMarksStayWithTheirRows() {
    let command = "\u{1b}]133;A\u{1b}\\$ make\r\n\u{1b}]133;C\u{1b}\\one\r\ntwo\r\n\u{1b}]133;A\u{1b}\\$ "
    expectNoFailure(
      Scenario(
        family: "kitty", rows: 8, columns: 20,
        items: [
          .init(nil, .print("L1\r\n" + command)), .init(nil, .goOffline), .init(nil, .print("L2\r\n" + command)),
          .init(nil, .goOnline), .init(nil, .print("L3")),
        ]))
  }

  /// A line went on in a row whose start is erased. What the window printed there was printed at the end of the row above.
  @Test(arguments: Scenario.families, ["\r\u{1b}[K", "\r\u{1b}[X", "\r\u{1b}[K\t"])
  func aLineThatGoesOnInAnErasedRow(family: String, erasure: String) {
    for text in ["x", "❤️"] {
      expectNoFailure(
        Scenario(
          family: family, rows: 8, columns: 20,
          items: [
            .init(nil, .print("L1\r\nL2yyyyyyyyyyyyyyyyyyyy\(text)\(erasure)")), .init(nil, .goOffline),
            .init(nil, .print("z")),
            .init(nil, .goOnline),
          ]))
    }
  }

  private func expectNoFailure(_ scenario: Scenario, location: SourceLocation = #_sourceLocation) {
    #expect(Simulation.run(scenario).failure == nil, sourceLocation: location)
  }
}
