internal import Overline
internal import OverlineCore
internal import OverlineProcess
internal import OverlineSystem

/// A question on a terminal without a window: a dialog, or plain lines for screen readers and for terminals that cannot move their cursor or
/// have no room. Then the answer is a line, too.
struct AlertPrompt {
  private let alert: Alert
  private let options: CommonOptions
  private let asker: Int32?
  private let isInLines: Bool

  /// - Parameters:
  ///   - asker: a process whose end dismisses the question.
  ///   - inLines: true to ask in lines, whatever the terminal can do.
  init(_ alert: Alert, _ options: CommonOptions, asker: Int32? = nil, inLines: Bool = false) {
    isInLines = inLines
    self.alert = alert
    self.options = options
    self.asker = asker
  }

  /// Returns the button, or nil on dismissal: by Escape (in lines: by an empty line, by the end of input, or by Escape and Enter) or Ctrl-C. Input
  /// typed before the question appeared is discarded.
  ///
  /// - Parameter refusal: the reason why a window did not show the question.
  func ask(insteadOf refusal: String? = nil) throws -> Int? {
    guard let terminal = OwnTerminal.open() else {
      let place = refusal == nil ? "in a terminal, in tmux, or in a window of \"overline run\"" : "in a terminal"
      throw CommandError(
        (refusal.map { "\($0); " } ?? "") + "there is no terminal to ask on; call this \(place)", status: .noMonitor)
    }
    let capabilities = options.capabilities(isTerminal: true)
    if !isInLines, AlertDialog.fits(terminal, capabilities) {
      return try AlertDialog(alert: alert, asker: asker, capabilities: capabilities).ask(on: terminal)
    }
    return try askInLines(on: terminal)
  }

  private func askInLines(on terminal: borrowing FileDescriptor) throws -> Int? {
    let signals = try TakenSignals([.interrupt, .quit, .terminate, .hangUp])
    let end = try asker.map { pid throws(SystemError) in SharedProcessEnd(try ProcessEnd(of: pid)) }
    let modes = try TerminalAttributes(of: terminal.rawValue)
    // Set line mode, echo and signals, independently of the caller's modes.
    try modes.sane.apply(to: terminal.rawValue)
    defer { try? modes.apply(to: terminal.rawValue) }
    try terminal.writeAll(Array(text.utf8))
    // In a popup over another program the user may still be typing to that program.
    if let end, try !passes(AlertMachine.inputGracePeriod, on: terminal, signals, end) { return nil }
    TerminalAttributes.discardTyped(terminal.rawValue)
    try terminal.writeAll(Array(invitation.utf8))
    return try awaitAnswer(on: terminal, signals, end)
  }

  private var text: String {
    var lines = ["Alert: \(alert.title)"]
    if !alert.message.isEmpty { lines.append(alert.message) }
    for (index, button) in alert.buttons.enumerated() { lines.append("\(index + 1): \(button)") }
    return lines.map { TerminalText.sanitized($0) + "\n" }.joined()
  }

  private var invitation: String {
    let numbers = alert.buttons.count == 1 ? "1" : "1 to \(alert.buttons.count)"
    return "Type \(numbers) and Enter, or only Enter to dismiss: "
  }

  /// Waits for `time`; false if the question ends before.
  private func passes(
    _ time: Duration, on terminal: borrowing FileDescriptor, _ signals: borrowing TakenSignals, _ end: SharedProcessEnd
  ) throws -> Bool {
    let over = BootClock.now + time
    var ready = PollSet(count: 2)
    ready.watch(0, signals.rawValue, reads: true)
    ready.watch(1, end.rawValue, reads: true)
    while case let left = over - BootClock.now, left > .zero {
      ready.wait(for: max(.zero, left))
      if ready.isReady(0) || ready.isReady(1) {
        try? terminal.writeAll([0x0a])
        return false
      }
    }
    return true
  }

  private func awaitAnswer(
    on terminal: borrowing FileDescriptor, _ signals: borrowing TakenSignals, _ end: SharedProcessEnd?
  ) throws -> Int? {
    var ready = PollSet(count: 3)
    var line: [UInt8] = []
    while true {
      ready.watch(0, terminal.rawValue, reads: true)
      ready.watch(1, signals.rawValue, reads: true)
      if let end { ready.watch(2, end.rawValue, reads: true) }
      ready.wait(for: nil)
      let isInterrupted = ready.isReady(1) && signals.next() != nil
      if isInterrupted || ready.isReady(2) {
        try? terminal.writeAll([0x0a])
        return nil
      }
      guard ready.isReady(0) else { continue }
      guard let bytes = try? terminal.read(atMost: 4096), !bytes.isEmpty else { return nil }
      line += bytes
      guard line.last == 0x0a else { continue }
      switch TypedAnswer(String(decoding: line, as: UTF8.self), to: alert) {
      case .button(let button): return button
      case .dismissal: return nil
      case .none:
        try terminal.writeAll(Array("That is not a button's number. \(invitation)".utf8))
        line = []
      }
    }
  }
}

/// A process's end as an optional reference: not every question has an asker.
final class SharedProcessEnd {
  private let end: ProcessEnd
  init(_ end: consuming ProcessEnd) { self.end = end }
  var rawValue: Int32 { end.rawValue }
}
