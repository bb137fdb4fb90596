import NetworkPath
import OverlineTestSupport
import OverlineTestThread
import Testing
@testable import OverlineCore

@Suite(.ownThread) struct CheckDiagramTests {
  private static let document = "Sources/OverlineCLI/OverlineCLI.docc/StateMachines.md"

  /// The documented diagram matches the machine.
  @Test func theChecks() throws {
    let settings = CheckSettings(
      url: CheckURL("http://example.net/")!, expectedStatus: 204, interval: .seconds(10), timeout: .seconds(2))
    var diagram = StateDiagram()
    var machine = CheckMachine(settings: settings)
    var now = Duration.zero
    var request = 0
    // A linear congruence (Knuth): the same walk in every run.
    var random: UInt64 = 1
    for step in 0..<20_000 {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let events: [(String, CheckMachine.Event)] = [
        (
          "satisfied, or by another way", .pathChanged(NWPath(status: .satisfied, supportsIPv6: step.isMultiple(of: 2)))
        ),
        ("not satisfied", .pathChanged(NWPath(status: .unsatisfied))), ("off", .settingsChanged(nil)),
        ("on", .settingsChanged(settings)), ("a good answer", .answered(.reached, request: request)),
        ("a bad answer", .answered(.failed(.redirected(302, to: nil)), request: request)),
        ("nothing could be asked", .answered(.notAsked, request: request)), ("time", .deadlineReached),
        ("time", .deadlineReached), ("time", .deadlineReached),
      ]
      let (name, event) = events[Int(random >> 33) % events.count]
      if event == .deadlineReached { now = max(now, machine.nextDeadline ?? now) }
      let before = machine.name
      for case .ask(_, let number) in machine.handle(event, at: now) { request = number }
      diagram.note(from: before, to: machine.name, because: name)
    }
    #expect(try GeneratedText("check", in: Self.document).holds(diagram.mermaid), "make record")
  }
}

extension CheckMachine {
  fileprivate var name: String {
    let phase =
      switch phase {
      case .resting: "resting"
      case .waiting: "waiting"
      case .asking: "asking"
      }
    return limitation == nil ? phase : "limited_\(phase)"
  }
}
