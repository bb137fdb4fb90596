internal import Overline
internal import OverlineProcess
internal import OverlineSystem

/// A question on a terminal without a window, such as a popup of tmux: the dialog that a window shows, with the same keys, below the cursor.
struct AlertDialog {
  let alert: Alert
  /// The process whose end dismisses the question.
  let asker: Int32?
  let capabilities: TerminalCapabilities

  /// As in a window: a pause after ESC means the key Escape.
  private static let sequencePause = Duration.milliseconds(25)

  /// The size that shows all of it.
  static func size(of alert: Alert) -> WindowSize {
    let box = AlertLayout(frame(of: alert), rows: 40, columns: 200, colors: .truecolor).box
    return WindowSize(rows: box.rows.count, columns: box.columns)
  }

  private static func frame(of alert: Alert) -> AlertFrame { machine(for: alert, at: .zero).frame! }

  private static func machine(for alert: Alert, at now: Duration) -> AlertMachine {
    var machine = AlertMachine()
    _ = machine.handle(.alertPosted(alert, id: AlertID(rawValue: 1)), at: now)
    return machine
  }

  /// False where the cursor does not move, for screen readers, and on a terminal that is too small.
  static func fits(_ terminal: borrowing FileDescriptor, _ capabilities: TerminalCapabilities) -> Bool {
    guard capabilities.movesCursor, let size = WindowSize(of: terminal.rawValue)?.known else { return false }
    return size.rows >= AlertLayout.minimumRows && size.columns >= AlertLayout.minimumColumns
  }

  /// Returns the button, or nil on dismissal: by Escape, by a signal, or by the end of the asker. A line with the question and its answer stays
  /// on the terminal.
  func ask(on terminal: borrowing FileDescriptor) throws -> Int? {
    let signals = try TakenSignals([
      .interrupt, .quit, .terminate, .hangUp, .windowSizeChanged, .terminalStop, .continued,
    ])
    let end = try asker.map { pid throws(SystemError) in SharedProcessEnd(try ProcessEnd(of: pid)) }
    let modes = try TerminalAttributes(of: terminal.rawValue)
    try Self.takeKeys(modes, terminal)
    // The terminal may be gone: that is a dismissal.
    defer { try? modes.apply(to: terminal.rawValue) }
    var lines = DialogLines()
    let answer = try answer(on: terminal, &lines, signals, end, modes)
    try? lines.erase(on: terminal)
    let word = answer.map { alert.buttons[$0] } ?? "(dismissed)"
    try? terminal.writeAll(Array((TerminalText.sanitized("\(alert.title) \(word)") + "\r\n").utf8))
    return answer
  }

  /// Waits while this process is in the background: the SIGCONT that ends the wait needs no further handling.
  private static func takeKeys(_ modes: TerminalAttributes, _ terminal: borrowing FileDescriptor) throws {
    try modes.sane.keywise.apply(to: terminal.rawValue)
    Job.discardContinue()
  }

  private func answer(
    on terminal: borrowing FileDescriptor, _ lines: inout DialogLines, _ signals: borrowing TakenSignals,
    _ end: SharedProcessEnd?, _ modes: TerminalAttributes
  ) throws -> Int? {
    var machine = Self.machine(for: alert, at: BootClock.now)
    var input = InputRewriter()
    var context = InputContext()
    context.isCapturing = true
    var releaseAt: Duration?
    var ready = PollSet(count: 3)
    while let frame = machine.frame {
      let size = WindowSize(of: terminal.rawValue)?.known ?? Self.size(of: alert)
      try lines.draw(
        AlertLayout(
          frame, rows: size.rows, columns: size.columns, colors: capabilities.colors, usesASCII: capabilities.usesASCII
        ).box, columns: size.columns, capabilities.colors, on: terminal)
      ready.watch(0, terminal.rawValue, reads: true)
      ready.watch(1, signals.rawValue, reads: true)
      if let end { ready.watch(2, end.rawValue, reads: true) }
      ready.wait(for: releaseAt.map { max(.zero, $0 - BootClock.now) })
      if ready.isReady(2) { return nil }
      if ready.isReady(1), let signal = signals.next() {
        switch signal {
        case .windowSizeChanged: break
        case .terminalStop:
          try lines.erase(on: terminal)
          try modes.apply(to: terminal.rawValue)
          _ = Job.stop(hasProgram: false)
          try Self.takeKeys(modes, terminal)
        case .continued:
          // After SIGSTOP: the shell has written below the dialog, and has set its own modes.
          lines = DialogLines()
          try Self.takeKeys(modes, terminal)
        default: return nil
        }
      }
      // The dialog captures every key: nothing is left for a program.
      var left: [UInt8] = []
      if ready.isReady(0) {
        guard let bytes = try? terminal.read(atMost: 4096), !bytes.isEmpty else { return nil }
        input.rewrite(bytes, context, into: &left)
        releaseAt = input.isHolding ? BootClock.now + Self.sequencePause : nil
      } else if let due = releaseAt, BootClock.now >= due {
        input.release(into: &left)
        releaseAt = nil
      }
      for case .alertKey(let key) in input.takeOverlayInput() {
        for case .alertAnswered(_, button: let button) in machine.handle(.keyPressed(key), at: BootClock.now) {
          return button
        }
      }
    }
    return nil
  }
}

/// The rows of a dialog below the cursor of a terminal. The cursor stays in the last of them.
///
/// A terminal that becomes narrower may wrap the rows anew. Then the upper part of the old dialog stays: erasing as many rows in a terminal that
/// does not wrap would erase other text.
private struct DialogLines {
  private var count = 0

  /// Goes to the first row, and clears from there.
  private var start: String { "\u{1b}[m\r" + (count > 1 ? "\u{1b}[\(count - 1)A" : "") + "\u{1b}[J" }

  /// Draws the box in place of the last one, in one update of the screen. The first box begins below an unfinished line.
  ///
  /// - Parameter columns: the width of the terminal.
  mutating func draw(
    _ box: OverlayBox, columns: Int, _ colors: ColorDepth, on terminal: borrowing FileDescriptor
  ) throws {
    // As many spaces as columns wrap to the next row, unless the cursor is in the first column.
    let newLine = count == 0 ? "\u{1b}[m" + String(repeating: " ", count: columns) : ""
    var bytes = Array("\u{1b}[?2026h\u{1b}[?25l\(newLine)\(start)".utf8)
    for (index, row) in box.encoded(colors: colors).enumerated() {
      bytes += Array((index > 0 ? "\u{1b}[m\r\n" : "").utf8) + Array("\u{1b}[\(box.column + 1)G".utf8) + row
    }
    count = box.rows.count
    try terminal.writeAll(bytes + Array("\u{1b}[m\u{1b}[?2026l".utf8))
  }

  mutating func erase(on terminal: borrowing FileDescriptor) throws {
    try terminal.writeAll(Array("\(start)\u{1b}[?25h".utf8))
    count = 0
  }
}
