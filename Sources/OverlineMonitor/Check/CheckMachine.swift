package import OverlineConfiguration
package import NetworkPath

/// When to ask whether anyone answers, and what follows: the reachability check as a value.
///
/// It asks only while the path is satisfied: at once after a change of the path, then at an interval; while nobody answers as expected,
/// after pauses that double up to that interval. One question at a time. A single failure is a lost packet: after two in a row the
/// connection is limited, until one answer is good.
package struct CheckMachine: Sendable {
  package enum Event: Hashable, Sendable {
    case pathChanged(NWPath)
    /// Nil switches the check off.
    case settingsChanged(CheckSettings?)
    /// - Parameter request: the number it was asked under; an answer to another one is dropped.
    case answered(CheckVerdict, request: Int)
    /// Early, late and repeated deliveries do no harm.
    case deadlineReached
  }

  package enum Effect: Hashable, Sendable {
    case ask(CheckSettings, request: Int)
    /// Nobody waits for the answer any more.
    case cancel
    /// The connection is limited, for this reason; nil: it is not, or no longer.
    case publish(Limitation?)
  }

  enum Phase: Hashable {
    /// There is nothing to ask, or no way to ask it.
    case resting
    case waiting(until: Duration)
    case asking(CheckSettings, request: Int, until: Duration)
  }

  /// What an answer depends on: with another of these it would be another's.
  private struct Way: Hashable {
    var interfaces: [NWInterface]
    var gateways: [NWEndpoint]
    var families: [Bool]

    init(_ path: NWPath) {
      interfaces = path.availableInterfaces
      gateways = path.gateways
      families = [path.supportsIPv4, path.supportsIPv6, path.supportsDNS]
    }
  }

  public private(set) var settings: CheckSettings?
  /// What was published last.
  public private(set) var limitation: Limitation?
  private var way: Way?
  private(set) var phase = Phase.resting
  private var failures = 0
  private var requests = 0

  /// A link that comes up brings addresses, routes and nameservers one after the other.
  private static let settling = Duration.milliseconds(250)
  /// The pause after the first failure: a lost packet is sent again by then.
  private static let firstPause = Duration.seconds(1)
  private static let failuresToBelieve = 2

  package init(settings: CheckSettings? = nil) {
    self.settings = settings
  }

  package var nextDeadline: Duration? {
    switch phase {
    case .resting: nil
    case .waiting(let until), .asking(_, _, let until): until
    }
  }

  package mutating func handle(_ event: Event, at now: Duration) -> [Effect] {
    switch event {
    case .pathChanged(let path): handlePath(path, at: now)
    case .settingsChanged(let settings): handleSettings(settings, at: now)
    case .answered(let verdict, let request): handleAnswer(verdict, request, at: now)
    case .deadlineReached: handleDeadline(at: now)
    }
  }

  /// A link that dials on demand is not dialled for this.
  private mutating func handlePath(_ path: NWPath, at now: Duration) -> [Effect] {
    let new = path.isKnown && path.status == .satisfied ? Way(path) : nil
    guard new != way else { return [] }
    way = new
    return startAnew(at: now)
  }

  private mutating func handleSettings(_ new: CheckSettings?, at now: Duration) -> [Effect] {
    guard new != settings else { return [] }
    settings = new
    return startAnew(at: now)
  }

  /// A limitation stays until the new way has been tried: it is more likely to be the same one than to be gone.
  private mutating func startAnew(at now: Duration) -> [Effect] {
    failures = 0
    let before = phase
    let isPossible = settings != nil && way != nil
    switch (before, isPossible) {
    case (.resting, false): return []
    case (.resting, true): phase = .waiting(until: now + Self.settling)
    // Changes that go on for ever must not put it off for ever.
    case (.waiting(let until), true): phase = .waiting(until: min(until, now + Self.settling))
    case (.asking, true):
      phase = .waiting(until: now + Self.settling)
      return [.cancel]
    case (.waiting, false):
      phase = .resting
      return publish(nil)
    case (.asking, false):
      phase = .resting
      return [.cancel] + publish(nil)
    }
    return []
  }

  private mutating func handleAnswer(_ verdict: CheckVerdict, _ request: Int, at now: Duration) -> [Effect] {
    switch phase {
    case .resting, .waiting: return []
    case .asking(let settings, let current, _):
      return current == request ? conclude(verdict, settings, at: now) : []
    }
  }

  private mutating func handleDeadline(at now: Duration) -> [Effect] {
    guard let deadline = nextDeadline, deadline <= now else { return [] }
    switch phase {
    case .resting: return []
    case .waiting:
      guard let settings else { return [] }
      requests += 1
      phase = .asking(settings, request: requests, until: now + settings.timeout)
      return [.ask(settings, request: requests)]
    case .asking(let settings, _, _):
      return [.cancel] + conclude(.failed(.late), settings, at: now)
    }
  }

  private mutating func conclude(_ verdict: CheckVerdict, _ settings: CheckSettings, at now: Duration) -> [Effect] {
    switch verdict {
    case .reached, .notAsked:
      failures = 0
      phase = .waiting(until: now + settings.interval)
      return publish(nil)
    case .failed(let failure):
      failures += 1
      // A sum of doublings far beyond any interval.
      let pause = Self.firstPause * (1 << min(failures - 1, 20))
      phase = .waiting(until: now + min(pause, settings.interval))
      let isBelieved = failures >= Self.failuresToBelieve || limitation != nil
      return isBelieved ? publish(failure.limitation(of: settings)) : []
    }
  }

  private mutating func publish(_ new: Limitation?) -> [Effect] {
    guard new != limitation else { return [] }
    limitation = new
    return [.publish(new)]
  }
}
