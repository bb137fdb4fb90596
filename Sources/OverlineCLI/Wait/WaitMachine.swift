internal import NetworkPath
internal import OverlineConfiguration

/// Decides when a wait is over. A value whose only result is its ``outcome``.
struct WaitMachine {
  enum Event {
    case pathChanged(NWPath)
    /// Early, late and repeated deliveries are harmless.
    case deadlineReached
  }

  enum Outcome: Hashable {
    case met
    case timedOut
  }

  let wish: WaitCondition
  private let stable: Duration
  private let began: Duration
  private let timeout: Duration?
  private var first: NWPath?
  private(set) var path: NWPath?
  /// The time since which the condition has been met without a break.
  private var metSince: Duration?
  private(set) var outcome: Outcome?

  init(wish: WaitCondition, stable: Duration = .zero, timeout: Duration? = nil, at now: Duration) {
    self.wish = wish
    self.stable = stable
    self.timeout = timeout
    began = now
  }

  /// Does nothing once there is an outcome.
  mutating func handle(_ event: Event, at now: Duration) {
    decide(at: now)
    guard outcome == nil, case .pathChanged(let new) = event else { return }
    let isMet = wish.isMet(by: new, first: first)
    first = first ?? new
    path = new
    metSince = isMet ? metSince ?? now : nil
    decide(at: now)
  }

  /// Even with a timeout of zero this waits for the first path.
  private mutating func decide(at now: Duration) {
    guard outcome == nil, path != nil else { return }
    if let metSince, now >= metSince + stable {
      outcome = .met
    } else if let timeout, now >= began + timeout {
      outcome = .timedOut
    }
  }

  var nextDeadline: Duration? {
    guard outcome == nil, path != nil else { return nil }
    return [metSince.map { $0 + stable }, timeout.map { began + $0 }].compactMap { $0 }.min()
  }

  /// `waiting for online by IPv6, 12 s (offline: no route to the internet)`
  func progress(at now: Duration) -> String {
    "waiting for \(wish.description), \(seconds(at: now)) s" + (path.map { " (\(wish.explanation(of: $0)))" } ?? "")
  }

  /// The message after a timeout.
  func timeoutMessage(at now: Duration) -> String {
    "gave up after \(DurationText.text(timeout ?? now - began)) of waiting for \(wish.description): \(path.map(wish.explanation) ?? "")"
  }

  private func seconds(at now: Duration) -> Int64 { (now - began).components.seconds }
}
