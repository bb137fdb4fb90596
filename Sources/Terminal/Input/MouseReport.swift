/// What a mouse did, as xterm reports it in any of its encodings.
struct MouseReport: Equatable {
  enum Kind: Equatable {
    case press(button: Int)
    /// The old encodings do not say which button was let go.
    case release(button: Int?)
    /// nil: with no button down.
    case motion(button: Int?)
    case wheel
  }

  var kind: Kind
  /// From 1, or 0 when it was too far for the encoding; in pixels where these are reported.
  var row: Int

  /// - Parameters:
  ///   - code: xterm's number for button, modifiers (4, 8, 16) and motion (32).
  ///   - isRelease: what an SGR report's final byte says; nil for encodings in which button 3 means that.
  init(code: Int, row: Int, isRelease: Bool?) {
    self.row = row
    let low = code & 3
    let isPlain = code & (64 | 128) == 0
    // Buttons 1–3 are 0–2, 4–7 (wheels) 64–67, 8–11 128–131.
    let button = low | (code & 64) >> 4 | (code & 128) >> 4
    if code & 32 != 0 {
      kind = .motion(button: low == 3 && isPlain ? nil : button)
    } else if isRelease == true {
      kind = .release(button: button)
    } else if isRelease == nil, low == 3, isPlain {
      kind = .release(button: nil)
    } else if code & (64 | 128) == 64 {
      kind = .wheel
    } else {
      kind = .press(button: button)
    }
  }
}

/// Whose the buttons are that are down: the one's in whose rows they were pressed, until they are let go.
struct MouseOwnership {
  private var program: UInt16 = 0
  private var banner: UInt16 = 0

  mutating func forget() {
    program = 0
    banner = 0
  }

  /// Whether the banner takes this report, so that the program does not get it.
  ///
  /// - Parameters:
  ///   - isOnBanner: whether the mouse is on it now.
  ///   - reportsReleases: whether buttons are reported when they are let go (not in mode 9).
  ///   - mustPass: when part of the report has already gone to the program.
  mutating func consumes(_ report: MouseReport, isOnBanner: Bool, reportsReleases: Bool, mustPass: Bool) -> Bool {
    switch report.kind {
    case .wheel: return isOnBanner && !mustPass
    case .press(let button):
      // A release of it that never came.
      release(button)
      let isBanners = isOnBanner && program == 0 && !mustPass
      if reportsReleases {
        if isBanners { banner |= 1 << button } else { program |= 1 << button }
      }
      return isBanners
    case .release(let button?):
      let isBanners = banner & 1 << button != 0 || (isOnBanner && program & 1 << button == 0)
      release(button)
      return isBanners && !mustPass
    case .release(nil):
      let isBanners = program == 0 && (banner != 0 || isOnBanner)
      if program == 0 { banner = 0 }
      program = 0
      return isBanners && !mustPass
    case .motion(let button?):
      let isBanners = banner & 1 << button != 0 || (isOnBanner && program & 1 << button == 0)
      return isBanners && !mustPass
    case .motion(nil):
      // Nothing is down, whatever was missed.
      forget()
      return isOnBanner && !mustPass
    }
  }

  private mutating func release(_ button: Int) {
    program &= ~(1 << button)
    banner &= ~(1 << button)
  }
}
