/// Decides when a tmux server gets which frame.
///
/// Only one frame is under way. Meanwhile only the newest of the following ones is kept. A failed attempt is repeated with ever longer pauses:
/// a stopped server or a sleeping machine may recover soon or only after hours.
package struct TmuxWindowMachine: Sendable {
  package enum Event: Equatable, Sendable {
    /// Also without lines: the first content undoes a crashed monitor's changes in the server.
    case contentChanged(TmuxContent)
    /// The server's options may have been reset.
    case reloaded(TmuxReserve)
    case closed
    /// The server has ended. Another one may listen at its socket, and must not get what was meant for this one.
    case abandoned
    /// The last effect was carried out.
    ///
    /// - Parameter isShowing: whether the server shows anything of ours now.
    case done(TmuxError?, isShowing: Bool)
    /// The clock may have reached ``TmuxWindowMachine/nextDeadline``. Early, late and repeated deliveries are harmless.
    case deadlineReached
  }

  package enum Effect: Equatable, Sendable {
    /// Show this, and answer with ``Event/done(_:isShowing:)``.
    ///
    /// - Parameter isAnew: whether to reserve lines again that are already reserved.
    indirect case present(TmuxContent, TmuxReserve, isAnew: Bool)
    /// Give all lines back, for the last time, and answer with ``Event/done(_:isShowing:)``.
    case leave
    case warn(String)
    /// The last effect.
    ///
    /// - Parameter isGone: whether the server has ended by itself.
    case end(isGone: Bool, TmuxError?)
  }

  /// At most six frames in a fade of 250 ms or a slide of 300 ms, the first and the last included.
  private static let frameInterval = Duration.milliseconds(50)
  private static let retryPauses = Duration.milliseconds(500)...Duration.seconds(60)

  private var content = TmuxContent()
  private var reserve: TmuxReserve
  private var isAnew = false
  /// Whether something has changed since the last effect began.
  private var isDue = false
  /// What is under way.
  private var current: Effect?
  private var isClosing = false
  package private(set) var isAbandoned = false
  package private(set) var hasEnded = false
  private var isShowing = false
  private var lastFrame = Duration.zero
  private var retryAt: Duration?
  /// Failed attempts since the last success.
  private var failures = 0
  /// The last attempt's error. It is reported once, not with every attempt.
  private var lastError: TmuxError?

  package init(reserve: TmuxReserve) { self.reserve = reserve }

  /// The time when ``Event/deadlineReached`` is due; nil when only an event can change anything.
  package var nextDeadline: Duration? {
    current != nil || hasEnded ? nil : isDue ? lastFrame + Self.frameInterval : retryAt
  }

  package mutating func handle(_ event: Event, at now: Duration) -> [Effect] {
    if hasEnded { return [] }
    switch event {
    case .contentChanged(let new):
      content = new
      isDue = true
    case .reloaded(let new):
      reserve = new
      (isAnew, isDue) = (true, true)
    case .closed: (isClosing, isDue) = (true, true)
    case .abandoned:
      isAbandoned = true
      return current == nil ? abandon() : []
    case .done(let error, let isShowing):
      guard let done = current else { return [] }
      current = nil
      self.isShowing = isShowing
      if isAbandoned { return abandon() }
      let effects = finish(done, error, at: now)
      return hasEnded ? effects : effects + next(at: now)
    case .deadlineReached:
      if let retryAt, retryAt <= now, current == nil { (self.retryAt, isDue) = (nil, true) }
    }
    return next(at: now)
  }

  private mutating func abandon() -> [Effect] {
    hasEnded = true
    return [.end(isGone: true, nil)]
  }

  private mutating func next(at now: Duration) -> [Effect] {
    guard isDue, current == nil else { return [] }
    // A first frame, a last one and an end do not wait.
    let waits = isShowing && !content.isEmpty && !isClosing
    if waits, now < lastFrame + Self.frameInterval { return [] }
    let effect = isClosing ? Effect.leave : .present(content, reserve, isAnew: isAnew)
    (current, lastFrame, isDue, isAnew) = (effect, now, false, false)
    return [effect]
  }

  private mutating func finish(_ done: Effect, _ error: TmuxError?, at now: Duration) -> [Effect] {
    let isLast = done == .leave
    guard let error, error.code != .serverGone else {
      (failures, lastError, retryAt) = (0, nil, nil)
      guard isLast || error != nil else { return [] }
      hasEnded = true
      return [.end(isGone: !isLast, nil)]
    }
    let effects: [Effect] = lastError == error ? [] : [.warn("\(error)")]
    lastError = error
    failures += 1
    if isLast {
      hasEnded = true
      return effects + [.end(isGone: false, error)]
    }
    if case .present(_, _, isAnew: true) = done { isAnew = true }
    // An error other than `failed` would occur again, so the next attempt waits for new content. A banner that is over cannot wait so long.
    let pause = Self.retryPauses.lowerBound * (1 << min(failures - 1, 16))
    let isLeft = isShowing && content.isEmpty
    retryAt = error.code == .failed || isLeft ? now + min(pause, Self.retryPauses.upperBound) : nil
    return effects
  }
}
