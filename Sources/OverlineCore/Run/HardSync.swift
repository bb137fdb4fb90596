/// Decides when a program that missed a change of its size must lay itself out again: its terminal becomes one row lower for a moment, then gets its
/// size back. The program receives two signals.
struct HardSync {
  private enum State: Equatable {
    case idle
    /// The size has changed. A full-screen program that prints nothing until this time has missed the change.
    case expectingOutput(until: Duration)
    /// The program's terminal is one row lower.
    case lower(until: Duration)
  }

  private static let drawTimeout = Duration.milliseconds(300)
  /// How long the terminal stays lower. A program reads its size a moment after the signal, and must not find the old size by then.
  private static let step = Duration.milliseconds(50)

  private var state = State.idle

  var deadline: Duration? {
    switch state {
    case .idle: nil
    case .expectingOutput(let until), .lower(let until): until
    }
  }

  /// The rows that are missing from the program's terminal.
  var rows: Int { if case .lower = state { 1 } else { 0 } }

  /// Call this after the program's terminal was resized.
  mutating func expectOutput(at now: Duration) { state = .expectingOutput(until: now + Self.drawTimeout) }

  mutating func noteOutput() { if case .expectingOutput = state { state = .idle } }

  mutating func begin(at now: Duration) { state = .lower(until: now + Self.step) }

  /// Performs the step that is due.
  ///
  /// - Returns: whether the program's size has to be set.
  mutating func advance(at now: Duration) -> Bool {
    switch state {
    case .expectingOutput(let until) where until <= now: begin(at: now)
    case .lower(let until) where until <= now: state = .idle
    case .idle, .expectingOutput, .lower: return false
    }
    return true
  }
}
