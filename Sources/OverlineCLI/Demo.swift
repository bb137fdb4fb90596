internal import Banner
internal import Dispatch
internal import POSIX
internal import Terminal

/// An outage on the alternate screen: the real machine, the real frames and the real colours, on a network that exists only in a
/// script.
///
/// All state is touched on `queue` only: that is what makes this class Sendable.
final class Demo: @unchecked Sendable {
  /// What happens, and when, from the start.
  private static let script: [(at: Duration, event: BannerEvent, line: String)] = [
    (
      .seconds(1), .networkLost(cause: "eth0 has no carrier"),
      "# the cable is pulled: your work moves down, nothing is covered"
    ),
    (.seconds(5), .networkRestored, "# the cable is back"),
    (.milliseconds(6200), .networkLost(cause: "eth0 has no carrier"), "# gone again: no empty screen in between"),
    (.milliseconds(8200), .networkRestored, "# back for good: the row is given back in two seconds"),
  ]
  /// Longer than the last hide delay and its fade.
  private static let rest = Duration.milliseconds(1200)

  private let queue = DispatchQueue(label: "overline.demo")
  private let capabilities: TerminalCapabilities
  private var machine: BannerMachine
  private var size: TerminalSize
  private var pending: ArraySlice<(at: Duration, event: BannerEvent, line: String)>
  private var lines = ["$ make test", "swift build --build-tests"]
  private var began = Duration.zero
  private var endAt: Duration?
  private var timer: DeadlineTimer?
  private var signals: [SignalSource] = []

  init(settings: BannerSettings, size: TerminalSize, capabilities: TerminalCapabilities) {
    self.size = size
    self.capabilities = capabilities
    machine = BannerMachine(
      settings: settings,
      window: WindowTraits(
        rows: size.rows, columns: size.columns, colors: capabilities.colors, reducesMotion: capabilities.isAccessible))
    // A configured delay must not cut the script short.
    let stretch = settings.graceDelay + settings.hideDelay - .milliseconds(2250)
    pending = Self.script.map { ($0.at + (stretch > .zero ? stretch : .zero), $0.event, $0.line) }[...]
  }

  /// Plays to the end, which ends the process.
  func play() throws -> Never {
    try queue.sync {
      timer = try DeadlineTimer(queue: queue) { [unowned self] in advance() }
      for signal in [Signal.interrupt, .terminate, .hangUp, .quit] {
        signals.append(try SignalSource(signal, queue: queue) { [unowned self] in leave(130) })
      }
      signals.append(try SignalSource(.windowSizeChanged, queue: queue) { [unowned self] in resize() })
      began = BootClock.now
      // The alternate screen, its cursor hidden: what was on the screen comes back untouched.
      write("\u{1b}[?1049h\u{1b}[?25l")
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
      lines.append(next.line)
      drawContent()
      handle(next.event, at: now)
      if pending.isEmpty { endAt = now + machine.settings.hideDelay + Self.rest }
    }
    handle(.deadlineReached, at: now)
    timer?.arm([machine.nextDeadline, pending.first.map { began + $0.at }, endAt].compactMap { $0 }.min())
  }

  private func handle(_ event: BannerEvent, at now: Duration) {
    let painter = BannerPainter(
      columns: size.columns, colors: capabilities.colors, usesASCII: capabilities.usesASCII)
    for effect in machine.handle(event, at: now) {
      switch effect {
      case .setInset: drawContent()
      case .draw(let frame): write(painter.paint(frame))
      case .clear: write(painter.erase(rows: machine.inset.top))
      case .publish: break
      }
    }
  }

  /// The window's content, below the inset.
  private func drawContent() {
    var text = "\u{1b}[?2026h"
    let top = machine.inset.top
    for row in top..<size.rows {
      let line = row - top < lines.count ? lines[row - top] : ""
      text += "\u{1b}[\(row + 1);1H\u{1b}[0m\(TerminalText.truncated(line, toColumns: size.columns - 1))\u{1b}[K"
    }
    write(text + "\u{1b}[?2026l")
  }

  private func resize() {
    guard let new = TerminalSize(of: 1) else { return }
    size = new
    write("\u{1b}[2J")
    handle(.windowResized(rows: new.rows, columns: new.columns), at: BootClock.now)
    drawContent()
    advance()
  }

  private func leave(_ status: Int32) -> Never {
    write("\u{1b}[0m\u{1b}[?25h\u{1b}[?1049l")
    exitProcess(status)
  }

  private func write(_ text: String) { write(Array(text.utf8)) }

  private func write(_ bytes: [UInt8]) {
    do { try writeAll(bytes, to: 1) } catch { exitProcess(ExitStatus.failure.rawValue) }
  }

  /// The same story for what is not a terminal, or one that cannot move its cursor.
  static func tellInWords(settings: BannerSettings) throws {
    var machine = BannerMachine(settings: settings, window: WindowTraits(maximumFrames: 1))
    for (at, event, line) in script {
      try Output.line(line)
      var now = at
      var effects = machine.handle(event, at: now)
      while let deadline = machine.nextDeadline, deadline > now {
        now = deadline
        effects += machine.handle(.deadlineReached, at: now)
      }
      for case .publish(let status) in effects {
        if let banner = status.banner { try Output.line(BannerText(banner).line) }
      }
    }
  }
}
