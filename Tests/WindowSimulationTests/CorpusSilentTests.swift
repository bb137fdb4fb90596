import OverlineTestThread
import Testing

/// Schedules that once failed, in terminals that answer late, in pieces, or never.
@Suite(.ownThread) struct CorpusSilentTests {
  @Test("a terminal that never answers shows the banner")
  func silentBanner() {
    #expect(
      Simulation.run(
        Scenario(
          family: "vte", rows: 11, columns: 50, linesBefore: 20,
          items: [
            .init(nil, .print("$ ")),
            .init(nil, .goOffline),
          ],
          answers: [-1])
      ).failure == nil)
  }

  /// Without an answer, at most a second passes before the program starts, and a fifth of one after its end.
  @Test("a program that ends at once in an outage takes at most 1.3 s in a terminal that never answers")
  func silentEnd() {
    let simulation = Simulation(
      Scenario(family: "xterm", linesBefore: 3, startsOffline: true, items: [.init(0, .end)], answers: [-1]))
    let start = simulation.world.now
    #expect(simulation.run() == nil)
    #expect(simulation.world.now - start <= .milliseconds(1300))
  }

  @Test("a lower terminal that does not answer loses no line")
  func lowerWithoutAnswer() {
    let lines = (1...12).map { "L\($0)\r\n" }.joined()
    #expect(
      Simulation.run(
        Scenario(
          family: "kitty", rows: 12, columns: 28,
          items: [
            .init(nil, .print(lines)),
            .init(nil, .goOffline),
            .init(nil, .resize(rows: 11, columns: 28)),
            .init(nil, .goOnline),
          ],
          answers: [-1])
      ).failure == nil)
  }

  @Test("a lower terminal that answers after the wait loses no line")
  func lowerWithLateAnswer() {
    let wrapped = "L4 " + String(repeating: "w", count: 84)
    #expect(
      Simulation.run(
        Scenario(
          family: "foot", rows: 13, columns: 45,
          items: [
            .init(nil, .resize(rows: 15, columns: 45)),
            .init(nil, .print("L1\r\nL2\r\nL3\r\n\(wrapped)\r\n")),
            .init(nil, .print("L5 wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww\r\nL6\r\nL7\r\nL8\r\n")),
            .init(nil, .goOffline),
            .init(0, .print("L9\r\nL10\r\nL11\r\nL12\r\n")),
            .init(nil, .resize(rows: 11, columns: 45)),
            .init(nil, .goOnline),
          ],
          answers: [1448])
      ).failure == nil)
  }

  @Test("a higher terminal that does not answer has no row at a place that the window does not know")
  func higherWithoutAnswer() {
    let lines = (64...69).map { "L\($0)\r\n" }.joined()
    let wrapped = "L70 " + String(repeating: "w", count: 43) + "\r\nL71\r\nL72 " + String(repeating: "w", count: 89)
    #expect(
      Simulation.run(
        Scenario(
          family: "alacritty", rows: 11, columns: 46,
          items: [
            .init(nil, .goOffline),
            .init(0, .print(lines + wrapped)),
            .init(nil, .resize(rows: 17, columns: 46)),
          ],
          answers: [-1])
      ).failure == nil)
  }

  /// After ESC, after `ESC [`, and in the number: the wait for the answer has ended before.
  @Test("a late answer that the line cuts does not reach the program", arguments: 1...9)
  func cutAnswer(_ split: Int) {
    #expect(
      Simulation.run(
        Scenario(
          family: "alacritty", rows: 13, columns: 44,
          items: [
            .init(nil, .print("$ ")),
            .init(nil, .goOffline),
            .init(305, .type("a")),
            .init(nil, .goOnline),
            .init(nil, .type("q")),
            .init(nil, .end),
          ],
          answers: [300], splits: [split])
      ).failure == nil)
  }

  @Test("late answers to many questions do not reach the program")
  func manyLateAnswers() {
    var items: [Scenario.Item] = [.init(nil, .print("$ "))]
    for rows in 8...16 {
      items += [.init(700, .goOffline), .init(700, .resize(rows: rows, columns: 40)), .init(700, .goOnline)]
    }
    #expect(
      Simulation.run(Scenario(family: "vte", rows: 13, columns: 40, items: items, answers: [9000])).failure == nil)
  }
}
