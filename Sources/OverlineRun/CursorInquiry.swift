/// Asks the terminal where its cursor is. The terminal's answer or a timeout ends the inquiry. Meanwhile the program's output waits, since it
/// would make the answer outdated. After a failed inquiry for a banner the window asks no more until a late answer, SIGCONT, a settled size,
/// or a drawn or removed overlay: each inquiry without an answer delays the output.
struct CursorInquiry {
  enum Purpose: Hashable {
    /// To show a banner, or put it back.
    case banner
    /// The terminal has changed its size and moved its content.
    case resize
    /// Before output that may scroll. If the cursor is not in this row, from 1, the terminal may have a new size, and SIGWINCH will follow.
    case check(row: Int)
    /// After output that scrolled in place. If the cursor is above this row, from 1, the terminal had lost rows before it scrolled.
    case checkAfter(row: Int)
  }

  private enum State: Hashable {
    case idle
    /// The terminal's size when the window asked.
    case waiting(Purpose, TerminalSize)
    /// The terminal did not report its cursor.
    case failed
  }

  /// For the place after a new size, in a terminal that has answered before. It is busy with that size, and reads no output either. Without its
  /// answer the window would paint over rows that the terminal has moved. A longer wait would look like a hang.
  private static let resizeTimeout = Duration.milliseconds(1600)

  private var state = State.idle
  private var timeout = Duration.milliseconds(200)
  private(set) var deadline: Duration?
  /// Whether the terminal has ever answered.
  private(set) var hasAnswered = false

  var isIdle: Bool { state == .idle }
  var hasFailed: Bool { state == .failed }
  var isWaiting: Bool { pending != nil }

  private var pending: (purpose: Purpose, size: TerminalSize)? {
    switch state {
    case .waiting(let purpose, let size): (purpose, size)
    case .idle, .failed: nil
    }
  }

  /// - Parameters:
  ///   - isAfterResize: whether the terminal may have moved the rows below a banner.
  ///   - limit: a deadline later than the usual timeout; nil for the usual one.
  mutating func begin(
    _ purpose: Purpose, on size: TerminalSize, isAfterResize: Bool, at now: Duration, until limit: Duration? = nil
  ) {
    state = .waiting(purpose, size)
    deadline = limit ?? now + (isAfterResize && hasAnswered ? Self.resizeTimeout : timeout)
  }

  /// Ends the inquiry. Returns its purpose and the terminal's size when the window asked; nil when no answer was awaited.
  mutating func end() -> (purpose: Purpose, size: TerminalSize)? {
    defer { reset() }
    return pending
  }

  mutating func fail() {
    state = .failed
    deadline = nil
  }

  mutating func reset() {
    state = .idle
    deadline = nil
  }

  /// Notes an answer. A late one describes a past moment, but shows that the terminal does answer, over a slow line or on a busy machine:
  /// the window may ask again. Each late answer doubles the timeout, up to 1.6 s: a longer wait would look like a hang.
  mutating func noteAnswer() {
    hasAnswered = true
    guard hasFailed, timeout < .seconds(1) else { return }
    timeout *= 2
    reset()
  }
}
