import OverlineTestSupport
import OverlineTestThread
import Testing
@testable import OverlineCore

/// The documented diagram matches the machine.
@Suite(.ownThread) struct AnswerDiagramTests {
  @Test func theProgramsAnswers() throws {
    var diagram = StateDiagram()
    // A linear congruence (Knuth): the same walk in every run.
    var random: UInt64 = 1
    var machine = ProgramAnswerMachine(.seconds(3))
    var now = Duration.zero
    for _ in 0..<20_000 {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let age = Duration.seconds(Int64(random >> 33) % 7)
      let events: [(String, ProgramAnswerMachine.Event)] = [
        ("key", .keyTyped), ("output", .outputArrived), ("", .lineEnded), ("time", .deadlineReached),
        ("time", .deadlineReached), ("stopped", .programLeft), ("acknowledged", .looked(.acknowledged)),
        ("on its way", .looked(.underway)),
        ("sent again twice", .looked(.stalled(.init(program: "ssh", age: age, heardAge: age, retransmits: 2)))),
        ("sent again twice", .looked(.stalled(.init(program: "ssh", age: age, heardAge: age, retransmits: 3)))),
      ]
      let (name, event) = events[Int(random >> 40) % events.count]
      now =
        event == .deadlineReached
        ? max(now, machine.nextDeadline ?? now)
        : now + ((random >> 50).isMultiple(of: 2) ? .milliseconds(100) : .seconds(8))
      let before = machine.phase.name
      _ = machine.handle(event, at: now)
      diagram.note(from: before, to: machine.phase.name, because: name)
    }
    let document = "Sources/OverlineCLI/OverlineCLI.docc/StateMachines.md"
    #expect(try GeneratedText("answers", in: document).holds(diagram.mermaid), "make record")
  }
}

extension ProgramAnswerMachine.Phase {
  fileprivate var name: String {
    switch self {
    case .idle: "idle"
    case .waiting: "waiting"
    case .looking: "looking"
    case .stalled(let stall): stall.shown == nil ? "stalled" : "shown"
    }
  }
}
