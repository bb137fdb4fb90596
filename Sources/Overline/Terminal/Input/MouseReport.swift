/// A mouse event, in any of xterm's encodings.
struct MouseReport: Equatable {
  enum Kind: Equatable {
    case press(button: Int)
    /// Nil in the old encodings, which do not report the released button.
    case release(button: Int?)
    /// Nil with no button down.
    case motion(button: Int?)
    case wheel
  }

  var kind: Kind
  /// From 1; 0 for a place beyond the encoding's range. In pixels where the terminal reports pixels.
  var row: Int
  var column: Int

  /// - Parameters:
  ///   - code: xterm's number for button, modifiers (4, 8, 16) and motion (32).
  ///   - isRelease: from the final byte of an SGR report; nil for encodings in which button 3 means a release.
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

/// The owner of the cells under the mouse.
enum MouseTarget: Equatable {
  case program
  case banner
  case toast
  case alert
}

/// The owner of each button that is down. A button pressed in an owner's cells belongs to that owner until it is released.
struct MouseOwnership {
  /// By button.
  private var owners: [Int: MouseTarget] = [:]

  private var hasProgram: Bool { owners.values.contains(.program) }

  mutating func forget() { if !owners.isEmpty { owners = [:] } }

  /// The report's receiver; only the program's reports reach the program.
  ///
  /// - Parameters:
  ///   - target: the owner of the cells under the mouse now.
  ///   - reportsReleases: whether the terminal reports releases (not in mode 9).
  ///   - mustPass: true when part of the report has already gone to the program.
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
      // The release of this button may never have come.
      owners[button] = nil
      let owner = hasProgram || mustPass ? .program : target
      if reportsReleases { owners[button] = owner }
      return owner
    case .release(let button?):
      defer { owners[button] = nil }
      return owners[button] ?? target
    case .release(nil):
      // The report does not name the button: the program's are released first.
      guard hasProgram else {
        defer { owners = [:] }
        return owners.values.first ?? target
      }
      owners = owners.filter { $0.value != .program }
      return .program
    case .motion(let button?): return owners[button] ?? target
    case .motion(nil):
      // No button is down, even if the report of a release was missed.
      forget()
      return target
    }
  }
}
