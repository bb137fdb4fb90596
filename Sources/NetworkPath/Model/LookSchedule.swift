/// When to look at the TCP connections, as a value: what ``ConnectionMachine`` and ``SendingMachine`` have in common.
///
///     asleep ──a router became STALE──► looking ──connections wait──► watching
///       ▲                                  └──none waits──► asleep        │
///       └──────────────────────none waits, or three looks failed──────────┘
package struct LookSchedule: Equatable, Sendable {
  package enum Phase: Equatable, Sendable {
    case asleep
    /// A router became STALE in the quiet time, or soon after an expensive look. The first look comes at its end.
    case waiting(until: Duration)
    /// The first look is under way.
    case looking
    case watching(Watch)
  }

  package struct Watch: Equatable, Sendable {
    let start: Duration
    var next: Duration
    /// The number of looks that failed in a row.
    var failures = 0
  }

  private(set) package var phase = Phase.asleep
  /// The end of the quiet time. What happened before proves nothing.
  private(set) var quietUntil = Duration.zero
  /// No look before this time.
  private var restUntil = Duration.zero

  private static let interval = Duration.seconds(1)
  private static let longInterval = Duration.seconds(5)
  /// After this time the interval is ``longInterval``.
  private static let longWatch = Duration.seconds(60)
  private static let toleratedFailures = 3
  /// The pause after a look, in multiples of its processor time. A monitor and five windows then take at most 2 % of a processor together.
  private static let rest = 400

  package init() {}

  /// The time of the next look; nil when only an event can change anything.
  package var nextDeadline: Duration? {
    switch phase {
    case .asleep, .looking: nil
    case .waiting(let until): until
    case .watching(let watch): watch.next
    }
  }

  /// The looks that follow the first; nil when there are none.
  var watch: Watch? { if case .watching(let watch) = phase { watch } else { nil } }

  mutating func sleep() { phase = .asleep }

  /// Starts the quiet time: drivers, bridges and DHCP need it after a resume, a new address or a new route.
  mutating func beQuiet(at now: Duration) {
    phase = .asleep
    quietUntil = now + RouterMachine.quiet
  }

  /// A router became STALE. Returns whether to look now.
  mutating func begin(at now: Duration) -> Bool {
    guard phase == .asleep else { return false }
    let start = max(quietUntil, restUntil)
    phase = now < start ? .waiting(until: start) : .looking
    return phase == .looking
  }

  /// Returns whether to look now.
  mutating func passDeadline(at now: Duration) -> Bool {
    guard let deadline = nextDeadline, deadline <= now else { return false }
    if var watch {
      watch.next = now + (now - watch.start < Self.longWatch ? Self.interval : Self.longInterval)
      phase = .watching(watch)
    } else {
      phase = .looking
    }
    return true
  }

  /// A look took this much processor time.
  mutating func noteLook(cost: Duration, at now: Duration) {
    restUntil = max(restUntil, now) + cost * Self.rest
    guard var watch else { return }
    watch.failures = 0
    watch.next = max(watch.next, restUntil)
    phase = .watching(watch)
  }

  /// The first look has found connections that wait.
  mutating func beginWatch(at now: Duration) {
    phase = .watching(Watch(start: now, next: max(now + Self.interval, restUntil)))
  }

  /// Sleeps if nothing has been seen for too long.
  mutating func noteFailure() {
    switch phase {
    case .asleep, .waiting: break
    case .looking: phase = .asleep
    case .watching(var watch):
      watch.failures += 1
      phase = watch.failures < Self.toleratedFailures ? .watching(watch) : .asleep
    }
  }
}
