internal import Dispatch
internal import Overline
internal import OverlineSystem

/// A script on the alternate screen: the real machines, the real frames and the real colours, on a network that does not exist.
///
/// All state is accessed on `queue` only, which makes this class Sendable.
final class Demo: @unchecked Sendable {
  /// Longer than the last hide delay and its fade.
  private static let rest = Duration.milliseconds(1200)

  private let queue = DispatchQueue(label: "overline.demo")
  private let capabilities: TerminalCapabilities
  private var machine: BannerMachine
  private var toasts: ToastMachine
  private var alerts = AlertMachine()
  private var size: WindowSize
  private var pending: ArraySlice<DemoScript.Step>
  private var lines = ["$ make test", "swift build --build-tests"]
  private var began = Duration.zero
  private var endAt: Duration?
  private var timer: DeadlineTimer?
  private var signals: [SignalSource] = []
  private var continuation: ReadSource?
  /// The tenure of `TerminalGuard` in which the alternate screen was entered.
  private var foregroundGeneration: Int32?

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
    machine = BannerMachine(settings: settings, window: window)
    self.toasts = ToastMachine(settings: toasts, window: window)
    pending = script.steps[...]
  }

  /// Plays to the end, which ends the process.
  func play() throws -> Never {
    try queue.sync {
      timer = try DeadlineTimer(queue: queue) { [unowned self] in advance() }
      for signal in [Signal.interrupt, .terminate, .hangUp, .quit] {
        signals.append(try SignalSource(signal, queue: queue) { [unowned self] in leave(130) })
      }
      signals.append(try SignalSource(.windowSizeChanged, queue: queue) { [unowned self] in resize() })
      // Ctrl-Z keeps its default action.
      TerminalGuard.add(1, repairedBy: Array(Self.leaving.utf8))
      continuation = try TerminalGuard.events(on: queue) { [unowned self] in resume() }
      began = BootClock.now
      foregroundGeneration = TerminalGuard.foregroundGeneration
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
      if pending.isEmpty { endAt = now + machine.settings.hideDelay + Self.rest }
    }
    handle(.banner(.deadlineReached), at: now)
    handle(.toast(.deadlineReached), at: now)
    let deadlines = [machine.nextDeadline, toasts.nextDeadline, pending.first.map { began + $0.at }, endAt]
    timer?.arm(deadlines.compactMap { $0 }.min())
  }

  private func handle(_ event: DemoScript.Event, at now: Duration) {
    switch event {
    case .banner(let event): handle(event, at: now)
    case .toast(let event): if !toasts.handle(event, at: now).isEmpty { drawContent() }
    case .alert(let event): if !alerts.handle(event, at: now).isEmpty { drawContent() }
    }
  }

  private func handle(_ event: BannerEvent, at now: Duration) {
    for effect in machine.handle(event, at: now) {
      switch effect {
      case .setInset: drawContent()
      case .draw(let frame): draw(frame)
      // Content takes the banner's place.
      case .clear, .publish: break
      }
    }
  }

  private func draw(_ frame: BannerFrame) {
    let banner = BannerRows(
      frame, columns: size.columns, colors: capabilities.colors, usesASCII: capabilities.usesASCII)
    write(
      Array("\u{1b}[?2026h".utf8) + InlineRows.paint(banner.rows, from: 1) + Array("\u{1b}[?2026l".utf8))
  }

  /// Draws the window's content below the inset, and the boxes over it.
  private func drawContent() {
    var text = "\u{1b}[?2026h"
    let top = machine.inset.top
    // The newest lines, if there are more lines than rows.
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
    let alert = alerts.frame.map {
      AlertLayout(
        $0, rows: rows, columns: size.columns, colors: capabilities.colors, usesASCII: capabilities.usesASCII
      ).box
    }
    let toast = toasts.frame.flatMap { frame in
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
    handle(.banner(.windowResized(rows: new.rows, columns: new.columns)), at: BootClock.now)
    handle(.toast(.windowResized(rows: new.rows, columns: new.columns)), at: BootClock.now)
    drawContent()
    advance()
    // The machine does not redraw an unchanged frame.
    if let frame = machine.frame { draw(frame) }
  }

  /// Continues after Ctrl-Z: the content of the alternate screen is lost.
  private func resume() {
    foregroundGeneration = TerminalGuard.foregroundGeneration
    write(Self.entering)
    resize()
  }

  private func leave(_ status: Int32) -> Never {
    write(Self.leaving)
    exitProcess(status)
  }

  private func write(_ text: String) { write(Array(text.utf8)) }

  private func write(_ bytes: [UInt8]) {
    // From Ctrl-Z until the demo knows that it continues, the screen belongs to the shell.
    guard let foregroundGeneration, foregroundGeneration == TerminalGuard.foregroundGeneration else { return }
    do { try writeAll(bytes, to: 1) } catch { exitProcess(ExitStatus.failure.rawValue) }
  }

  /// The same script as text, where the output is no terminal or cannot move its cursor.
  static func tellInWords(_ script: DemoScript, settings: BannerSettings) throws {
    var machine = BannerMachine(settings: settings, window: WindowTraits(maximumFrames: 1))
    var last = ""
    func say(_ line: String) throws {
      if !line.isEmpty, line != last { try Output.line(line) }
      last = line
    }
    for (index, step) in script.steps.enumerated() {
      try say(step.line)
      switch step.event {
      case .banner(let event):
        var now = step.at
        var effects = machine.handle(event, at: now)
        while let deadline = machine.nextDeadline, deadline > now {
          now = deadline
          effects += machine.handle(.deadlineReached, at: now)
        }
        for case .publish(let status) in effects {
          if let banner = status.banner { try say(BannerText(banner).line) }
        }
      case .toast(.toastPosted(let content, id: _)):
        // Of consecutive toasts with the same key, only the last: they change too fast to be read aloud.
        if case .toast(.toastPosted(let next, id: _))? = script.steps.dropFirst(index + 1).first?.event,
          content.key != nil, next.key == content.key
        {
          break
        }
        try say(content.announcement)
      case .alert(.alertPosted(let alert, id: _)): try say(alert.announcement)
      case .toast, .alert: break
      }
    }
  }
}
