internal import Overline

/// The notices about the connections of a window's program: its server does not answer, or answers slowly. One of them shows at a time.
struct ProgramNotices: Equatable, Sendable {
  enum Event: Equatable {
    /// The user typed something for the program.
    case keyTyped
    case outputArrived
    /// The end of a line arrived and nothing else: the terminal may have echoed a key.
    case lineEnded
    /// The answer to ``Effect/look(isFirst:)``.
    case looked(ProgramLook)
    /// New values of `[answers] program` and `lag`; zero turns a notice off.
    case settingsChanged(program: Duration, lag: Duration)
    /// The program was stopped or has ended.
    case programLeft
    case deadlineReached
  }

  enum Effect: Equatable {
    /// Look at the program's connections. Later looks read only the connections that the first one found.
    case look(isFirst: Bool)
    /// Show these words, or replace those that show; nil for none.
    case show(String?)
  }

  private var answers: ProgramAnswerMachine
  private var lag: ProgramLagMachine
  private var noAnswerWords: String?
  private var lagWords: String?
  /// The first key that no output has followed, while neither machine knows of it. Output follows most keys at once: they cost the time of
  /// one assignment, and not that of two machines whose code the processor has to fetch.
  private var newKey: Duration?

  init(program: Duration, lag: Duration) {
    answers = ProgramAnswerMachine(program)
    self.lag = ProgramLagMachine(lag)
  }

  /// The time when ``Event/deadlineReached`` is due; nil when only an event can change anything.
  var nextDeadline: Duration? {
    guard let newKey else { return answers.nextDeadline.earlier(lag.nextDeadline) }
    return answers.firstLook(after: newKey).earlier(lag.firstLook(after: newKey))
  }

  mutating func handle(_ event: Event, at now: Duration) -> [Effect] {
    switch event {
    case .keyTyped where isIdle:
      newKey = newKey ?? now
      return []
    case .outputArrived where isIdle, .lineEnded where isIdle:
      if event == .outputArrived { newKey = nil }
      return []
    default:
      let key = newKey.take()
      let earlier = key.map { pass(.keyTyped, at: $0) } ?? []
      return earlier + pass(event, at: now)
    }
  }

  private var isIdle: Bool { answers.isIdle && lag.isIdle }

  private mutating func pass(_ event: Event, at now: Duration) -> [Effect] {
    switch event {
    case .keyTyped: answer(.keyTyped, at: now) + measure(.keyTyped, at: now)
    case .outputArrived: answer(.outputArrived, at: now) + measure(.outputArrived, at: now)
    case .lineEnded: answer(.lineEnded, at: now)
    case .looked(let look): answer(.looked(look.answer), at: now) + measure(.looked(look.samples), at: now)
    case .settingsChanged(let program, let lag):
      answer(.settingChanged(program), at: now) + measure(.settingChanged(lag), at: now)
    case .programLeft: answer(.programLeft, at: now) + measure(.programLeft, at: now)
    case .deadlineReached: answer(.deadlineReached, at: now) + measure(.deadlineReached, at: now)
    }
  }

  private mutating func answer(_ event: ProgramAnswerMachine.Event, at now: Duration) -> [Effect] {
    var effects: [Effect] = []
    for effect in answers.handle(event, at: now) {
      switch effect {
      case .look(let isFirst): effects.append(.look(isFirst: isFirst))
      case .show(let program, let age):
        noAnswerWords = ProgramNotice.text(program: program, age: age)
        effects.append(shown)
      case .hide:
        noAnswerWords = nil
        effects.append(shown)
      }
    }
    return effects
  }

  private mutating func measure(_ event: ProgramLagMachine.Event, at now: Duration) -> [Effect] {
    var effects: [Effect] = []
    for effect in lag.handle(event, at: now) {
      switch effect {
      case .look(let isFirst): effects.append(.look(isFirst: isFirst))
      case .show(let program, let lag):
        lagWords = ProgramNotice.text(program: program, lag: lag)
        effects.append(shown)
      case .hide:
        lagWords = nil
        effects.append(shown)
      }
    }
    return effects
  }

  /// A server that does not answer is worse than a slow one.
  private var shown: Effect { .show(noAnswerWords ?? lagWords) }
}
