internal import NetworkPath

/// Decides when a window shows that the connection of its program is slow: `ssh: slow, 0.8 s round trip`.
///
/// A value without a clock. While the program's output follows each key soon, and while no key is typed, it requests no looks.
///
///     idle ──key──► waiting ──no output for 4/5 of the set time──► watching ──two slow looks──► shown
///      ▲              └──output──► idle                               └──nothing waits, two quick looks, or no key for 10 s──► idle
struct ProgramLagMachine: Equatable, Sendable {
  enum Event: Equatable {
    case keyTyped
    case outputArrived
    /// The figures of the program's connections.
    case looked([ProgramSample])
    /// A new value of `[answers] lag`; zero turns the notice off.
    case settingChanged(Duration)
    case programLeft
    case deadlineReached
  }

  enum Effect: Equatable {
    /// Look at the program's connections. Later looks read only the connections that the first one found.
    case look(isFirst: Bool)
    /// Show the notice, or replace its words.
    case show(program: String, lag: Duration)
    case hide
  }

  enum Phase: Equatable {
    case idle
    case waiting(until: Duration)
    case watching(Watch)
  }

  struct Watch: Equatable {
    var samples: [UInt64: QualitySample] = [:]
    var lastLook: Duration
    /// The time of the last look that counted.
    var lastCounted: Duration?
    var lastKey: Duration
    /// The newest round trip that a look has measured.
    var roundTrip: Duration?
    /// The unanswered key of the last look that was slow for its sake.
    var lateKey: Duration?
    /// The looks in a row that found the connection slow, or quick.
    var slow = 0
    var quick = 0
    /// The time when the notice was shown first.
    var shown: Duration?
  }

  private static let interval = Duration.seconds(1)
  private static let sufficientLooks = 2
  /// A notice that comes and goes disturbs more than a slow connection.
  private static let minimumTime = Duration.seconds(4)
  /// After this time without a key, the machine assumes that the user waits for no answer.
  private static let restTime = Duration.seconds(10)

  private var setting: Duration
  private(set) var phase = Phase.idle
  /// The first key without output since.
  private var unansweredKey: Duration?

  init(_ setting: Duration) { self.setting = setting }

  /// A key without output for this time makes the machine look.
  private var suspicion: Duration { setting * 4 / 5 }
  /// Below this the connection is quick again.
  private var quickness: Duration { setting * 7 / 10 }

  /// The time when ``Event/deadlineReached`` is due; nil when only an event can change anything.
  var nextDeadline: Duration? {
    switch phase {
    case .idle: nil
    case .waiting(let until): until
    case .watching(let watch):
      // Keys and output come anyway, and cause looks. Only silence needs a timer.
      min(watch.lastKey + Self.restTime, unansweredKey == nil ? .seconds(Int.max) : watch.lastLook + Self.interval)
    }
  }

  var isIdle: Bool { if case .idle = phase { true } else { false } }

  /// The time of the first look after a key that no output follows; nil if the notice is turned off.
  func firstLook(after key: Duration) -> Duration? { setting > .zero ? key + suspicion : nil }

  mutating func handle(_ event: Event, at now: Duration) -> [Effect] {
    switch event {
    case .keyTyped:
      guard let first = firstLook(after: now) else { return [] }
      unansweredKey = unansweredKey ?? now
      switch phase {
      case .idle: phase = .waiting(until: first)
      case .waiting: break
      case .watching(var watch):
        watch.lastKey = now
        phase = .watching(watch)
        return lookAgain(at: now)
      }
      return []
    case .outputArrived:
      unansweredKey = nil
      if case .waiting = phase { phase = .idle }
      return lookAgain(at: now)
    case .looked(let samples): return conclude(samples, at: now)
    case .settingChanged(let new):
      guard new != setting else { return [] }
      setting = new
      return end()
    case .programLeft: return end()
    case .deadlineReached: return handleDeadline(at: now)
    }
  }

  private mutating func end() -> [Effect] {
    defer {
      phase = .idle
      unansweredKey = nil
    }
    if case .watching(let watch) = phase, watch.shown != nil { return [.hide] }
    return []
  }

  private mutating func handleDeadline(at now: Duration) -> [Effect] {
    guard let deadline = nextDeadline, deadline <= now else { return [] }
    switch phase {
    case .idle: return []
    case .waiting:
      phase = .watching(Watch(lastLook: now, lastKey: now))
      return [.look(isFirst: true)]
    case .watching(let watch): return now >= watch.lastKey + Self.restTime ? end() : lookAgain(at: now)
    }
  }

  private mutating func lookAgain(at now: Duration) -> [Effect] {
    guard case .watching(var watch) = phase, now >= watch.lastLook + Self.interval else { return [] }
    watch.lastLook = now
    phase = .watching(watch)
    return [.look(isFirst: false)]
  }

  private mutating func conclude(_ samples: [ProgramSample], at now: Duration) -> [Effect] {
    guard case .watching(var watch) = phase else { return [] }
    // The other machine's look.
    if let counted = watch.lastCounted, now < counted + Self.interval { return [] }
    let isFirst = watch.lastCounted == nil
    watch.lastCounted = now
    let isWaiting = samples.contains { $0.sample.isWaiting }
    // The program computes, or has no connection.
    if isFirst, !isWaiting { return end() }
    let slowest = samples.compactMap { found -> (program: String, lag: Duration)? in
      let newest = watch.samples[found.sample.connection].flatMap { found.sample.roundTrip(since: $0) }
      return (newest ?? (found.sample.isSettled ? found.sample.roundTrip : nil)).map { (found.program, $0) }
    }.max { $0.lag < $1.lag }
    watch.roundTrip = slowest?.lag ?? watch.roundTrip
    watch.samples = Dictionary(samples.map { ($0.sample.connection, $0.sample) }) { $1 }
    // Output may never come, as for a password. So what counts is how long the connection has been silent, and not whether it is dead:
    // that is ``ProgramAnswerMachine``'s.
    let waiting = samples.filter { $0.sample.isWaiting && $0.sample.retransmits < 2 }
    let wait = unansweredKey.flatMap { key in waiting.map { min(now - key, $0.sample.heardAge) }.max() }
    let program = slowest?.program ?? samples.first?.program ?? ""
    defer { if case .watching = phase { phase = .watching(watch) } }
    guard let lag = [watch.roundTrip, wait].compactMap(\.self).max() else { return [] }
    // A single key that waits long, as after a lost segment, counts once.
    let isLate = slowest?.lag ?? .zero < setting
    if lag < setting {
      watch.slow = 0
    } else if !isLate || watch.lateKey != unansweredKey {
      watch.slow += 1
      watch.lateKey = isLate ? unansweredKey : nil
    }
    watch.quick = lag < quickness ? watch.quick + 1 : 0
    let isQuick = watch.quick >= Self.sufficientLooks
    if let shown = watch.shown {
      if isQuick, now - shown >= Self.minimumTime { return end() }
      return watch.slow > 0 ? [.show(program: program, lag: lag)] : []
    }
    if isQuick { return end() }
    guard watch.slow >= Self.sufficientLooks else { return [] }
    watch.shown = now
    return [.show(program: program, lag: lag)]
  }
}
