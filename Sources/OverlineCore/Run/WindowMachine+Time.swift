internal import Overline

extension WindowMachine: TimedMachine {
  enum Timer: CaseIterable {
    /// The program has paused after something that may have changed its directory.
    case pause
    /// The program's server may have answered, or answer slowly.
    case notices
    case display
    /// A program without its helper may have ended.
    case look
    case headStart
    /// The longest wait for the program is over.
    case end
    /// The phase's time limit has passed.
    case phase
  }

  static let timers = Timer.allCases

  func deadline(of timer: Timer) -> Duration? {
    switch timer {
    case .pause: pauses.deadline
    case .notices: notices.nextDeadline
    case .display: display.earliestDeadline
    case .look: program.lookDeadline
    case .headStart: headStart.deadline
    case .end: endDeadline
    case .phase:
      switch phase {
      case .opening(let until), .leaving(_, let until), .closing(let until, _): until
      case .ready, .serving, .stopped, .over: nil
      }
    }
  }

  mutating func handleDeadlines(at now: Duration) {
    for timer in Self.timers where isDue(timer, at: now) {
      switch timer {
      case .pause:
        if pauses.take(at: now), program.isStarted { display.emit(.followDirectory) }
      case .notices: handleNotices(.deadlineReached, at: now)
      case .display: display.handleDeadlines(demand, at: now)
      case .look:
        program.lookDeadline = nil
        display.emit(.lookForProgram)
      case .headStart: if headStart.end(at: now, pause: headStartPause) { display.emit(.begin) }
      case .end: giveUp(at: now)
      // `advance(at:)` compares it after each event.
      case .phase: break
      }
    }
  }

  /// The time at which the program's output will have paused; nil when it prints nothing, or a banner shows.
  private var headStartPause: Duration? { display.canvas.output.isTransparent ? pauses.quietTime : nil }
}
