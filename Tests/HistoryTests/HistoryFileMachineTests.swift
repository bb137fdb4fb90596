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
  private static let full = Event.failed(why: "no space")
  private static func recorded(_ texts: String...) -> Event { .recorded(texts.map(line), keep: 1) }
  /// A first line is written.
  private static let started: [(Event, [Effect])] = [
    (recorded("a"), [.lock]), (.locked(.acquired), [.append(line("a"))]), (.appended, [.countLines]), (.counted(1), []),
  ]

  static let rows = [
    Row(
      "lines are written in order, and the file is counted once",
      started + [
        (recorded("b", "c"), [.lock]), (.locked(.held), [.append(line("b"))]), (.appended, [.append(line("c"))]),
        (.appended, []),
      ]),
    Row(
      "a file that is too long is shortened",
      [
        (recorded("a"), [.lock]), (.locked(.acquired), [.append(line("a"))]), (.appended, [.countLines]),
        (.counted(21), [.shorten(keep: 1)]), (.counted(3), []),
        (recorded("b"), [.lock]), (.locked(.held), [.append(line("b"))]), (.appended, []),
      ]),
    Row(
      "a file is shortened to the length that the user wants now",
      [
        (recorded("a"), [.lock]), (.locked(.acquired), [.append(line("a"))]), (.appended, [.countLines]),
        (.counted(20), []), (.recorded([line("b")], keep: 0), [.lock]), (.locked(.held), [.append(line("b"))]),
        (.appended, [.shorten(keep: 0)]), (.counted(0), []),
      ]),
    Row(
      "lines wait while the disk is full, with one warning, and another one after a success",
      started + [
        (recorded("b"), [.lock]), (.locked(.held), [.append(line("b"))]), (full, [.warn(.writing, why: "no space")]),
        (recorded("c"), [.lock]), (.locked(.held), [.append(line("b"))]), (full, []),
        (recorded("d"), [.lock]), (.locked(.held), [.append(line("b"))]), (.appended, [.append(line("c"))]),
        (.appended, [.append(line("d"))]), (.appended, []),
        (recorded("e"), [.lock]), (.locked(.held), [.append(line("e"))]), (full, [.warn(.writing, why: "no space")]),
      ]),
    Row(
      "a file that cannot be shortened is written, with one warning, which hides no other one",
      [
        (recorded("a"), [.lock]), (.locked(.acquired), [.append(line("a"))]), (.appended, [.countLines]),
        (.counted(21), [.shorten(keep: 1)]), (full, [.warn(.shortening, why: "no space")]),
        (recorded("b"), [.lock]), (.locked(.held), [.append(line("b"))]), (.appended, [.shorten(keep: 1)]), (full, []),
        (recorded("c"), [.lock]), (.locked(.held), [.append(line("c"))]), (full, [.warn(.writing, why: "no space")]),
      ]),
    Row(
      "a file that cannot be counted is written",
      [
        (recorded("a"), [.lock]), (.locked(.acquired), [.append(line("a"))]), (.appended, [.countLines]),
        (full, [.warn(.shortening, why: "no space")]),
        (recorded("b"), [.lock]), (.locked(.held), [.append(line("b"))]), (.appended, [.countLines]), (.counted(2), []),
      ]),
    Row(
      "a folder that the user removes is made again, each time",
      started + [
        (recorded("b"), [.lock]), (.locked(.acquired), [.append(line("b"))]), (.appended, [.countLines]),
        (.counted(1), []),
        (recorded("c"), [.lock]), (.locked(.acquired), [.append(line("c"))]), (.appended, [.countLines]),
        (.counted(1), []),
      ]),
    Row(
      "a folder that cannot be made is a failure",
      [
        (recorded("a"), [.lock]), (full, [.warn(.writing, why: "no space")]), (recorded("b"), [.lock]), (full, []),
        (recorded("c"), [.lock]), (.locked(.acquired), [.append(line("a"))]),
      ]),
    Row(
      "the outages that another monitor writes are not written again after its end",
      [
        (recorded("a"), [.lock]), (.locked(.another), [.warn(.otherMonitor, why: "")]),
        (recorded("b"), [.lock]), (.locked(.another), []),
        (recorded("c"), [.lock]), (.locked(.acquired), [.append(line("c"))]), (.appended, [.countLines]),
        (.counted(7), []), (recorded("d"), [.lock]), (.locked(.another), [.warn(.otherMonitor, why: "")]),
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
      _ = machine.handle(Self.full)
    }
    #expect(machine.waiting.count == HistoryFileMachine.maximumWaitingCount)
    #expect(machine.waiting.last == Self.line("2 599"))
  }
}
