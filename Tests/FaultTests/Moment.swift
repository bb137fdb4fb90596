import OverlineTestKit

/// The moment of a fault: each phase of the banner's machine, its animations, and whatever else can be on a screen.
enum Moment: String, CaseIterable, Sendable {
  case hidden, grace, presenting, presented, fading, restored, hiding, toast, alert

  /// Settings with which the moment ends by itself, or lasts long enough to be met.
  var configuration: String {
    """
    [banner]
    grace-delay = "\(self == .grace ? 60 : 0)s"
    hide-delay = "\(self == .hiding ? 0 : 60)s"
    motion = "\(isAnimation ? "on" : "off")"

    """
  }

  /// An animation lasts 200 to 300 ms and begins when observers receive its target phase.
  private var isAnimation: Bool { self == .presenting || self == .fading || self == .hiding }

  /// The changes of the cable before it, and the phase that observers receive after each.
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
  /// Reaches the moment by pulling and plugging in a cable; an observer reports the banner's phases.
  func reach(pull: () throws -> Void, plug: () throws -> Void, observer: TestProgram) throws {
    for step in steps {
      let before = observer.lines.values.count
      try step.isPlugged ? plug() : pull()
      try observer.lines.first("the phase \(step.phase)", from: before) { $0.contains("\"phase\":\"\(step.phase)\"") }
    }
  }
}
