internal import Dispatch
internal import POSIX
internal import Synchronization
internal import Terminal

/// The monitor's own words, on standard output and standard error. A terminal that is stopped, or a pipe that nobody reads, never
/// stops the monitor: lines wait here, and the oldest go when there are too many.
final class Console: Sendable {
  private struct Line {
    var text: String
    var descriptor: Int32
  }

  private struct State {
    var waiting: [Line] = []
    var isWriting = false
  }

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "overline.console")

  /// A day's changes on a bad day.
  private static let limit = 200

  /// A line for whoever looks on.
  func say(_ text: String) { write(Line(text: TerminalText.sanitized(text), descriptor: 1)) }

  /// A line about something that went wrong.
  func complain(_ text: String) { write(Line(text: "overline: \(TerminalText.sanitized(text))", descriptor: 2)) }

  private func write(_ line: Line) {
    let isIdle = state.withLock { state in
      state.waiting.append(line)
      if state.waiting.count > Self.limit { state.waiting.removeFirst() }
      defer { state.isWriting = true }
      return !state.isWriting
    }
    if isIdle { queue.async { self.drain() } }
  }

  private func drain() {
    while let line = next() {
      // Nobody reads any more: nobody is told.
      try? writeAll(Array((line.text + "\n").utf8), to: line.descriptor)
    }
  }

  private func next() -> Line? {
    state.withLock { state in
      state.isWriting = !state.waiting.isEmpty
      return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
    }
  }
}
