/// Decides which routers do not answer, from the kernel's neighbour table, as a value.
///
/// The kernel probes a router while packets are sent by it. An entry without an answer becomes FAILED, and again each three seconds while
/// anything is sent; the kernel then refuses the packets (`EHOSTUNREACH`). One FAILED proves nothing: a router with a new hardware address
/// fails once and answers a tenth of a second later. The second FAILED without an answer between them means that the router is silent.
package struct RouterMachine: Equatable, Sendable {
  package enum Event: Equatable, Sendable {
    /// The routers by which the current routes lead, each with the state of its link.
    ///
    /// - Parameter countsUnheard: whether a router that was never heard can be silent.
    case evaluated([Gateway: LinkState], mayKick: Bool, countsUnheard: Bool = true)
    /// An outage would be over if one of these routers answered. The kernel has asked them anew since, so one FAILED is enough. Empty when
    /// nothing waits for an answer.
    case awaited(Set<Gateway>)
    /// Another process has watched for longer, and found these routers silent.
    case reported([Gateway: RouterSilence])
    /// Changes of the neighbour table.
    case changed([Neighbour])
    /// Entries that were read. They may be as old as the last change, so a FAILED among them proves nothing new.
    case read([Neighbour])
    /// The kernel dropped messages about neighbours.
    case overran
    /// The neighbour socket was opened anew.
    case opened
    /// The machine has woken from suspend, or the clock was set.
    case clockStepped
    case deadlinePassed
  }

  package enum Effect: Hashable, Sendable {
    /// Receive messages about these routers only. The socket's filter is replaced in place.
    case watch([Watch])
    /// Read the entries of these routers.
    case read([Gateway])
    /// Send an empty datagram to this router, so that the kernel asks for its hardware address again.
    indirect case kick(Gateway)
    /// The silent routers, or the time of their silence, have changed, or an awaited router has answered: decide the path again.
    case decide
  }

  /// A router whose messages pass the filter.
  package struct Watch: Hashable, Sendable {
    package var gateway: Gateway
    /// Whether messages about the router's answers pass too. While the router answers, each would wake this process without news.
    package var includesAnswers: Bool

    package init(_ gateway: Gateway, includesAnswers: Bool) {
      self.gateway = gateway
      self.includesAnswers = includesAnswers
    }
  }

  /// The state of the link to a router. A change makes all earlier evidence void.
  package struct LinkState: Equatable, Sendable {
    package var isUp: Bool
    package var hasCarrier: Bool
    /// The addresses on the link.
    package var addresses: Set<InterfaceAddress.Key>

    package init(isUp: Bool = true, hasCarrier: Bool = true, addresses: Set<InterfaceAddress.Key> = []) {
      self.isUp = isUp
      self.hasCarrier = hasCarrier
      self.addresses = addresses
    }
  }

  fileprivate struct Router: Equatable {
    enum State: Equatable {
      case answering
      /// The entry became FAILED once.
      case suspicious
      /// - Parameters:
      ///   - since: the time of the last answer.
      ///   - age: the time since then, as it was reported.
      case silent(since: Duration, age: Duration)
      /// Silent, without an answer since the link came up.
      case neverHeard
    }

    /// Nil for a reported router before the first evaluation.
    var linkState: LinkState?
    var state = State.answering
    /// The time of the last answer; nil as long as the kernel has not seen one since the link came up.
    var lastHeard: Duration?
    /// No FAILED counts before this time.
    var quietUntil: Duration?
    /// The earliest time of the next kick.
    var kickAt: Duration?
    /// The times of single kicks, while another router is silent.
    var questions: [Duration] = []
    /// Whether another router on the link, which was heard, is silent: then the second FAILED counts even if this one was never heard.
    var isDoubted = false
    /// Whether the end of an outage waits for this router.
    var isAwaited = false
    /// How often the entry became FAILED since the router is suspicious, and when for the first time.
    var failureCount = 0
    var firstFailure: Duration?
    /// PERMANENT and NOARP entries are never probed.
    var isProbed = true

    var isWatchedForAnswers: Bool { isProbed && (lastHeard == nil || state != .answering) }
  }

  private var routers: [Gateway: Router] = [:]
  private var watched: [Watch] = []
  private var hasEvaluated = false
  private var mayKick = false
  private var countsUnheard = true

  /// The pause after a resume or a new address or route: drivers, bridges and DHCP need time.
  package static let quiet = Duration.seconds(30)
  /// A router that was never heard is silent after so many FAILED, over at least that time.
  package static let unheardFailures = (count: 3, time: Duration.seconds(30))
  package static let kickPause = Duration.seconds(5)
  /// The longest time for which the kernel takes a router for reachable after an answer: 1.5 times its default `base_reachable_time_ms`.
  package static let maximumReachableTime = Duration.seconds(45)
  package static let maximumCount = 8

  package init() {}

  /// The silent routers. The time since an answer is renewed only when it has doubled: a new path each second would wake all observers.
  package var silent: [Gateway: RouterSilence] { routers.compactMapValues(\.silence) }

  /// Whether the router has answered since its link came up and is not silent, or is never probed.
  package func isProven(_ gateway: Gateway) -> Bool { routers[gateway]?.isProven ?? false }

  /// The name of a router's state, for the diagram in the documentation.
  package func phase(of gateway: Gateway) -> String {
    guard let router = routers[gateway] else { return "unknown" }
    if router.isAwaited { return "awaited" }
    return switch router.state {
    case .answering: !router.isProbed ? "never_probed" : router.lastHeard == nil ? "unheard" : "answering"
    case .suspicious: "suspicious"
    case .silent, .neverHeard: "silent"
    }
  }

  package var nextDeadline: Duration? {
    let kick = mayKick ? routers.values.compactMap(\.nextKick).min() : nil
    return [kick, routers.values.compactMap(\.renewal).min()].compactMap(\.self).min()
  }

  package mutating func handle(_ event: Event, at now: Duration) -> [Effect] {
    let before = silent
    let awaited = routers.filter(\.value.isAwaited).keys
    var effects: [Effect] = []
    switch event {
    case .evaluated(let current, let mayKick, let countsUnheard):
      self.mayKick = mayKick
      self.countsUnheard = countsUnheard
      effects = take(current, at: now)
    case .awaited(let gateways): effects = wait(for: gateways)
    case .reported(let silent): for (gateway, silence) in silent { take(silent: gateway, silence, at: now) }
    case .changed(let neighbours): for neighbour in neighbours { take(neighbour, at: now) }
    case .read(let neighbours):
      for neighbour in neighbours where neighbour.state != .failed { take(neighbour, at: now) }
      askTheAwaited(at: now)
    case .overran: effects = [.read(routers.keys.sorted())]
    case .opened: watched = []
    case .clockStepped: forgetAll(at: now)
    case .deadlinePassed: break
    }
    endDoubts()
    for gateway in routers.keys { routers[gateway]?.renewAge(at: now) }
    let after = silent
    if after.isEmpty {
      forgetQuestions()
    } else if after.keys.contains(where: { before[$0] == nil }) {
      askTheOthers(at: now)
    }
    effects = watchEffects() + effects + kicks(at: now)
    if after != before || awaited.contains(where: isProven) { effects.append(.decide) }
    return effects
  }

  // MARK: Evidence

  private mutating func take(_ current: [Gateway: LinkState], at now: Duration) -> [Effect] {
    defer { hasEvaluated = true }
    let known = routers
    routers = [:]
    var new: [Gateway] = []
    for gateway in current.keys.sorted().prefix(Self.maximumCount) {
      let linkState = current[gateway] ?? LinkState()
      if var router = known[gateway], router.linkState == linkState || router.linkState == nil {
        router.linkState = linkState
        routers[gateway] = router
      } else {
        // The first routers that the monitor sees need no quiet time: their links existed before.
        var router = Router(linkState: linkState, quietUntil: hasEvaluated ? now + Self.quiet : nil)
        // The kernel goes on asking an awaited router when an address is added.
        if let old = known[gateway], old.isAwaited { (router.isAwaited, router.kickAt) = (true, old.kickAt) }
        routers[gateway] = router
        new.append(gateway)
      }
    }
    return new.isEmpty ? [] : [.read(new)]
  }

  /// Takes another process's word for a router that this process has never seen answer. Such a process cannot find the silence itself.
  private mutating func take(silent gateway: Gateway, _ silence: RouterSilence, at now: Duration) {
    guard var router = routers[gateway] ?? (hasEvaluated ? nil : Router()), router.lastHeard == nil, router.isProbed
    else { return }
    if let age = silence.age {
      router.lastHeard = now - age
      router.state = .silent(since: now - age, age: age)
    } else {
      router.state = .neverHeard
    }
    router.kickAt = now + Self.kickPause
    routers[gateway] = router
  }

  private mutating func forgetAll(at now: Duration) {
    for gateway in routers.keys {
      guard let router = routers[gateway] else { continue }
      routers[gateway] = Router(linkState: router.linkState, quietUntil: now + Self.quiet)
    }
  }

  private mutating func take(_ neighbour: Neighbour, at now: Duration) {
    guard var router = routers[neighbour.gateway] else { return }
    defer { routers[neighbour.gateway] = router }
    router.isProbed = true
    switch neighbour.state {
    case .reachable: router.hear(at: now, age: neighbour.confirmedAge)
    // The router has sent a packet. The kernel has not confirmed the other direction yet, and probes it with the next packet.
    // DELAY is STALE after a packet to the router.
    case .stale where neighbour.hasLinkAddress, .delay where neighbour.hasLinkAddress:
      router.hear(at: now, age: neighbour.confirmedAge)
    case .permanent, .noARP:
      router.state = .answering
      router.isAwaited = false
      router.kickAt = nil
      router.questions = []
      router.isProbed = false
    case .failed: router.fail(at: now, countsUnheard: countsUnheard)
    case .incomplete, .stale, .delay, .probe, nil: break
    }
  }

  // MARK: After an outage

  private mutating func wait(for gateways: Set<Gateway>) -> [Effect] {
    var new: [Gateway] = []
    for gateway in routers.keys {
      guard var router = routers[gateway] else { continue }
      let isAwaited = gateways.contains(gateway) && !router.isProven && router.silence == nil
      if isAwaited == router.isAwaited { continue }
      router.isAwaited = isAwaited
      if router.isAwaited {
        new.append(gateway)
      } else if router.state == .answering {
        router.kickAt = nil
      }
      routers[gateway] = router
    }
    return new.isEmpty ? [] : [.read(new.sorted())]
  }

  /// Called when the entries were read: the kernel may know already that a router answers.
  private mutating func askTheAwaited(at now: Duration) {
    for (gateway, router) in routers where router.isAwaited && router.kickAt == nil { routers[gateway]?.kickAt = now }
  }

  // MARK: Effects

  private mutating func watchEffects() -> [Effect] {
    let wanted = routers.keys.sorted().map {
      Watch($0, includesAnswers: routers[$0]?.isWatchedForAnswers ?? false)
    }
    guard wanted != watched else { return [] }
    // Read these entries now: the earlier filter may have dropped an answer.
    let curious = wanted.filter { $0.includesAnswers && !watched.contains($0) }.map(\.gateway)
    watched = wanted
    return [.watch(wanted)] + (curious.isEmpty ? [] : [.read(curious)])
  }

  private mutating func kicks(at now: Duration) -> [Effect] {
    guard mayKick else { return [] }
    let due = routers.keys.sorted().filter { routers[$0]?.nextKick.map { $0 <= now } ?? false }
    for gateway in due { routers[gateway]?.noteKick(at: now) }
    // No message tells of a new entry that needs no answer (NOARP).
    let awaited = due.filter { routers[$0]?.isAwaited ?? false }
    return due.map { .kick($0) } + (awaited.isEmpty ? [] : [.read(awaited)])
  }

  /// The kernel probes a router only while packets are sent by it. When one router is silent, the others may be silent too, unnoticed: both
  /// families often have the same router. Ask them now, and until the kernel no longer takes an earlier answer for granted.
  private mutating func askTheOthers(at now: Duration) {
    let links = linksWithLostRouter
    for gateway in routers.keys {
      guard let router = routers[gateway], router.silence == nil, router.isProbed else { continue }
      if router.state == .answering {
        routers[gateway]?.questions = (0...3).map { now + Self.maximumReachableTime / 3 * $0 }
      }
      if links.contains(gateway.interface) { routers[gateway]?.isDoubted = true }
    }
  }

  /// Once no router that was heard is silent on a link, nothing proves that the link's unheard routers ever answer.
  private mutating func endDoubts() {
    let links = linksWithLostRouter
    for (gateway, router) in routers where router.isDoubted && !links.contains(gateway.interface) {
      routers[gateway]?.isDoubted = false
      guard router.lastHeard == nil else { continue }
      routers[gateway]?.state = .answering
      routers[gateway]?.kickAt = nil
    }
  }

  /// The links on which a router is silent that was heard.
  private var linksWithLostRouter: Set<Int> {
    Set(routers.filter { $0.value.silence?.age != nil }.keys.map(\.interface))
  }

  private mutating func forgetQuestions() {
    for gateway in routers.keys { routers[gateway]?.questions = [] }
  }
}

extension RouterMachine.Router {
  fileprivate var silence: RouterSilence? {
    switch state {
    case .answering, .suspicious: nil
    case .silent(_, let age): .heard(ago: age)
    case .neverHeard: .unheard
    }
  }

  fileprivate var isProven: Bool { !isProbed || (lastHeard != nil && silence == nil) }

  /// The time when the age of the silence has doubled.
  fileprivate var renewal: Duration? {
    // A router that was heard just now: a second is the unit of the words.
    if case .silent(let since, let age) = state { since + max(age * 2, .seconds(1)) } else { nil }
  }

  fileprivate mutating func renewAge(at now: Duration) {
    guard let renewal, renewal <= now, case .silent(let since, _) = state else { return }
    state = .silent(since: since, age: now - since)
  }

  fileprivate var nextKick: Duration? { [kickAt, questions.first].compactMap { $0 }.min() }

  fileprivate mutating func noteKick(at now: Duration) {
    questions.removeAll { $0 <= now }
    if kickAt != nil { kickAt = now + RouterMachine.kickPause }
  }

  fileprivate mutating func hear(at now: Duration, age: Duration?) {
    lastHeard = max(lastHeard ?? .zero, now - (age ?? .zero))
    state = .answering
    isAwaited = false
    kickAt = nil
  }

  fileprivate mutating func fail(at now: Duration, countsUnheard: Bool) {
    if isAwaited {
      isAwaited = false
      isDoubted = false
      state = .neverHeard
      questions = []
      return
    }
    guard quietUntil.map({ $0 <= now }) ?? true else { return }
    switch state {
    case .answering:
      state = .suspicious
      failureCount = 1
      firstFailure = now
      kickAt = now
      questions = []
    case .suspicious:
      failureCount += 1
      if let lastHeard {
        state = .silent(since: lastHeard, age: now - lastHeard)
      } else if isDoubted || (countsUnheard && hasFailedForLong(at: now)) {
        state = .neverHeard
      }
    case .silent, .neverHeard: break
    }
  }

  /// Whether so many questions without an answer prove the silence of a router that was never heard.
  private func hasFailedForLong(at now: Duration) -> Bool {
    guard let firstFailure else { return false }
    let limit = RouterMachine.unheardFailures
    return failureCount >= limit.count && now - firstFailure >= limit.time
  }
}
