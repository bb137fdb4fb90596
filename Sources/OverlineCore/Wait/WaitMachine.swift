package import NetworkPath
internal import Overline

/// Decides when a wait is over. A value: it returns the check's requests, and its result is ``outcome``.
package struct WaitMachine {
  package enum Event {
    case pathChanged(NWPath)
    /// The check's server has answered a request.
    case answered(CheckVerdict, request: Int)
    /// Early, late and repeated deliveries are harmless.
    case deadlineReached
  }

  package enum Outcome: Equatable {
    case met
    case timedOut
    /// This machine cannot send the check's request, or cannot ask the kernel for a path to send it on.
    case cannotAsk
  }

  let condition: WaitCondition
  private let stable: Duration
  private let began: Duration
  private let timeout: Duration?
  /// Nil when only the kernel is asked.
  private var check: CheckMachine?
  private var first: NWPath?
  package private(set) var path: NWPath?
  /// The time since which the condition has been met without a break.
  private var metSince: Duration?
  package private(set) var outcome: Outcome?

  /// The longest pause between two requests of the check: a script waits for the answer.
  private static let maximumPause = Duration.seconds(10)

  /// - Parameter check: the server that must answer too; nil when only the kernel is asked.
  package init(
    condition: WaitCondition, check: CheckSettings? = nil, stable: Duration = .zero, timeout: Duration? = nil,
    at now: Duration
  ) {
    self.condition = condition
    self.stable = stable
    self.timeout = timeout
    self.check = check.map { settings in
      var settings = settings
      settings.interval = min(settings.interval, Self.maximumPause)
      return CheckMachine(settings: settings)
    }
    began = now
  }

  /// Does nothing once there is an outcome.
  ///
  /// - Returns: the check's requests.
  package mutating func handle(_ event: Event, at now: Duration) -> [CheckMachine.Effect] {
    // What was due before the event comes first.
    decide(at: now)
    if outcome != nil { return [] }
    var requests: [CheckMachine.Effect] = []
    switch event {
    case .pathChanged(let new):
      let isMet = condition.isMet(by: new, first: first)
      first = first ?? new
      path = new
      requests = check?.handle(.pathChanged(new), at: now) ?? []
      note(isMet: isMet, at: now)
      if check != nil, !new.isKnown { outcome = .cannotAsk }
    case .answered(let verdict, let request):
      requests = check?.handle(.answered(verdict, request: request), at: now) ?? []
      if verdict == .notAsked { outcome = .cannotAsk }
      note(isMet: isPathMet, at: now)
    case .deadlineReached:
      requests = check?.handle(.deadlineReached, at: now) ?? []
      note(isMet: isPathMet, at: now)
    }
    decide(at: now)
    return requests
  }

  /// Whether the condition is met, apart from the check. With a check it is *online*, and the current path decides. Without one ``metSince``
  /// keeps the last path's verdict, since only the path that brings a change meets the condition of a change.
  private var isPathMet: Bool {
    check == nil ? metSince != nil : path.map { condition.isMet(by: $0, first: first) } ?? false
  }

  private mutating func note(isMet: Bool, at now: Duration) {
    let isMet = isMet && (check == nil || check?.verdict == .reached)
    metSince = isMet ? metSince ?? now : nil
  }

  /// Even with a timeout of zero this waits for the first path, and for the check's first answer.
  private var isAwaitingFirst: Bool {
    guard let path else { return true }
    guard let check, timeout == .zero else { return false }
    return check.verdict == nil && check.nextDeadline != nil && condition.isMet(by: path, first: first)
  }

  private mutating func decide(at now: Duration) {
    guard outcome == nil, !isAwaitingFirst else { return }
    if let metSince, now >= metSince + stable {
      outcome = .met
    } else if let timeout, now >= began + timeout {
      outcome = .timedOut
    }
  }

  package var nextDeadline: Duration? {
    guard outcome == nil, path != nil else { return nil }
    let end = isAwaitingFirst ? nil : timeout.map { began + $0 }
    return [metSince.map { $0 + stable }, end, check?.nextDeadline].compactMap { $0 }.min()
  }

  /// `waiting for online by IPv6, 12 s (offline: no route to the internet)`
  package func progress(at now: Duration) -> String {
    "waiting for \(wait), \(seconds(at: now)) s" + (path == nil ? "" : " (\(reason))")
  }

  /// The message after a timeout.
  package func timeoutMessage(at now: Duration) -> String {
    "gave up after \(DurationText.text(timeout ?? now - began)) of waiting for \(wait): \(reason)"
  }

  private var wait: String { condition.description + (check == nil ? "" : " with an answer") }

  /// The reason why the condition is not met.
  private var reason: String {
    guard let path else { return "" }
    guard let check, let settings = check.settings, condition.isMet(by: path, first: first) else {
      return condition.explanation(of: path)
    }
    return switch check.verdict {
    case nil: "no answer from \(settings.url.host) yet"
    case .reached, .notAsked: condition.explanation(of: path)
    case .failed(let failure): "limited: \(failure.limitation(of: settings).explanation)"
    }
  }

  private func seconds(at now: Duration) -> Int64 { (now - began).components.seconds }
}
