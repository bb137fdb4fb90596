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

  private func expectNoFailure(_ scenario: Scenario, location: SourceLocation = #_sourceLocation) {
    #expect(Simulation.run(scenario).failure == nil, sourceLocation: location)
  }
}
