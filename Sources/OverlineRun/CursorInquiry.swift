/// Asks the terminal where its cursor is. The terminal's answer or a timeout ends the inquiry. After a timeout the window asks again only
/// when a late answer has come: the program's output waits during each inquiry, since later output would make the answer outdated.
struct CursorInquiry {
  enum Purpose: Hashable {
    /// To show a banner, or put it back.
    case banner
    /// The terminal has changed its size and moved its content.
    case resize
    /// To lift the banner. If the cursor is not in this row, from 1, the terminal has changed its size, and its signal is still to come.
    case check(row: Int)
  }

  private enum State: Hashable {
    case idle
    /// The terminal's size when the window asked.
    case waiting(Purpose, TerminalSize)
    /// The terminal did not answer.
    case failed
  }

  private var state = State.idle
  private var timeout = Duration.milliseconds(200)
  private(set) var deadline: Duration?

  var isIdle: Bool { state == .idle }
  var hasFailed: Bool { state == .failed }
  var isWaiting: Bool { pending != nil }

  private var pending: (purpose: Purpose, size: TerminalSize)? {
    switch state {
    case .waiting(let purpose, let size): (purpose, size)
    case .idle, .failed: nil
    }
  }

  /// - Parameter limit: a deadline later than the usual timeout; nil for the usual one.
  mutating func begin(_ purpose: Purpose, on size: TerminalSize, at now: Duration, until limit: Duration? = nil) {
    state = .waiting(purpose, size)
    deadline = limit ?? now + timeout
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

  /// A late answer describes a past moment, but shows that the terminal does answer, over a slow line or on a busy machine. The window may
  /// ask again with twice the timeout, up to a length at which the program does not seem to hang.
  mutating func noteLateAnswer() {
    guard hasFailed, timeout < .seconds(1) else { return }
    timeout *= 2
    reset()
  }
}
