/// Decides when a path monitor opens its sockets, reads the kernel's tables, and looks at the path.
struct ReadingSchedule: Sendable {
  /// What the monitor does next.
  enum Step: Equatable, Sendable {
    case open, dump, evaluate
  }

  private enum Phase: Equatable {
    case closed(openAt: Duration)
    case opening
    case dumping(attempt: Int)
    /// Following the messages. Messages up to `quietUntil` belong to one change; `isDirty` is true when some arrived. At `lookAt`, if set,
    /// the path may have changed without a message.
    case watching(quietUntil: Duration?, isDirty: Bool, lookAt: Duration?)
    /// Messages were lost; the tables are read again when the flood may be over.
    case overrun(readAt: Duration)
  }

  private var phase = Phase.closed(openAt: .zero)
  private var failures = 0
  private var overrunPause = overrunPauses.lowerBound
  /// How often in a row the tables were read and may be incomplete: each dump was interrupted.
  private var uncertainReadings = 0

  /// A container start is 27 messages within a few milliseconds.
  static let coalescing = Duration.milliseconds(50)
  private static let overrunPauses = Duration.milliseconds(100)...Duration.seconds(2)
  private static let reopenPauses = Duration.milliseconds(100)...Duration.seconds(30)
  /// The number of attempts to read the tables when changes interrupt each attempt.
  static let dumpAttempts = 5
  private static let maximumUncertainReadings = 3

  var nextDeadline: Duration? {
    switch phase {
    case .closed(let openAt): openAt
    case .opening, .dumping: nil
    case .watching(let quietUntil, _, let lookAt): [quietUntil, lookAt].compactMap(\.self).min()
    case .overrun(let readAt): readAt
    }
  }

  var isWatching: Bool { if case .watching = phase { true } else { false } }

  /// The end of the burst of messages that the monitor follows; nil when it follows none.
  var quietUntil: Duration? { if case .watching(let quietUntil, _, _) = phase { quietUntil } else { nil } }

  private var isUncertain: Bool { uncertainReadings > 0 }

  /// Whether something may be missing from the tables only because an interrupted dump has left it out. After three readings, some seconds
  /// of a busy kernel, the tables count.
  var mayLackEntries: Bool { isUncertain && uncertainReadings < Self.maximumUncertainReadings }

  // MARK: Reading

  mutating func opened() -> Step { read() }

  /// The sockets failed.
  ///
  /// - Returns: whether they had worked until now. The next attempt is a tenth of a second away then.
  mutating func failed(at now: Duration) -> Bool {
    failures += 1
    phase = .closed(openAt: now + backOff(failures, within: Self.reopenPauses))
    return failures == 1
  }

  /// The tables were read.
  ///
  /// - Parameter complete: false if the kernel reported an interruption.
  /// - Returns: nil if the monitor has asked for no tables, as after the sockets have failed meanwhile.
  mutating func dumped(complete: Bool, at now: Duration) -> Step? {
    guard case .dumping(let attempt) = phase else { return nil }
    if !complete && attempt < Self.dumpAttempts {
      phase = .dumping(attempt: attempt + 1)
      return .dump
    }
    uncertainReadings = complete ? 0 : uncertainReadings + 1
    return look(quietUntil: now + (isUncertain ? Self.overrunPauses.upperBound : Self.coalescing))
  }

  mutating func overran(at now: Duration) {
    switch phase {
    // An endless flood must not delay a reading that is due.
    case .closed, .opening, .overrun: return
    case .dumping, .watching: break
    }
    phase = .overrun(readAt: now + overrunPause)
    overrunPause = min(overrunPause * 2, Self.overrunPauses.upperBound)
  }

  /// Reads everything again at once: a suspend may be long, and drivers may restore links in other states.
  mutating func clockStepped() -> Step? {
    switch phase {
    case .closed: open()
    case .watching: read()
    // The tables are being read anyway, or will be soon.
    case .opening, .dumping, .overrun: nil
    }
  }

  mutating func deadlinePassed(at now: Duration) -> Step? {
    guard let nextDeadline, now >= nextDeadline else { return nil }
    switch phase {
    case .closed: return open()
    case .opening, .dumping: return nil
    case .overrun: return read()
    case .watching(let quietUntil, let isDirty, let lookAt):
      if isUncertain { return read() }
      if isDirty { return look(at: now) }
      if quietUntil != nil { overrunPause = Self.overrunPauses.lowerBound }
      // No message arrived, so there is no burst to wait for.
      if let lookAt, now >= lookAt { return look(quietUntil: nil) }
      phase = .watching(quietUntil: nil, isDirty: false, lookAt: lookAt)
      return nil
    }
  }

  private mutating func open() -> Step {
    phase = .opening
    return .open
  }

  private mutating func read() -> Step {
    phase = .dumping(attempt: 1)
    return .dump
  }

  // MARK: Looking

  /// The first message of a burst is looked at once, and the others together at the end of the coalescing time.
  ///
  /// - Parameter isOutage: whether the messages may prove an outage, which must not wait.
  mutating func received(isOutage: Bool, at now: Duration) -> Step? {
    guard case .watching(let quietUntil, _, let lookAt) = phase else { return nil }
    if let quietUntil, now < quietUntil, !isOutage {
      phase = .watching(quietUntil: quietUntil, isDirty: true, lookAt: lookAt)
      return nil
    }
    return look(at: now)
  }

  /// The kernel has answered a look.
  ///
  /// - Parameter lookAt: when to look again without a message; nil for never.
  mutating func evaluated(lookAt: Duration?) {
    failures = 0
    if case .watching(let quietUntil, let isDirty, _) = phase {
      phase = .watching(quietUntil: quietUntil, isDirty: isDirty, lookAt: lookAt)
    }
  }

  mutating func look(at now: Duration) -> Step { look(quietUntil: now + Self.coalescing) }

  private mutating func look(quietUntil: Duration?) -> Step {
    phase = .watching(quietUntil: quietUntil, isDirty: false, lookAt: nil)
    return .evaluate
  }

  /// Doubles from the lower bound to the upper one.
  private func backOff(_ attempt: Int, within bounds: ClosedRange<Duration>) -> Duration {
    min(bounds.lowerBound * (1 << min(attempt - 1, 16)), bounds.upperBound)
  }
}
