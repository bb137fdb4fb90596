import OverlineTestThread
import Testing

/// Schedules in which the terminal becomes narrower or wider. It decides by the length of each row how to break it, and blanks may count.
@Suite(.ownThread) struct NewWidthTests {
  @Test("Alacritty drops spaces at the end of a line that becomes too long")
  func trailingSpaces() {
    #expect(
      Simulation.run(
        Scenario(
          family: "alacritty", rows: 7, columns: 32,
          items: [
            .init(nil, .print("L1\r\nL2 ends in spaces   \r\nL3\r\nL4\r\nL5\r\n")),
            .init(nil, .goOffline), .init(nil, .resize(rows: 7, columns: 20)), .init(nil, .goOnline),
          ])
      ).failure == nil)
  }

  @Test(
    "a row of tmux is as long as its text after a banner",
    arguments: ["L1\r\n", "L1\r\nL2\r\nL3\r\nL4\r\nL5\r\nL6\r\nL7\r\n"])
  func erasedBanner(text: String) {
    #expect(
      Simulation.run(
        Scenario(
          family: "tmux", rows: 6, columns: 65,
          items: [
            .init(nil, .goOffline), .init(nil, .print(text)), .init(nil, .goOnline),
            .init(nil, .resize(rows: 6, columns: 58)), .init(nil, .goOffline), .init(nil, .goOnline),
          ])
      ).failure == nil)
  }

  /// Its first part is in the scrollback. kitty leaves both parts as they are.
  @Test(
    "a line that the banner divides is whole at a greater width",
    arguments: ["vte", "alacritty", "foot", "tmux", "urxvt"])
  func dividedLine(family: String) {
    let first = "L1 " + String(repeating: "w", count: 60)
    #expect(
      Simulation.run(
        Scenario(
          family: family, rows: 8, columns: 32, linesBefore: 20,
          items: [
            .init(nil, .print("\(first)\r\nL2\r\nL3\r\nL4\r\nL5\r\nL6\r\n")),
            .init(nil, .goOffline), .init(nil, .resize(rows: 8, columns: 59)), .init(nil, .goOnline),
          ])
      ).failure == nil)
  }

  @Test("tmux counts the banner's erased cells in a line that goes on in its row")
  func blanksBehindDividedLine() {
    let first = "L1 " + String(repeating: "w", count: 50)
    #expect(
      Simulation.run(
        Scenario(
          family: "tmux", rows: 8, columns: 52,
          items: [
            .init(nil, .goOffline), .init(nil, .goOnline),
            .init(0, .print("\(first)\r\nL2\r\nL3\r\nL4\r\nL5\r\nL6\r\n")),
            .init(nil, .resize(rows: 8, columns: 36)), .init(nil, .goOffline), .init(nil, .goOnline),
          ])
      ).failure == nil)
  }
}
