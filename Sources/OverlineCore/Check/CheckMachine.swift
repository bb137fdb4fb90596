package import NetworkPath
package import Overline

/// The reachability check as a value. It decides when to query the server, and what the answers mean.
///
/// It sends requests only while the path is satisfied: 250 ms after a change of the path, then at an interval. After failures the pauses
/// start short and double up to that interval. When new connections of other programs get no answer, it asks earlier. There is only one
/// request at a time. A single failure may be a lost packet. After two failures in a row the connection is limited, until an answer is
/// good, the path is lost, or no request can be sent.
package struct CheckMachine: Sendable {
  package enum Event: Equatable, Sendable {
    case pathChanged(NWPath)
    /// Nil switches the check off.
    case settingsChanged(CheckSettings?)
    /// New connections of other programs get no answer. Their servers may be dead, or the network.
    case suggested
    /// - Parameter request: the number of the request. An answer to any other request is dropped.
    case answered(CheckVerdict, request: Int)
    /// Early, late and repeated deliveries are harmless.
    case deadlineReached
  }

  package enum Effect: Equatable, Sendable {
    case ask(CheckSettings, request: Int)
    /// Cancel the open request.
    case cancel
  }

  enum Phase: Equatable {
    /// No check is configured, or there is no path.
    case resting
    case waiting(until: Duration)
    case asking(CheckSettings, request: Int, until: Duration)
  }

  /// The part of the path that the server's answer depends on. When it changes, earlier answers no longer count.
  private struct Way: Equatable {
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
  /// The reason why the connection is limited; nil when it is not.
  public private(set) var limitation: Limitation?
  /// The last answer on this way; nil before the first.
  public private(set) var verdict: CheckVerdict?
  private var way: Way?
  private(set) var phase = Phase.resting
  private var failures = 0
  private var requests = 0
  /// The time of the last request.
  private var lastRequest: Duration?

  /// The pause while a link comes up: addresses, routes and nameservers arrive one after the other.
  private static let settling = Duration.milliseconds(250)
  /// The pause after the first failure: until then a lost packet has been resent.
  private static let firstPause = Duration.seconds(1)
  private static let failuresToBelieve = 2
  /// The minimum time from a request to one that is suggested: a program that looks for dead hosts suggests one again and again.
  private static let suggestionPause = Duration.seconds(30)

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
    case .suggested: handleSuggestion(at: now)
    case .answered(let verdict, let request): handleAnswer(verdict, request, at: now)
    case .deadlineReached: handleDeadline(at: now)
    }
  }

  /// Sends no request over a link that dials on demand, since the request would dial.
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

  /// Checks again soon if a check is possible. Until its answer a limitation stays, since it probably persists.
  private mutating func startAnew(at now: Duration) -> [Effect] {
    failures = 0
    verdict = nil
    let before = phase
    let isPossible = settings != nil && way != nil
    switch (before, isPossible) {
    case (.resting, false): return []
    case (.resting, true): phase = .waiting(until: now + Self.settling)
    // Keep the earlier time: changes without a pause must not postpone the check for ever.
    case (.waiting(let until), true): phase = .waiting(until: min(until, now + Self.settling))
    case (.asking, true):
      phase = .waiting(until: now + Self.settling)
      return [.cancel]
    case (.waiting, false):
      phase = .resting
      limitation = nil
    case (.asking, false):
      phase = .resting
      limitation = nil
      return [.cancel]
    }
    return []
  }

  private mutating func handleSuggestion(at now: Duration) -> [Effect] {
    switch phase {
    case .resting, .asking: break
    case .waiting(let until):
      if let lastRequest, now - lastRequest < Self.suggestionPause { break }
      phase = .waiting(until: min(until, now + Self.settling))
    }
    return []
  }

  private mutating func handleAnswer(_ verdict: CheckVerdict, _ request: Int, at now: Duration) -> [Effect] {
    switch phase {
    case .resting, .waiting: return []
    case .asking(let settings, let current, _):
      if current == request { conclude(verdict, settings, at: now) }
      return []
    }
  }

  private mutating func handleDeadline(at now: Duration) -> [Effect] {
    guard let deadline = nextDeadline, deadline <= now else { return [] }
    switch phase {
    case .resting: return []
    case .waiting:
      guard let settings else { return [] }
      requests += 1
      lastRequest = now
      phase = .asking(settings, request: requests, until: now + settings.timeout)
      return [.ask(settings, request: requests)]
    case .asking(let settings, _, _):
      conclude(.failed(.late), settings, at: now)
      return [.cancel]
    }
  }

  private mutating func conclude(_ verdict: CheckVerdict, _ settings: CheckSettings, at now: Duration) {
    self.verdict = verdict
    switch verdict {
    case .reached, .notAsked:
      failures = 0
      phase = .waiting(until: now + settings.interval)
      limitation = nil
    case .failed(let failure):
      failures += 1
      // Enough doublings to exceed any interval.
      let pause = Self.firstPause * (1 << min(failures - 1, 20))
      phase = .waiting(until: now + min(pause, settings.interval))
      if failures >= Self.failuresToBelieve || limitation != nil { limitation = failure.limitation(of: settings) }
    }
  }
}
