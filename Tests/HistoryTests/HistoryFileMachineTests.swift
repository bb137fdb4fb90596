import OverlineTestThread
import Testing
@testable import OverlineCore

/// Which lines are written, and what is said when they are not.
@Suite(.ownThread) struct HistoryFileMachineTests {
  typealias Event = HistoryFileMachine.Event
  typealias Effect = HistoryFileMachine.Effect

  struct Row: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var steps: [(Event, [Effect])]

    init(_ what: String, _ steps: [(Event, [Effect])]) { (testDescription, self.steps) = (what, steps) }
  }

  private static func line(_ text: String) -> [UInt8] { Array("\(text)\n".utf8) }
  private static let full = Event.failed(why: "no space", isMissing: false)
  private static let missing = Event.failed(why: "no such file", isMissing: true)
  private static func recorded(_ texts: String...) -> Event { .recorded(texts.map(line), keep: 1) }
  /// A first line is written.
  private static let started: [(Event, [Effect])] = [
    (recorded("a"), [.lock]), (.locked(true), [.append(line("a"))]), (.appended, [.countLines]), (.counted(1), []),
  ]

  static let rows = [
    Row(
      "lines are written in order, and the file is counted once",
      started + [
        (recorded("b", "c"), [.append(line("b"))]), (.appended, [.append(line("c"))]), (.appended, []),
      ]),
    Row(
      "a file that is too long is shortened",
      [
        (recorded("a"), [.lock]), (.locked(true), [.append(line("a"))]), (.appended, [.countLines]),
        (.counted(21), [.shorten(keep: 1)]), (.counted(3), []), (recorded("b"), [.append(line("b"))]), (.appended, []),
      ]),
    Row(
      "lines wait while the disk is full, with one warning, and another one after a success",
      started + [
        (recorded("b"), [.append(line("b"))]), (full, [.warn(.failure("no space"))]),
        (recorded("c"), [.append(line("b"))]), (full, []),
        (recorded("d"), [.append(line("b"))]), (.appended, [.append(line("c"))]), (.appended, [.append(line("d"))]),
        (.appended, []), (recorded("e"), [.append(line("e"))]), (full, [.warn(.failure("no space"))]),
      ]),
    Row(
      "a file that cannot be shortened is still written, with one warning",
      [
        (recorded("a"), [.lock]), (.locked(true), [.append(line("a"))]), (.appended, [.countLines]),
        (.counted(21), [.shorten(keep: 1)]), (full, [.warn(.failure("no space"))]),
        (recorded("b"), [.append(line("b"))]), (.appended, [.shorten(keep: 1)]), (full, []),
      ]),
    Row(
      "a folder that the user has removed is made again",
      started + [
        (recorded("b"), [.append(line("b"))]), (missing, [.unlock, .lock]), (.locked(true), [.append(line("b"))]),
        (.appended, [.countLines]), (.counted(1), []),
      ]),
    Row(
      "a folder that cannot be made is a failure",
      [
        (recorded("a"), [.lock]), (missing, [.unlock, .lock]), (missing, [.warn(.failure("no such file"))]),
        (recorded("b"), [.lock]), (missing, [.unlock, .lock]), (missing, []),
      ]),
    Row(
      "lines wait for the lock of another monitor",
      [
        (recorded("a"), [.lock]), (.locked(false), [.warn(.isWrittenByAnother)]), (recorded("b"), [.lock]),
        (.locked(true), [.append(line("a"))]), (.appended, [.countLines]), (.counted(7), [.append(line("b"))]),
        (.appended, []),
      ]),
  ]

  @Test(arguments: rows) func aRow(_ row: Row) {
    var machine = HistoryFileMachine()
    for (event, effects) in row.steps { #expect(machine.handle(event) == effects, "\(event)") }
  }

  @Test func onlyTheNewestLinesWait() {
    var machine = HistoryFileMachine()
    for number in 0..<3 {
      _ = machine.handle(.recorded((0..<600).map { Self.line("\(number) \($0)") }, keep: 1))
      _ = machine.handle(.locked(false))
    }
    #expect(machine.waiting.count == HistoryFileMachine.maximumWaitingCount)
    #expect(machine.waiting.last == Self.line("2 599"))
  }
}
