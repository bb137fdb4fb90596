import Overline
import OverlineTestThread
import Testing

/// SplitMix64: the same sequences in every run, each named by its seed.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }
}

/// A driver that performs and checks each effect, and tracks the network from the events that it sends.
private struct CheckingDriver {
  enum Notice { case none, presented, dismissed }

  var machine: BannerMachine
  static let words = "ssh: last answer 3 s ago"
  let window: WindowTraits
  var now = Duration.seconds(100)
  /// The network's state according to the events sent.
  var trouble: BannerMachine.Trouble.Kind?
  /// What the user has dismissed.
  var hidden: BannerMachine.Trouble?
  var hasCustomBanner = false
  var notice = Notice.none
  var networkChanged = Duration.seconds(100)
  /// The end of the last custom banner or notice.
  var customBannerEnded = Duration.seconds(100)

  var inset = TerminalInsets()
  var isShowing = false
  var presented = 0
  var dismissed = 0
  var heights = 0
  var framesSinceEvent = 0
  var failures: [String] = []

  init(settings: BannerSettings, window: WindowTraits) {
    self.window = window
    machine = BannerMachine(settings: settings, window: window)
  }

  mutating func send(_ event: BannerEvent) {
    if event != .deadlineReached { framesSinceEvent = 0 }
    switch event {
    case .networkLost(let cause, _), .networkFoundLost(let cause, _): enter(.lost, cause)
    case .networkLimited(let cause, _, _), .networkFoundLimited(let cause, _, _): enter(.limited, cause)
    case .networkRestored:
      if trouble != nil { networkChanged = now }
      trouble = nil
      hidden = nil
    case .claimDismissed:
      switch machine.phase {
      case .presented(let trouble): hidden = trouble
      case .restored, .dismissed: break
      case .hidden, .grace, .leaving, .expired: if notice == .presented { endNotice(.dismissed) }
      }
    case .troubleDismissedElsewhere:
      switch machine.phase {
      case .grace(let trouble, _), .presented(let trouble), .expired(let trouble): hidden = trouble
      case .hidden, .restored, .dismissed, .leaving: break
      }
    case .troubleShownElsewhere: if case .dismissed = machine.phase { hidden = nil }
    case .bannerDismissedByUser:
      switch machine.phase {
      case .presented(let trouble): hidden = trouble
      case .restored: break
      case .hidden, .grace, .leaving, .expired:
        if notice == .presented { endNotice(.dismissed) } else { endCustomBanner() }
      case .dismissed: endCustomBanner()
      }
    case .bannerPresented: hasCustomBanner = true
    case .customBannerDismissed: endCustomBanner()
    case .noticePresented: if notice == .none { notice = .presented }
    case .noticeDismissed: endNotice(.none)
    case .windowResized, .settingsChanged, .deadlineReached: break
    }
    for change in machine.changes(after: event, at: now) { perform(change) }
    check((machine.frame != nil) == isShowing, "frame is what was drawn")
    check(machine.inset == inset, "inset is what was set")
    check(isShowing || inset == TerminalInsets(), "nothing shows, nothing is reserved")
    check(machine.nextDeadline.map { $0 > now } ?? true, "a deadline in the past would spin")
  }

  mutating func enter(_ kind: BannerMachine.Trouble.Kind, _ cause: String) {
    let isAnother = hidden.map { $0.kind != kind || $0.cause != cause } ?? false
    if trouble == nil || isAnother {
      networkChanged = now
      hidden = nil
    }
    // A dismissal applies to the visible banner, not to one that waits for its grace delay.
    trouble = kind
  }

  mutating func endNotice(_ next: Notice) {
    if notice == .presented { customBannerEnded = now }
    notice = next
  }

  mutating func endCustomBanner() {
    if hasCustomBanner { customBannerEnded = now }
    hasCustomBanner = false
  }

  mutating func perform(_ change: BannerChange) {
    switch change {
    case .inset(let new):
      heights += new.top - inset.top
      inset = new
    case .frame(let frame):
      check(inset.top >= frame.appearance.height, "drawn without its inset")
      if !isShowing { presented += 1 }
      isShowing = true
      framesSinceEvent += 1
      check(framesSinceEvent <= 2 * 7 + 1, "frames of a fade")
      check(frame.appearance.contrast >= 4.5, "contrast")
    case .cleared:
      dismissed += 1
      isShowing = false
    case .status: break
    }
  }

  /// Lets time pass. Delivers each deadline late and twice, and once more at the end.
  mutating func wait(_ duration: Duration, lateness: Duration) {
    let end = now + duration
    while let deadline = machine.nextDeadline, deadline <= end {
      now = max(now, min(end, deadline + lateness))
      send(.deadlineReached)
      send(.deadlineReached)
    }
    now = end
    send(.deadlineReached)
  }

  mutating func checkWhatShows() {
    let since = now - networkChanged
    let fits = (machine.window.rows ?? 24) >= 5
    // The longest removal: 250 ms of animation, one frame before it starts, and the timer's lateness.
    let going = Duration.milliseconds(290)
    if trouble == nil && !hasCustomBanner && notice != .presented && since > machine.settings.hideDelay + going
      && now - customBannerEnded > going
    {
      check(!isShowing, "a banner while online")
    }
    if trouble == nil, machine.phase == .hidden, notice == .presented, fits {
      check(machine.frame?.appearance.title == Self.words || isShowing, "no notice")
    }
    if let trouble, hidden == nil, fits, since >= machine.settings.graceDelay {
      let wanted = trouble == .lost ? machine.settings.offline.title : machine.settings.limited.title
      let title = machine.frame?.appearance.title ?? ""
      // For one frame after a change in place the old title may still show.
      let mayBeBehind = machine.nextDeadline.map { $0 - now < .milliseconds(34) } ?? false
      check(title == wanted || (mayBeBehind && isShowing), "no banner while \(trouble)")
    }
  }

  mutating func check(_ condition: Bool, _ what: String) {
    if !condition { failures.append("\(what) at \(now)") }
  }
}

@Suite(.ownThread) struct PropertyTests {
  @Test(arguments: [
    WindowTraits(rows: 24, columns: 80), .reference, .tmux(edge: .top), WindowTraits(colors: .palette256),
    WindowTraits(colors: .ansi16),
  ])
  func anySequenceOfEventsAndTimes(window: WindowTraits) {
    for seed in 0..<100 as Range<UInt64> {
      var random = SeededGenerator(state: seed)
      let graces: [Duration] = [.zero, .milliseconds(250), .seconds(1)]
      let settings = BannerSettings(graceDelay: graces.randomElement(using: &random)!)
      var driver = CheckingDriver(settings: settings, window: window)
      for _ in 0..<60 {
        driver.send(event(using: &random, settings, window))
        let milliseconds = [0, 1, 20, 100, 240, 250, 260, 1000, 2000, 2100, 5000].randomElement(using: &random)!
        driver.wait(.milliseconds(milliseconds), lateness: .milliseconds(Int.random(in: 0...5, using: &random)))
        driver.checkWhatShows()
      }
      driver.send(.networkRestored)
      driver.send(.customBannerDismissed)
      driver.send(.noticeDismissed)
      driver.wait(.seconds(10), lateness: .zero)
      driver.checkWhatShows()
      #expect(driver.failures == [], "seed \(seed)")
      #expect(driver.presented == driver.dismissed, "seed \(seed)")
      #expect(driver.heights == 0, "seed \(seed)")
      #expect(driver.inset == TerminalInsets(), "seed \(seed)")
      #expect(driver.machine.nextDeadline == nil, "seed \(seed)")
    }
  }

  private func event(
    using random: inout SeededGenerator, _ settings: BannerSettings, _ window: WindowTraits
  ) -> BannerEvent {
    switch Int.random(in: 0..<30, using: &random) {
    case 20..<23: return .networkLimited(cause: ["captive portal?", ""].randomElement(using: &random)!)
    case 24, 25, 26: return .noticePresented(CheckingDriver.words)
    case 27: return .noticeDismissed
    case 28: return .claimDismissed
    case 29: return .troubleDismissedElsewhere
    case 23: return .networkFoundLimited(cause: "")
    case 0..<6: return .networkLost(cause: ["", "eth0 has no carrier", "no route"].randomElement(using: &random)!)
    case 6..<11: return .networkRestored
    case 11: return .networkFoundLost(cause: "")
    case 12: return .bannerDismissedByUser
    case 13, 14: return .customBannerDismissed
    case 15:
      return window.rows == nil
        ? .deadlineReached
        : .windowResized(rows: [3, 5, 10, 15, 24, 50].randomElement(using: &random)!, columns: 80)
    case 16:
      var changed = settings
      changed.offline.height = Int.random(in: 1...3, using: &random)
      return .settingsChanged(changed)
    default:
      let colors: [TerminalColor] = [.systemGreen, .systemBlue, .systemOrange, .black]
      return .bannerPresented(
        BannerAppearance.Builder().title("Deploying").backgroundColor(colors.randomElement(using: &random)!)
          .height(Int.random(in: 1...4, using: &random)).appearance)
    }
  }
}
