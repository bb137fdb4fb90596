/// A question to the terminal where its cursor is. The terminal's answer or a timeout ends the inquiry. Meanwhile the program's output waits, since it
/// would make the answer outdated. After a failed inquiry for a banner the window asks no more until a late answer, SIGCONT, a settled size,
/// or a drawn or removed overlay: each inquiry without an answer delays the output. If no answer comes in time, the window finds the place
/// without one.
struct CursorInquiry {
  enum Purpose: Equatable {
    /// Before the first output of a program, if it moves before it prints.
    case start
    /// To show a banner, or put it back.
    case banner
    /// The terminal has changed its size and moved its content.
    case resize
    /// Before output that may scroll. If the cursor is not in this row, from 1, the terminal may have a new size, and SIGWINCH will follow.
    case check(row: Int)
    /// Before rows are painted at fixed places in a terminal that signals its size late.
    case paint(row: Int)
    /// Before a lifted banner is put back. The same as before output.
    case lower(row: Int, isFlood: Bool)
    /// After output that scrolled in place. If the cursor is above this row, from 1, the terminal had lost rows before it scrolled.
    case checkAfter(row: Int)
  }

  private enum State: Equatable {
    case idle
    /// The terminal's size when the window asked.
    case waiting(Purpose, TerminalSize)
    /// The terminal did not report its cursor. A late answer may still come until the deadline.
    case failed
    /// No late answer came either.
    case silent
  }

  /// The longest wait for the place of a banner, with all questions; and for any other answer of a terminal that has answered before. That
  /// terminal is busy, with its size perhaps, and shows no output either. A longer wait would look like a hang.
  private static let patience = Duration.milliseconds(1600)
  /// The longest wait for an answer when the window ends, in a terminal that has never answered, since the question.
  private static let endPatience = Duration.seconds(1)
  /// The shortest such wait. The terminal may have been asked to answer just now, and not for the first time.
  private static let minimumEndPatience = Duration.milliseconds(200)

  private var state = State.idle
  private var timeout = Duration.milliseconds(200)
  private(set) var deadline: Duration?
  /// The time at which the window finds the place of a banner without an answer; nil if it does not need that place.
  private var bannerDeadline: Duration?
  /// Whether the terminal has ever answered.
  private(set) var hasAnswered = false
  private(set) var lastQuestion: Duration?

  var isIdle: Bool { state == .idle }
  var hasFailed: Bool { state == .failed || state == .silent }
  /// Whether the window must find the cursor's place without an answer.
  var isSilent: Bool { state == .silent }
  var isWaiting: Bool { pending != nil }

  private var pending: (purpose: Purpose, size: TerminalSize)? {
    switch state {
    case .waiting(let purpose, let size): (purpose, size)
    case .idle, .failed, .silent: nil
    }
  }

  /// - Parameters:
  ///   - isBannerMoved: whether the terminal may have moved the banner and the rows below it.
  ///   - limit: a deadline later than the usual timeout; nil for the usual one.
  mutating func begin(
    _ purpose: Purpose, on size: TerminalSize, isBannerMoved: Bool, at now: Duration, until limit: Duration? = nil
  ) {
    state = .waiting(purpose, size)
    lastQuestion = now
    let isPatient = hasAnswered && (purpose != .banner || isBannerMoved)
    var end = limit ?? now + (isPatient ? Self.patience : timeout)
    if purpose == .banner {
      let last = bannerDeadline ?? limit ?? now + Self.patience
      bannerDeadline = last
      end = min(end, last)
    }
    deadline = end
  }

  /// Ends the inquiry. Returns its purpose and the terminal's size when the window asked; nil when no answer was awaited.
  mutating func end() -> (purpose: Purpose, size: TerminalSize)? {
    defer { (state, deadline) = (.idle, nil) }
    return pending
  }

  /// Notes that the terminal did not report its cursor, or at the deadline that no late answer came.
  mutating func fail(at now: Duration) {
    deadline = bannerDeadline.flatMap { $0 > now ? $0 : nil }
    state = deadline == nil ? .silent : .failed
  }

  mutating func reset() {
    state = .idle
    deadline = nil
    bannerDeadline = nil
  }

  /// The time at which the window no longer waits for answers when it ends; nil for a terminal that has answered, or was never asked.
  func endOfAnswers(at now: Duration) -> Duration? {
    guard !hasAnswered, let lastQuestion else { return nil }
    return max(lastQuestion + Self.endPatience, now + Self.minimumEndPatience)
  }

  /// Notes an answer to the last question. A late one describes a past moment, but shows that the terminal does answer, over a slow line or
  /// on a busy machine: the window may ask again. Each late answer doubles the timeout, up to 1.6 s: a longer wait would look like a hang.
  ///
  /// - Parameter time: the time since the question.
  /// - Returns: whether it was late, and a longer wait would have been enough.
  mutating func noteAnswer(after time: Duration) -> Bool {
    hasAnswered = true
    let isLate = time > timeout
    if timeout < .seconds(1), hasFailed || isLate {
      timeout *= 2
      if hasFailed { (state, deadline) = (.idle, nil) }
    }
    return isLate && time <= Self.patience
  }
}
