internal import Overline

/// Decides when the window looks at its program's connections, and when it shows that the program has no answer.
///
/// A value without a clock. While the program answers keys, and while no key is typed, it requests no looks.
///
///     idle ──key──► waiting ──1 s without output──► looking ──all acknowledged, or nothing known──► idle
///                                                      │ ▲
///                                               stalled▼ │underway
///                                                    stalled ──for the set time──► shown ──output──► idle
struct ProgramAnswerMachine: Equatable, Sendable {
  enum Event: Equatable {
    /// The user typed something for the program.
    case keyTyped
    case outputArrived
    /// The end of a line arrived and nothing else: the terminal may have echoed a key.
    case lineEnded
    /// The answer to ``Effect/look(isFirst:)``.
    case looked(ProgramAnswer)
    /// A new value of `[answers] program`; zero turns the notice off.
    case settingChanged(Duration)
    /// The program was stopped or has ended.
    case programLeft
    case deadlineReached
  }

  enum Effect: Equatable {
    /// Look at the program's connections. Later looks read only the connections that the first one found.
    case look(isFirst: Bool)
    /// Show the notice that the program received its last answer `age` ago, or cannot send if that is nil; or replace the words of the
    /// shown one.
    case show(program: String, age: Duration?)
    case hide
  }

  enum Phase: Equatable {
    case idle
    /// Keys were typed, and the program has printed nothing since.
    case waiting(until: Duration)
    /// Data is on its way, and it is too early to call it stalled.
    case looking(next: Duration, until: Duration)
    case stalled(Stall)
  }

  struct Stall: Equatable {
    /// The data that waits for its acknowledgement was sent then, or was to be sent.
    var since: Duration
    /// Whether the data has not left this machine.
    var isUnsent: Bool
    /// The other end's last acknowledgement or data came then.
    var lastAnswer: Duration
    var retransmits: Int
    var next: Duration
    /// The time when the notice was shown first; nil while it is too early.
    var shown: Duration?
  }

  /// If a program prints nothing for this time after a key, it may be waiting for its server.
  private static let pause = Duration.seconds(1)
  private static let interval = Duration.seconds(1)
  /// A program that sends all the time, such as an upload, always has data on its way. Two retransmissions take less than this time,
  /// except over the slowest links.
  private static let lookTimeout = Duration.seconds(15)
  /// After this time the window looks less often.
  private static let longStall = Duration.seconds(60)
  private static let longInterval = Duration.seconds(5)
  /// The notice takes a row from the program, which may lay itself out again: its output in this time may be no answer.
  private static let layoutTime = Duration.seconds(1)

  private var setting: Duration
  private(set) var phase = Phase.idle

  init(_ setting: Duration) { self.setting = setting }

  /// The time when ``Event/deadlineReached`` is due; nil when only an event can change anything.
  var nextDeadline: Duration? {
    switch phase {
    case .idle: nil
    case .waiting(let until): until
    case .looking(let next, _): next
    case .stalled(let stall): stall.next
    }
  }

  var isIdle: Bool { if case .idle = phase { true } else { false } }

  /// The time of the first look after a key that no output follows; nil if the notice is turned off.
  func firstLook(after key: Duration) -> Duration? { setting > .zero ? key + Self.pause : nil }

  mutating func handle(_ event: Event, at now: Duration) -> [Effect] {
    switch event {
    case .keyTyped:
      if isIdle, let first = firstLook(after: now) { phase = .waiting(until: first) }
      return []
    case .outputArrived:
      if let shown, now < shown + Self.layoutTime { return lookAgain(at: now) }
      return end()
    case .lineEnded: return lookAgain(at: now)
    case .programLeft: return end()
    case .settingChanged(let new):
      guard new != setting else { return [] }
      setting = new
      // A shown notice stays until the next look applies the new time.
      return new > .zero ? [] : end()
    case .looked(let answer): return conclude(answer, at: now)
    case .deadlineReached: return handleDeadline(at: now)
    }
  }

  private mutating func end() -> [Effect] {
    defer { phase = .idle }
    return shown == nil ? [] : [.hide]
  }

  private var shown: Duration? {
    switch phase {
    case .stalled(let stall): stall.shown
    case .idle, .waiting, .looking: nil
    }
  }

  // MARK: - Looks

  private mutating func handleDeadline(at now: Duration) -> [Effect] {
    guard let deadline = nextDeadline, deadline <= now else { return [] }
    guard case .waiting = phase else { return lookAgain(at: now) }
    phase = .looking(next: now + Self.interval, until: now + Self.lookTimeout)
    return [.look(isFirst: true)]
  }

  private mutating func lookAgain(at now: Duration) -> [Effect] {
    switch phase {
    case .idle, .waiting: return []
    case .looking(_, let until): phase = .looking(next: now + Self.interval, until: until)
    case .stalled(var stall):
      stall.next = now + Self.interval
      phase = .stalled(stall)
    }
    return [.look(isFirst: false)]
  }

  private mutating func conclude(_ answer: ProgramAnswer, at now: Duration) -> [Effect] {
    var earlier: Stall?
    var until = now + Self.lookTimeout
    switch phase {
    // Output has come meanwhile.
    case .idle, .waiting: return []
    case .looking(_, let end): until = end
    case .stalled(let stall): earlier = stall
    }
    switch answer {
    case .acknowledged: return end()
    case .underway:
      let effects = end()
      if now < until { phase = .looking(next: now + Self.interval, until: until) }
      return effects
    case .stalled(let seen):
      var stall = Stall(
        since: now - seen.age, isUnsent: seen.isUnsent, lastAnswer: now - seen.heardAge, retransmits: seen.retransmits,
        next: now, shown: earlier?.shown)
      // Each look gives a lower bound of the age, so keep the largest. But if retransmissions have become fewer, an acknowledgement came
      // between the looks, and the earlier times no longer count.
      if let earlier, seen.retransmits >= earlier.retransmits, seen.isUnsent == earlier.isUnsent {
        stall.since = min(stall.since, earlier.since)
        stall.lastAnswer = min(stall.lastAnswer, earlier.lastAnswer)
      }
      return wait(stall, for: seen.program, at: now)
    }
  }

  private mutating func wait(_ stall: Stall, for program: String, at now: Duration) -> [Effect] {
    var stall = stall
    let wasShown = stall.shown != nil
    let shows = now - stall.since >= setting
    let age = now - stall.lastAnswer
    // The next look is at a whole multiple of the interval, so that the seconds in the notice skip no number.
    let interval = now - stall.since < Self.longStall ? Self.interval : Self.longInterval
    // Whole numbers: a rounded quotient could give a time that has passed.
    stall.next = stall.lastAnswer + interval * (age.components.seconds / interval.components.seconds + 1)
    if !shows { stall.next = min(stall.next, stall.since + setting) }
    stall.shown = shows ? stall.shown ?? now : nil
    phase = .stalled(stall)
    if shows { return [.show(program: program, age: stall.isUnsent ? nil : age)] }
    return wasShown ? [.hide] : []
  }
}
