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
  var column: Int

  /// - Parameters:
  ///   - code: xterm's number for button, modifiers (4, 8, 16) and motion (32).
  ///   - isRelease: what an SGR report's final byte says; nil for encodings in which button 3 means that.
  init(code: Int, row: Int, column: Int, isRelease: Bool?) {
    self.row = row
    self.column = column
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

/// What may be under the mouse.
enum MouseTarget: Hashable {
  case program
  case banner
  case toast
  case alert
}

/// Whose the buttons are that are down: the one's in whose cells they were pressed, until they are let go.
struct MouseOwnership {
  /// By button.
  private var owners: [Int: MouseTarget] = [:]

  private var hasProgram: Bool { owners.values.contains(.program) }

  mutating func forget() { owners = [:] }

  /// The report's receiver; only the program's reports reach the program.
  ///
  /// - Parameters:
  ///   - target: what is under the mouse now.
  ///   - reportsReleases: whether buttons are reported when they are let go (not in mode 9).
  ///   - mustPass: when part of the report has already gone to the program.
  mutating func owner(
    of report: MouseReport, under target: MouseTarget, reportsReleases: Bool, mustPass: Bool
  ) -> MouseTarget {
    let owner = owner(of: report.kind, under: target, reportsReleases: reportsReleases, mustPass: mustPass)
    return mustPass ? .program : owner
  }

  private mutating func owner(
    of kind: MouseReport.Kind, under target: MouseTarget, reportsReleases: Bool, mustPass: Bool
  ) -> MouseTarget {
    switch kind {
    case .wheel: return target
    case .press(let button):
      // A release of it that never came.
      owners[button] = nil
      let owner = hasProgram || mustPass ? .program : target
      if reportsReleases { owners[button] = owner }
      return owner
    case .release(let button?):
      defer { owners[button] = nil }
      return owners[button] ?? target
    case .release(nil):
      // Which one, it does not say: first the program's.
      guard hasProgram else {
        defer { owners = [:] }
        return owners.values.first ?? target
      }
      owners = owners.filter { $0.value != .program }
      return .program
    case .motion(let button?): return owners[button] ?? target
    case .motion(nil):
      // Nothing is down, whatever was missed.
      forget()
      return target
    }
  }
}
