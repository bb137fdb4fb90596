package import Overline

/// The state of a demonstration: its overlays, the output of the program below them, and its own clock, which pauses and jumps.
package struct DemoMachine: Sendable {
  /// What the user can do.
  package enum Key: Equatable, Sendable {
    case pause
    /// To the next event.
    case next
    /// To the last event, or the one before it.
    case previous
  }

  /// Longer than the last fade.
  private static let rest = Duration.milliseconds(1200)
  /// Between two lines of the program.
  private static let cadence = Duration.milliseconds(300)
  private static let maximumLines = 500

  private let steps: [DemoScript.Step]
  private let settings: BannerSettings
  private let toasts: ToastSettings
  private var window: WindowTraits
  package private(set) var overlays: OverlayModel
  /// What the program has printed, oldest first.
  package private(set) var lines: [String] = []
  package private(set) var isPaused = false

  /// The position in the script, and the clock's time at which it was reached.
  private var position = Duration.zero
  private var reached: Duration
  private var pending = 0
  private var printed = 0

  package init(
    _ script: DemoScript, settings: BannerSettings, toasts: ToastSettings, window: WindowTraits, at now: Duration
  ) {
    steps = script.steps
    self.settings = settings
    self.toasts = toasts
    self.window = window
    reached = now
    overlays = OverlayModel(banner: settings, toasts: toasts, window: window)
    begin()
    play(to: .zero)
  }

  package var isFinished: Bool { position >= end }

  /// The clock's time at which ``advance(at:)`` is due; nil while paused.
  package var nextDeadline: Duration? {
    isPaused ? nil : reached + (max(position, min(due ?? end, end)) - position)
  }

  package mutating func advance(at now: Duration) {
    if !isPaused { play(to: position + (now - reached)) }
    reached = now
  }

  package mutating func handle(_ key: Key, at now: Duration) {
    advance(at: now)
    switch key {
    case .pause: isPaused.toggle()
    case .next: play(to: stops.first { $0 > position } ?? end)
    case .previous:
      let target = stops.last { $0 < position - .seconds(1) } ?? .zero
      begin()
      play(to: target)
    }
  }

  package mutating func resize(_ window: WindowTraits) {
    self.window = window
    _ = overlays.handle(.windowResized(rows: window.rows, columns: window.columns), at: position)
  }

  // MARK: - The script

  private var end: Duration { (steps.last?.at ?? .zero) + settings.hideDelay + Self.rest }

  /// When each event shows: a moment after it, for its fade, but before the banner leaves. Only the events with a line of their own; others
  /// follow them at once.
  private var stops: [Duration] {
    let fade = min(.milliseconds(500), settings.hideDelay / 2)
    return steps.filter { !$0.line.isEmpty }.map { $0.at + settings.graceDelay + fade }
  }

  private var nextLine: Duration { Self.cadence * printed }

  /// When something happens next.
  private var due: Duration? {
    let step = pending < steps.count ? steps[pending].at : nil
    let deadline = overlays.nextDeadline.flatMap { $0 > position ? $0 : nil }
    return [step, deadline, nextLine].compactMap { $0 }.min()
  }

  /// A screen full of output, and nothing over it.
  private mutating func begin() {
    overlays = OverlayModel(banner: settings, toasts: toasts, window: window)
    (position, pending, printed) = (.zero, 0, 0)
    lines = ["$ make test"] + (0..<(window.rows ?? 24)).map(Self.output)
  }

  private mutating func play(to target: Duration) {
    while let next = due, next <= target {
      position = max(position, next)
      if nextLine <= position {
        lines.append(Self.output(printed + (window.rows ?? 24)))
        printed += 1
      }
      while pending < steps.count, steps[pending].at <= position {
        if !steps[pending].line.isEmpty { lines.append(steps[pending].line) }
        _ = overlays.handle(steps[pending].event, at: position)
        pending += 1
      }
      _ = overlays.handle(.deadlineReached, at: position)
    }
    position = max(position, target)
    _ = overlays.handle(.deadlineReached, at: position)
    lines = lines.suffix(Self.maximumLines)
  }

  /// The lines of a build, as a program would print them.
  private static func output(_ number: Int) -> String {
    let modules = ["Network", "Terminal", "Storage", "Interface", "Protocol"]
    let files = ["Reader", "Writer", "Machine", "Layout", "Parser", "Session", "Value"]
    let name = "\(modules[number % modules.count]) \(files[number % files.count])"
    return "[\(number + 1)/512] Compiling \(name).swift"
  }
}
