internal import Dispatch
internal import Overline
internal import OverlineCore
internal import OverlineProcess
internal import OverlineSystem

/// Plays a script on the alternate screen, with the real machines, frames and colours but without a network.
///
/// All state is accessed on `queue` only, which makes this class Sendable.
final class Demo: @unchecked Sendable {
  private let queue = DispatchQueue(label: "overline.demo")
  private let capabilities: TerminalCapabilities
  private var machine: DemoMachine
  private var size: WindowSize
  /// What was drawn last.
  private var drawn: (presentation: Presentation, inset: TerminalInsets, lines: [String], isPaused: Bool)?
  private var timer: DeadlineTimer?
  private var signals: [SignalSource] = []
  private var keys: DemoKeys?
  /// True from Ctrl-Z until the demo is in the foreground again. Meanwhile the screen belongs to the shell.
  private var isSuspended = false

  /// The alternate screen, its cursor hidden: leaving restores the old content.
  private static let entering = "\u{1b}[?1049h\u{1b}[?25l"
  private static let leaving = "\u{1b}[0m\u{1b}[?25h\u{1b}[?1049l"
  /// A lower window has no row for the keys.
  private static let minimumRowsForKeys = 8

  init(
    _ script: DemoScript, settings: BannerSettings, toasts: ToastSettings, size: WindowSize,
    capabilities: TerminalCapabilities
  ) {
    self.size = size
    self.capabilities = capabilities
    machine = DemoMachine(
      script, settings: settings, toasts: toasts, window: Self.traits(size, capabilities), at: BootClock.now)
  }

  private static func traits(_ size: WindowSize, _ capabilities: TerminalCapabilities) -> WindowTraits {
    WindowTraits(
      rows: size.rows, columns: size.columns, colors: capabilities.colors, reducesMotion: capabilities.isAccessible)
  }

  /// Plays to the end, then ends the process.
  func play() throws -> Never {
    try queue.sync {
      timer = try DeadlineTimer(queue: queue) { [unowned self] in advance() }
      for signal in [Signal.interrupt, .terminate, .hangUp, .quit] {
        signals.append(try SignalSource(signal, queue: queue) { [unowned self] in leave(130) })
      }
      signals.append(try SignalSource(.windowSizeChanged, queue: queue) { [unowned self] in resize() })
      signals.append(try SignalSource(.terminalStop, queue: queue) { [unowned self] in suspend() })
      signals.append(try SignalSource(.continued, queue: queue) { [unowned self] in resume() })
      enter()
      advance()
    }
    withExtendedLifetime(self) { dispatchMain() }
  }

  private func enter() {
    keys = DemoKeys(queue: queue) { [unowned self] key in press(key) }
    write(Self.entering)
  }

  private func advance() {
    machine.advance(at: BootClock.now)
    if machine.isFinished { leave(0) }
    show()
    timer?.arm(machine.nextDeadline)
  }

  private func press(_ key: DemoKey) {
    switch key {
    case .quit: leave(0)
    case .machine(let key):
      machine.handle(key, at: BootClock.now)
      advance()
    }
  }

  /// Draws what has changed.
  private func show() {
    let overlays = machine.overlays
    let new = overlays.presentation
    let old = drawn
    drawn = (new, overlays.inset, machine.lines, machine.isPaused)
    // Content takes the place of a dismissed banner.
    let hasNewContent =
      old == nil || old!.lines != machine.lines || old!.isPaused != machine.isPaused
      || old!.presentation.alert != new.alert || old!.presentation.toast != new.toast
      || old!.inset != overlays.inset
    if hasNewContent { drawContent() }
    if let banner = new.banner, banner != old?.presentation.banner { draw(banner) }
  }

  private func draw(_ frame: BannerFrame) {
    let banner = BannerRows(
      frame, columns: size.columns, colors: capabilities.colors, usesASCII: capabilities.usesASCII)
    // Do not save the cursor (DECSC): libvterm, as in Neovim and Emacs, would forget where the shell's cursor was (mode 1049).
    write(Array("\u{1b}[?2026h".utf8) + InlineRows.place(banner.rows, from: 1) + Array("\u{1b}[?2026l".utf8))
  }

  /// Draws the window's content below the inset, the keys in the last row, and the boxes over it.
  private func drawContent() {
    var text = "\u{1b}[?2026h"
    let top = machine.overlays.inset.top
    let bottom = size.rows - (size.rows < Self.minimumRowsForKeys ? 0 : 1)
    // The newest lines.
    let visible = machine.lines.suffix(max(0, bottom - top))
    for row in top..<max(top, bottom) {
      let index = visible.startIndex + row - top
      let line = index < visible.endIndex ? visible[index] : ""
      let style = TextStyle(attributes: line.hasPrefix("#") ? .bold : []).controlSequence(colors: capabilities.colors)
      text +=
        "\u{1b}[\(row + 1);1H\(style)\(TerminalText.truncated(line, toColumns: size.columns - 1))\u{1b}[0m\u{1b}[K"
    }
    if bottom < size.rows {
      text +=
        "\u{1b}[\(size.rows);1H\u{1b}[7m\(TerminalText.truncated(keyLine, toColumns: size.columns - 1))\u{1b}[K\u{1b}[0m"
    }
    var bytes = Array(text.utf8)
    for box in boxes(rows: bottom - top) {
      for (index, row) in box.encoded(colors: capabilities.colors).enumerated() {
        bytes += Array("\u{1b}[\(top + box.row + index + 1);\(box.column + 1)H".utf8) + row
      }
    }
    write(bytes + Array("\u{1b}[?2026l".utf8))
  }

  private var keyLine: String {
    let arrows = capabilities.usesASCII ? "left right" : "← →"
    return " overline demo   space \(machine.isPaused ? "goes on" : "pauses")   \(arrows) step   q quits "
  }

  private func boxes(rows: Int) -> [OverlayBox] {
    let presentation = machine.overlays.presentation
    let alert = presentation.alert.map {
      AlertLayout(
        $0, rows: rows, columns: size.columns, colors: capabilities.colors, usesASCII: capabilities.usesASCII
      ).box
    }
    let toast = presentation.toast.flatMap { frame in
      ToastLayout(
        frame, rows: rows, columns: size.columns, colors: capabilities.colors, usesASCII: capabilities.usesASCII)?
        .box(frame, rows: rows, columns: size.columns)
    }
    return [alert, toast].compactMap { $0 }
  }

  private func resize() {
    guard let new = WindowSize(of: 1)?.known else { return }
    size = new
    write("\u{1b}[2J")
    machine.resize(Self.traits(new, capabilities))
    drawn = nil
    advance()
  }

  /// Restores the shell's screen, and stops this process. Writes and stops run on one queue, so that nothing is drawn in between.
  private func suspend() {
    write(Self.leaving)
    keys = nil
    isSuspended = true
    Job.stopItself()
    resume()
  }

  /// Draws everything again, since the content of the alternate screen is lost. In the background the demo continues without drawing.
  private func resume() {
    guard isSuspended, OwnTerminal.isForeground(1) else { return }
    isSuspended = false
    enter()
    resize()
  }

  private func leave(_ status: Int32) -> Never {
    write(Self.leaving)
    keys = nil
    exitProcess(status)
  }

  private func write(_ text: String) { write(Array(text.utf8)) }

  private func write(_ bytes: [UInt8]) {
    if isSuspended { return }
    do { try writeAll(bytes, to: 1) } catch { exitProcess(ExitStatus.failure.rawValue) }
  }

  /// The same script as text, for an output that is not a terminal or cannot move its cursor.
  static func printInWords(_ script: DemoScript, settings: BannerSettings) throws {
    var machine = BannerMachine(settings: settings, window: WindowTraits(maximumFrames: 1))
    var last = ""
    func say(_ line: String) throws {
      if !line.isEmpty, line != last { try Output.line(line) }
      last = line
    }
    func sayBanner() throws {
      if let banner = machine.status.banner { try say(BannerText(banner).line) }
    }
    for (index, step) in script.steps.enumerated() {
      try say(step.line)
      switch step.event {
      case .banner(let event):
        var now = step.at
        machine.handle(event, at: now)
        try sayBanner()
        while let deadline = machine.nextDeadline, deadline > now {
          now = deadline
          machine.handle(.deadlineReached, at: now)
          try sayBanner()
        }
      case .toast(.toastPosted(let content, id: _)):
        // Print only the last of consecutive toasts with the same key: they change too fast for a screen reader.
        if case .toast(.toastPosted(let next, id: _))? = script.steps.dropFirst(index + 1).first?.event,
          content.key != nil, next.key == content.key
        {
          break
        }
        try say(content.announcement)
      case .alert(.alertPosted(let alert, id: _)): try say(alert.announcement)
      case .toast, .alert, .windowResized, .quietChanged, .deadlineReached: break
      }
    }
  }
}
