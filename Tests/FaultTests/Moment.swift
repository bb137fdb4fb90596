import OverlineTestKit

/// When something is killed: each phase of the banner's machine, its animations, and what else can be on a screen.
enum Moment: String, CaseIterable, Sendable {
  case hidden, grace, presenting, presented, fading, restored, hiding, toast, alert

  /// Settings in which the moment lasts until it is over by itself or for long enough to be met.
  var configuration: String {
    """
    [banner]
    grace-delay = "\(self == .grace ? 60 : 0)s"
    hide-delay = "\(self == .hiding ? 0 : 60)s"
    motion = "\(isAnimation ? "on" : "off")"

    """
  }

  /// An animation lasts 200 to 300 ms and begins when observers are told what it leads to.
  private var isAnimation: Bool { self == .presenting || self == .fading || self == .hiding }

  /// What happens to the cable before, and which phase observers are told of after it.
  var steps: [(isPlugged: Bool, phase: String)] {
    switch self {
    case .hidden, .toast, .alert: []
    case .grace: [(false, "grace")]
    case .presenting, .presented: [(false, "presented")]
    case .fading, .restored: [(false, "presented"), (true, "restored")]
    case .hiding: [(false, "presented"), (true, "hidden")]
    }
  }
}

extension Moment {
  /// Leads there, with a cable to pull and to plug in, and an observer who tells what the banner does.
  func reach(pull: () throws -> Void, plug: () throws -> Void, observer: TestProgram) throws {
    for step in steps {
      let before = observer.lines.values.count
      try step.isPlugged ? plug() : pull()
      try observer.lines.first("the phase \(step.phase)", from: before) { $0.contains("\"phase\":\"\(step.phase)\"") }
    }
  }
}
