@testable import Overline
import OverlineTestSupport
import OverlineTestThread
import Testing

/// The documented diagrams match the machines.
@Suite(.ownThread) struct BannerDiagramTests {
  private static let document = "Sources/OverlineCLI/OverlineCLI.docc/StateMachines.md"
  private let window = WindowTraits(rows: 24, columns: 80)

  @Test func theBanners() throws {
    let events: [(String, BannerEvent)] = [
      ("lost or limited", .networkLost(cause: "x")), ("lost or limited", .networkLimited(cause: "y")),
      ("lost or limited", .networkLimited(cause: "z", manner: .brief)),
      ("found lost or limited", .networkFoundLost(cause: "x")), ("back", .networkRestored),
      ("dismissed by the user", .bannerDismissedByUser), ("dismissed by the user", .claimDismissed),
      ("dismissed in the monitor", .troubleDismissedElsewhere), ("shown in the monitor", .troubleShownElsewhere),
    ]
    // A fade is a series of deadlines.
    let time = Array(repeating: ("time", BannerEvent.deadlineReached), count: 20)
    var diagram = StateDiagram()
    var generator = SeededGenerator(state: 1)
    var machine = BannerMachine(window: window)
    var now = Duration.zero
    for _ in 0..<20_000 {
      let (name, event) = (events + time).randomElement(using: &generator)!
      now = event == .deadlineReached ? max(now, machine.nextDeadline ?? now) : now + .milliseconds(1)
      let before = machine.phase.name
      // A deadline that another event preceded is no cause of the next state.
      let isLate = machine.nextDeadline.map { $0 <= now } == true && event != .deadlineReached
      machine.handle(event, at: now)
      if !isLate { diagram.note(from: before, to: machine.phase.name, because: name) }
    }
    #expect(try GeneratedText("banner", in: Self.document).holds(diagram.mermaid), "make record")
  }

  @Test func theToasts() throws {
    var diagram = StateDiagram()
    var generator = SeededGenerator(state: 2)
    var machine = ToastMachine(window: window)
    var now = Duration.zero
    for number in 0..<20_000 {
      let events: [(String, ToastEvent)] = [
        ("posted", .toastPosted(ToastContent(title: "t"), id: ToastID(rawValue: number))),
        ("dismissed", .frontToastDismissed), ("taken hold of", .dragBegan), ("", .dragMoved(rows: 1)),
        ("", .dragMoved(rows: 4)), ("let go beyond the threshold, or clicked", .dragEnded(rows: 4)),
        ("let go short of the threshold", .dragEnded(rows: 1)), ("let go short of the threshold", .dragCancelled),
        ("time", .deadlineReached), ("time", .deadlineReached), ("time", .deadlineReached),
      ]
      let (name, event) = events.randomElement(using: &generator)!
      let isTime = name == "time"
      now = isTime ? max(now, machine.nextDeadline ?? now) : now + .milliseconds(1)
      let isLate = machine.nextDeadline.map { $0 <= now } == true && !isTime
      let before = machine.stage.name
      _ = machine.handle(event, at: now)
      if !isLate { diagram.note(from: before, to: machine.stage.name, because: name) }
    }
    #expect(try GeneratedText("toast", in: Self.document).holds(diagram.mermaid), "make record")
  }
}

extension BannerMachine.Phase {
  fileprivate var name: String {
    switch self {
    case .hidden: "hidden"
    case .grace: "grace"
    case .presented: "presented"
    case .dismissed: "dismissed"
    case .expired: "expired"
    case .restored: "restored"
    case .leaving: "leaving"
    }
  }
}

extension ToastMachine.Stage {
  fileprivate var name: String {
    switch self {
    case .empty: "empty"
    case .entering: "entering"
    case .resting: "resting"
    case .dragged: "dragged"
    case .leaving: "leaving"
    }
  }
}
