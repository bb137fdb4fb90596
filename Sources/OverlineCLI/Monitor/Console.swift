internal import Dispatch
internal import Overline
internal import OverlineSystem
internal import Synchronization

/// The monitor's own words, on standard output and standard error, or in the journal where that reads them. A terminal that is
/// stopped, or a pipe that nobody reads, never stops the monitor: lines wait here, and the oldest go when there are too many. A line
/// that comes again and again is written a few times and then counted.
final class Console: Sendable {
  private struct Line {
    var text: String
    var descriptor: Int32
  }

  private struct State {
    var waiting: [Line] = []
    var isWriting = false
    var limit = RepeatLimit()
  }

  /// How grave a line is for the journal (sd-daemon(3)).
  private enum Severity: Int {
    case warning = 4
    case info = 6
  }

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "overline.console")
  private let isInJournal = [Int32(1), 2].map { Journal.reads($0) }
  private let hasColors: Bool

  /// A day's changes on a bad day.
  private static let limit = 200

  /// - Parameter hasColors: whether lines on standard output have colours.
  init(hasColors: Bool = false) { self.hasColors = hasColors }

  /// Prints a line with the time.
  func say(_ text: String) { write(text, .info) }

  /// A line about something that went wrong.
  func complain(_ text: String) { write(text, .warning) }

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

  /// The journal knows by itself what time it is and who speaks.
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
      // Nobody reads any more: nobody is told.
      try? writeAll(Array((line.text + "\n").utf8), to: line.descriptor)
    }
  }

  /// Waits until what there is to say is said, but not for a terminal that is stopped.
  func finish() {
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
