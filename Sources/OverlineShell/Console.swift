internal import Dispatch
internal import Overline
internal import OverlineCore
internal import OverlineProcess
internal import OverlineSystem
internal import Synchronization

/// Prints the monitor's messages on standard output and standard error, in the journal's form if the journal reads them. A stopped terminal
/// or an unread pipe never stops the monitor: lines wait here, and when there are too many, the oldest are dropped. A repeated line is
/// written a few times, and after that only counted.
package final class Console: Sendable {
  private struct Line {
    var text: String
    var descriptor: Int32
  }

  private struct State {
    var waiting: [Line] = []
    var isWriting = false
    var limit = RepeatLimit()
  }

  /// A line's severity for the journal (sd-daemon(3)).
  private enum Severity: Int {
    case warning = 4
    case info = 6
  }

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "overline.console")
  private let isInJournal = [Int32(1), 2].map { Journal.reads($0) }
  private let hasColors: Bool

  /// The number of waiting lines: the changes of a bad day.
  private static let limit = 200

  /// - Parameter hasColors: whether lines on standard output have colours.
  package init(hasColors: Bool = false) { self.hasColors = hasColors }

  /// Prints a line with the time.
  package func say(_ text: String) { write(text, .info) }

  /// Prints a warning.
  package func warn(_ text: String) { write(text, .warning) }

  private func write(_ text: String, _ severity: Severity) {
    let isIdle = state.withLock { state in
      guard let text = state.limit.admit(TerminalText.sanitized(text), at: BootClock.now) else { return false }
      state.waiting.append(line(text, severity))
      if state.waiting.count > Self.limit { state.waiting.removeFirst() }
      defer { state.isWriting = true }
      return !state.isWriting
    }
    if isIdle { queue.async { self.drain() } }
  }

  /// The journal itself adds the time and the program's name.
  private func line(_ text: String, _ severity: Severity) -> Line {
    let descriptor: Int32 = severity == .info ? 1 : 2
    if isInJournal[Int(descriptor) - 1] { return Line(text: "<\(severity.rawValue)>\(text)", descriptor: descriptor) }
    switch severity {
    case .info:
      let line = LogLine(time: WallTime.now.timeOfDay, text: text)
      return Line(text: hasColors ? line.colored : line.plain, descriptor: descriptor)
    case .warning: return Line(text: "overline: \(text)", descriptor: descriptor)
    }
  }

  private func drain() {
    while let line = next() {
      // Without a reader the line is lost.
      try? writeAll(Array((line.text + "\n").utf8), to: line.descriptor)
    }
  }

  /// Waits until all lines are written, but at most a second: the terminal may be stopped.
  package func finish() {
    let group = DispatchGroup()
    queue.async(group: group) { self.drain() }
    _ = group.wait(timeout: .now() + .seconds(1))
  }

  private func next() -> Line? {
    state.withLock { state in
      state.isWriting = !state.waiting.isEmpty
      return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
    }
  }
}
