import OverlineTestSupport

/// The moment of a fault: each phase of the banner's machine, its animations, whatever else can be on a screen, and the phases of the
/// machines that watch for answers.
enum Moment: String, CaseIterable, Sendable {
  case hidden, grace, presenting, presented, fading, restored, hiding, toast, alert
  /// The router has failed once. Nothing shows.
  case suspicious
  /// The router does not answer.
  case silent
  /// Nothing behind the router answers.
  case stalled
  /// The window shows that its program has no answer.
  case waiting

  /// Settings with which the moment ends by itself, or lasts long enough to be met.
  var configuration: String {
    """
    [banner]
    grace-delay = "\(self == .grace ? 60 : 0)s"
    hide-delay = "\(self == .hiding ? 0 : 60)s"
    motion = "\(isAnimation ? "on" : "off")"
    [answers]
    kick = \(self != .suspicious)
    program = "\(self == .waiting ? 1 : 0)s"

    """
  }

  /// Whether it needs a real router with servers behind it.
  var hasRouter: Bool { [.suspicious, .silent, .stalled, .waiting].contains(self) }

  /// An animation lasts 200 to 300 ms and begins when observers receive its target phase.
  private var isAnimation: Bool { self == .presenting || self == .fading || self == .hiding }

  /// The changes of the cable before it, and the phase that observers receive after each.
  var steps: [(isPlugged: Bool, phase: String)] {
    switch self {
    case .hidden, .toast, .alert, .suspicious, .silent, .stalled, .waiting: []
    case .grace: [(false, "grace")]
    case .presenting, .presented: [(false, "presented")]
    case .fading, .restored: [(false, "presented"), (true, "restored")]
    case .hiding: [(false, "presented"), (true, "hidden")]
    }
  }
}

extension Moment {
  /// Reaches the moment by pulling and plugging in a cable, or by what happens to the router; an observer reports the banner's phases.
  ///
  /// - Parameter prepare: called before the last change of the cable. An animation may be too short for what it does.
  func reach(_ network: SceneNetwork, observer: TestProgram, prepare: () throws -> Void = {}) throws {
    try network.reach(self, observer)
    for (index, step) in steps.enumerated() {
      if index == steps.count - 1 { try prepare() }
      let before = observer.lines.values.count
      try step.isPlugged ? network.plug() : network.pull()
      try observer.lines.first("the phase \(step.phase)", from: before) { $0.contains("\"phase\":\"\(step.phase)\"") }
    }
  }
}
