/// Durations and frame rates of motion.
enum Motion {
  /// Sliding in or out; for a banner of one row, fading in or out.
  static let entrance: Duration = .milliseconds(250)
  /// A toast sliding in or out.
  static let slide: Duration = .milliseconds(300)
  /// A change of text and colours in place.
  static let crossFade: Duration = .milliseconds(200)
  /// A terminal gets at most 30 frames a second.
  static let frameInterval: Duration = .nanoseconds(33_333_333)
  /// In a palette of 256 colours, a fade with more frames than this looks the same.
  static let paletteFrames = 6

  /// The number of frames of a motion that lasts `duration`. One frame is a repaint without motion.
  static func frames(in duration: Duration, window: WindowTraits, isOn: Bool) -> Int {
    // The monitor's own window calls this for every change and never needs more than one frame: return early.
    guard isOn, window.maximumFrames != 1 else { return 1 }
    let frames = Int(duration / frameInterval)
    switch window.colors {
    case .monochrome, .ansi16: return 1
    case .palette256: return max(1, min(frames, paletteFrames, window.maximumFrames ?? frames))
    case .truecolor: return max(1, min(frames, window.maximumFrames ?? frames))
    }
  }
}

/// A banner's transition from one look to another: frame 1 is due at `start`, the others follow evenly.
struct Fade: Equatable, Sendable {
  enum Kind: Equatable, Sendable {
    case entering
    case changing
    case leaving
  }

  let kind: Kind
  let from: BannerFrame
  let to: BannerFrame
  let start: Duration
  let duration: Duration
  let frames: Int
  private(set) var drawn = 0

  init(entering frame: BannerFrame, start: Duration, frames: Int) {
    // A single frame is the end itself: its origin is never visible, and mixing colours takes time before the first paint.
    self.init(
      .entering, from: frames > 1 ? frame.departed : frame, to: frame, start: start, duration: Motion.entrance,
      frames: frames)
  }

  init(leaving frame: BannerFrame, start: Duration, frames: Int) {
    self.init(.leaving, from: frame, to: frame.departed, start: start, duration: Motion.entrance, frames: frames)
  }

  /// Starts from `from`, the frame on the screen now, even if that is in the middle of another fade.
  init(changing from: BannerFrame, to: BannerFrame, start: Duration, frames: Int) {
    var from = from
    // A slide continues from its position, but never hides a lower banner completely. A taller banner shows its new rows at once.
    from.hiddenRows = min(from.hiddenRows, to.appearance.height - 1)
    let looksAlike =
      from.hiddenRows == to.hiddenRows && from.appearance.backgroundColor == to.appearance.backgroundColor
      && from.appearance.textColor == to.appearance.textColor
    self.init(
      .changing, from: from, to: to, start: start, duration: Motion.crossFade, frames: looksAlike ? 1 : frames)
  }

  private init(
    _ kind: Kind, from: BannerFrame, to: BannerFrame, start: Duration, duration: Duration, frames: Int
  ) {
    self.kind = kind
    self.from = from
    self.to = to
    self.start = start
    self.duration = duration
    self.frames = frames
  }

  var isDrawn: Bool { drawn == frames }

  /// The end of a departure; other motions end with their last frame.
  var end: Duration { start + duration }

  /// The time when the next frame is due; nil after the last one.
  var nextFrameDue: Duration? {
    if isDrawn { return nil }
    return drawn == 0 ? start : start + duration / frames * drawn
  }

  /// Returns the newest due frame if it was not returned before. Late frames are skipped.
  mutating func takeFrame(at now: Duration) -> BannerFrame? {
    let before = drawn
    while let due = nextFrameDue, due <= now { drawn += 1 }
    return drawn > before ? frame(drawn) : nil
  }

  /// The frame of a step, 1…`frames`. Text changes with the first frame, colours and rows on the way.
  func frame(_ step: Int) -> BannerFrame {
    let progress: Double
    switch kind {
    case .entering: progress = easeOut(Double(step) / Double(frames))
    case .changing: progress = Double(step) / Double(frames)
    // The end of a departure is an empty screen, not a frame.
    case .leaving: progress = easeOut(Double(step) / Double(frames + 1))
    }
    if progress >= 1 { return to }
    var frame = to
    let rows = Double(from.hiddenRows) + Double(to.hiddenRows - from.hiddenRows) * progress
    frame.hiddenRows = Int(rows.rounded())
    let ends = (from.appearance, to.appearance)
    let background = mix(ends.0.backgroundColor, ends.1.backgroundColor, progress)
    frame.appearance.backgroundColor = background
    frame.appearance.textColor = readableText(mix(ends.0.textColor, ends.1.textColor, progress), on: background)
    return frame
  }

  /// Picks a text colour that keeps every frame between two readable ends readable. The colour half way between two text colours may be
  /// unreadable on a background half way between.
  private func readableText(_ text: TerminalColor, on background: TerminalColor) -> TerminalColor {
    let needed = min(minimumContrast, from.contrast, to.contrast)
    let candidates = [text, to.appearance.textColor, from.appearance.textColor]
    return candidates.first { $0.rgb.contrast(with: background.rgb) >= needed } ?? .rgb(background.rgb.readablePole)
  }
}

extension BannerFrame {
  fileprivate var contrast: Double { appearance.textColor.rgb.contrast(with: appearance.backgroundColor.rgb) }

  /// The banner's look before it enters and after it leaves. A taller banner is beyond the edge. The background of a one-row banner is
  /// moved away from the text's colour, so that contrast during the motion is higher than at rest, never lower.
  fileprivate var departed: BannerFrame {
    var frame = self
    if appearance.height > 1 {
      frame.hiddenRows = appearance.height
    } else {
      frame.appearance.backgroundColor = appearance.departedBackground(1)
    }
    return frame
  }
}

extension BannerAppearance {
  /// The background, moved away from the text's colour. 0 does not move it, 1 is the look before entering and after leaving.
  func departedBackground(_ distance: Double) -> TerminalColor {
    let background = backgroundColor.rgb
    let isTextLighter = textColor.rgb.relativeLuminance >= background.relativeLuminance
    // Two thirds of the way to black or white are clearly visible and still keep the hue.
    return .rgb(OKLab(background).mixed(with: isTextLighter ? .black : .white, distance * 2 / 3).rgb)
  }
}

private func mix(_ from: TerminalColor, _ to: TerminalColor, _ progress: Double) -> TerminalColor {
  from == to ? to : .rgb(OKLab(from.rgb).mixed(with: OKLab(to.rgb), progress).rgb)
}

/// Cubic ease-out: fast at first, then settling.
func easeOut(_ progress: Double) -> Double {
  let rest = 1 - progress
  return 1 - rest * rest * rest
}
