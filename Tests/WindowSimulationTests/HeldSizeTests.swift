import OverlineTestThread
import Testing

/// A size that settles while a program's output ends inside a sequence waits for the rest of it, and for no more: what followed in the same
/// read scrolled below a banner at the old size's place, and lines were saved twice.
@Suite(.ownThread) struct HeldSizeTests {
  @Test func aColour() {
    expectNoFailure(
      Scenario(
        family: "alacritty", rows: 14, columns: 43,
        items: [
          .init(
            nil,
            .print(
              "L14\r\nL15\r\nL16 \(String(repeating: "w", count: 83))\r\nL17\r\nL18\r\nL19\r\nL20\r\nL21\r\nL22\r\nL23\r\n"
            )),
          .init(nil, .goOffline),
          .init(nil, .print("L24\r\nL25\r\nL26 \u{1B}[33m\r\n")),
          .init(75, .resize(rows: 8, columns: 43)),
          .init(0, .resize(rows: 7, columns: 43)),
          .init(nil, .goOnline),
        ],
        cuts: [3]))
  }

  /// ESC may begin the end of the title, and the next byte shows that it does not.
  @Test func aTitleThatIsCutOff() {
    expectNoFailure(
      Scenario(
        family: "vte", rows: 9, columns: 30,
        items: [
          .init(nil, .print("L1\r\nL2\r\n")),
          .init(nil, .goOffline),
          .init(nil, .print("\u{1b}]2;title\u{1b}")),
          .init(100, .resize(rows: 7, columns: 30)),
          .init(500, .print("\r\nL3\r\nL4\r\n")),
          .init(nil, .goOnline),
        ]))
  }

  private func expectNoFailure(_ scenario: Scenario, location: SourceLocation = #_sourceLocation) {
    #expect(Simulation.run(scenario).failure == nil, sourceLocation: location)
  }
}
