internal import Dispatch
internal import Overline
internal import OverlineSystem

/// Plays a script on the alternate screen, with the real machines, frames and colours but without a network.
///
/// All state is accessed on `queue` only, which makes this class Sendable.
final class Demo: @unchecked Sendable {
  /// Longer than the last hide delay and its fade.
  private static let rest = Duration.milliseconds(1200)

  private let queue = DispatchQueue(label: "overline.demo")
  private let capabilities: TerminalCapabilities
  private var overlays: OverlayModel
  private var size: WindowSize
  private var pending: ArraySlice<DemoScript.Step>
  private var lines = ["$ make test", "swift build --build-tests"]
  private var began = Duration.zero
  private var endAt: Duration?
  private var timer: DeadlineTimer?
  private var signals: [SignalSource] = []
  /// True from Ctrl-Z until the demo is in the foreground again. Meanwhile the screen belongs to the shell.
  private var isSuspended = false

  /// The alternate screen, its cursor hidden: leaving restores the old content.
  private static let entering = "\u{1b}[?1049h\u{1b}[?25l"
  private static let leaving = "\u{1b}[0m\u{1b}[?25h\u{1b}[?1049l"

  init(
    _ script: DemoScript, settings: BannerSettings, toasts: ToastSettings, size: WindowSize,
    capabilities: TerminalCapabilities
  ) {
    self.size = size
    self.capabilities = capabilities
    let window = WindowTraits(
      rows: size.rows, columns: size.columns, colors: capabilities.colors, reducesMotion: capabilities.isAccessible)
    overlays = OverlayModel(banner: settings, toasts: toasts, window: window)
    pending = script.steps[...]
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
      began = BootClock.now
      write(Self.entering)
      drawContent()
      advance()
    }
    withExtendedLifetime(self) { dispatchMain() }
  }

  private func advance() {
    let now = BootClock.now
    if let endAt, now >= endAt { leave(0) }
    while let next = pending.first, began + next.at <= now {
      pending = pending.dropFirst()
      if !next.line.isEmpty {
        lines.append(next.line)
        drawContent()
      }
      handle(next.event, at: now)
      if pending.isEmpty { endAt = now + overlays.banner.settings.hideDelay + Self.rest }
    }
    handle(.deadlineReached, at: now)
    let deadlines = [overlays.nextDeadline, pending.first.map { began + $0.at }, endAt]
    timer?.arm(deadlines.compactMap { $0 }.min())
  }

  private func handle(_ event: OverlayEvent, at now: Duration) {
    let (before, inset) = (overlays.presentation, overlays.inset)
    _ = overlays.handle(event, at: now)
    let new = overlays.presentation
    // Content takes the place of a dismissed banner.
    if inset != overlays.inset || new.alert != before.alert || new.toast != before.toast { drawContent() }
    if let banner = new.banner, banner != before.banner { draw(banner) }
  }

  private func draw(_ frame: BannerFrame) {
    let banner = BannerRows(
      frame, columns: size.columns, colors: capabilities.colors, usesASCII: capabilities.usesASCII)
    // Do not save the cursor (DECSC): libvterm, as in Neovim and Emacs, would forget where the shell's cursor was (mode 1049).
    write(Array("\u{1b}[?2026h".utf8) + InlineRows.place(banner.rows, from: 1) + Array("\u{1b}[?2026l".utf8))
  }

  /// Draws the window's content below the inset, and the boxes over it.
  private func drawContent() {
    var text = "\u{1b}[?2026h"
    let top = overlays.inset.top
    // If there are more lines than rows, only the newest.
    let visible = lines.suffix(max(0, size.rows - top))
    for row in top..<size.rows {
      let index = visible.startIndex + row - top
      let line = index < visible.endIndex ? visible[index] : ""
      text += "\u{1b}[\(row + 1);1H\u{1b}[0m\(TerminalText.truncated(line, toColumns: size.columns - 1))\u{1b}[K"
    }
    var bytes = Array(text.utf8)
    for box in boxes(rows: size.rows - top) {
      for (index, row) in box.encoded(colors: capabilities.colors).enumerated() {
        bytes += Array("\u{1b}[\(top + box.row + index + 1);\(box.column + 1)H".utf8) + row
      }
    }
    write(bytes + Array("\u{1b}[?2026l".utf8))
  }

  private func boxes(rows: Int) -> [OverlayBox] {
    let alert = overlays.presentation.alert.map {
      AlertLayout(
        $0, rows: rows, columns: size.columns, colors: capabilities.colors, usesASCII: capabilities.usesASCII
      ).box
    }
    let toast = overlays.presentation.toast.flatMap { frame in
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
    handle(.windowResized(rows: new.rows, columns: new.columns), at: BootClock.now)
    drawContent()
    advance()
    // The machine does not redraw an unchanged frame.
    if let banner = overlays.presentation.banner { draw(banner) }
  }

  /// Restores the shell's screen, and stops this process. Writes and stops run on one queue, so that nothing is drawn in between.
  private func suspend() {
    write(Self.leaving)
    isSuspended = true
    Job.stopItself()
    resume()
  }

  /// Draws everything again, since the content of the alternate screen is lost. In the background the demo continues without drawing.
  private func resume() {
    guard isSuspended, OwnTerminal.isForeground(1) else { return }
    isSuspended = false
    write(Self.entering)
    resize()
  }

  private func leave(_ status: Int32) -> Never {
    write(Self.leaving)
    exitProcess(status)
  }

  private func write(_ text: String) { write(Array(text.utf8)) }

  private func write(_ bytes: [UInt8]) {
    if isSuspended { return }
    do { try writeAll(bytes, to: 1) } catch { exitProcess(ExitStatus.failure.rawValue) }
  }

  /// The same script as text, for an output that is not a terminal or cannot move its cursor.
  static func tellInWords(_ script: DemoScript, settings: BannerSettings) throws {
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
      case .toast, .alert, .windowResized, .deadlineReached: break
      }
    }
  }
}
