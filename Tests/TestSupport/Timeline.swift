internal import Overline

/// Plays a script into a ``BannerMachine``, one character per tick, and returns the screen's changes, one character per
/// tick:
///
///     timeline("u---s-----") == "--P-R--D--"
///
/// In:
///
/// | character | event at that tick |
/// | --- | --- |
/// | `-` | nothing |
/// | `u` | the network was lost (*unsatisfied*); `v`: lost for another cause |
/// | `o` | the network was found lost when the window appeared |
/// | `l` | the network was limited; `m`: it was found limited when the window appeared |
/// | `s` | the network was restored (*satisfied*) |
/// | `x` | the user dismissed the banner; `X`: what Overline claims; `e`: the network's trouble, in the monitor |
/// | `c` | a custom banner was presented; `d`: it was dismissed |
/// | `n` | a notice about the program was presented; `N`: it was dismissed |
/// | `w` | the window became too low for any banner; `W`: it is high again |
/// | `z` | the machine slept: deadlines since the last tick come late, with the next one |
///
/// Out, the change of the screen since the last tick (the newest, if more than one):
///
/// | character | |
/// | --- | --- |
/// | `-` | nothing changed |
/// | `P` | the offline banner |
/// | `L` | the banner of a limited connection |
/// | `R` | *Back online* |
/// | `C` | the custom banner |
/// | `N` | the notice about the program |
/// | `D` | dismissal has ended: the screen is empty and the rows are given back |
///
/// Deadlines are delivered at their own times, and before an event at the same time.
///
/// - Parameters:
///   - grace: the grace delay in ticks.
///   - hide: the hide delay in ticks.
///   - tick: the time of one character.
///   - motion: false makes every change instant.
package func timeline(
  _ script: String, grace: Int = 2, hide: Int = 3, tick: Duration = .seconds(1), motion: Bool = false
) -> String {
  let settings = BannerSettings(
    graceDelay: tick * grace, hideDelay: tick * hide, motion: motion ? .on : .off)
  var machine = BannerMachine(settings: settings, window: WindowTraits(rows: 24, columns: 80))
  var now = Duration.zero
  var shown: Character = "D"
  var isAwake = true
  var result = ""
  for character in script {
    let before = shown
    defer { isAwake = character != "z" }
    if character != "z" {
      while let deadline = machine.nextDeadline, deadline <= now {
        // A deadline during sleep is delivered on waking.
        machine.handle(.deadlineReached, at: isAwake ? deadline : now)
        shown = machine.shown(before: shown)
      }
      if let event = event(for: character) { machine.handle(event, at: now) }
      shown = machine.shown(before: shown)
    }
    result.append(shown == before ? "-" : shown)
    now += tick
  }
  return result
}

private func event(for character: Character) -> BannerEvent? {
  switch character {
  case "u": .networkLost(cause: "eth0 has no carrier")
  case "v": .networkLost(cause: "wlan0 is down")
  case "o": .networkFoundLost(cause: "eth0 has no carrier")
  case "l": .networkLimited(cause: "captive portal?")
  case "m": .networkFoundLimited(cause: "captive portal?")
  case "s": .networkRestored
  case "x": .bannerDismissedByUser
  case "X": .claimDismissed
  case "e": .troubleDismissedElsewhere
  case "c": .bannerPresented(BannerAppearance(title: "Deploying", backgroundColor: .systemBlue, textColor: .white))
  case "n": .noticePresented("ssh: last answer 3 s ago")
  case "N": .noticeDismissed
  case "d": .customBannerDismissed
  case "w": .windowResized(rows: 4, columns: 80)
  case "W": .windowResized(rows: 24, columns: 80)
  case "-": nil
  default: preconditionFailure("no such character in a timeline: \(character)")
  }
}

private func isNotice(_ frame: BannerFrame) -> Bool { frame.appearance.title.contains("last answer") }

extension BannerMachine {
  /// The screen's content, as a character of the output. A leaving banner counts until it is gone.
  fileprivate func shown(before: Character) -> Character {
    guard let frame else { return "D" }
    switch phase {
    case .presented(let trouble): return trouble.kind == .lost ? "P" : "L"
    case .restored: return "R"
    case .leaving: return before
    case .hidden, .grace, .dismissed, .expired: return isNotice(frame) ? "N" : customBanner == nil ? before : "C"
    }
  }
}
