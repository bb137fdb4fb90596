/// The banner of one window: its content, the times of its changes, and the motion between them.
///
/// All decisions about a banner are in this file. The machine is a value: it reads no clock and touches no
/// terminal. A driver gives it events and the time, shows ``frame`` in the rows of ``inset``, and delivers
/// ``BannerEvent/deadlineReached`` at ``nextDeadline``. Times are since boot, on a clock that counts suspend.
///
///     hidden ──lost──► grace ──grace over──► presented ──restored──► restored ──hide delay──► leaving ──gone──► hidden
///                        └──restored──► hidden     ▲ │                   │                       │
///                                                  │ └─by user─► dismissed                       │
///                                                  └──────────────lost──┴────────────lost────────┘
///
/// A limited connection passes through the same states as a lost one, with its own banner; each replaces the other.
///
/// One banner shows at a time, in this order of precedence: the network's, the notice about the window's program, the custom banner.
package struct BannerMachine: Sendable {
  private let addressOnly = AddressOnly()

  /// The state of the network and the user's reaction. A custom banner shows in phases without a banner of the network.
  package enum Phase: Equatable, Sendable {
    /// The network is up, or its state is unknown.
    case hidden
    /// The network has been in trouble for too short a time to show.
    case grace(Trouble, since: Duration)
    /// The trouble's banner shows until the network recovers or the user dismisses it, and for ``BannerMachine/briefTime`` if it is brief.
    case presented(Trouble)
    /// The user has dismissed the trouble's banner, until its claim changes or the network recovers.
    case dismissed(Trouble)
    /// The time of a brief trouble's banner is over, until its claim changes or the network recovers.
    case expired(Trouble)
    /// The network is back; *Back online* has shown since then.
    case restored(since: Duration)
    /// *Back online* is leaving after its time. A loss now shows at once, without an empty screen in between.
    case leaving
  }

  /// The trouble with the network.
  package struct Trouble: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
      case lost
      /// The network is up, but the reachability check failed.
      case limited
    }

    package var kind: Kind
    /// The cause, in few words.
    package var cause: String
    /// The cause without the times and counts in its words, which grow while the trouble stays the same.
    package var claim: String
    package var manner: TroubleManner

    package init(kind: Kind, cause: String, claim: String? = nil, manner: TroubleManner = .lasting) {
      self.kind = kind
      self.cause = cause
      self.claim = claim ?? cause
      self.manner = manner
    }

    fileprivate func claimsTheSame(as other: Trouble) -> Bool { kind == other.kind && claim == other.claim }
  }

  /// The notice about the window's program.
  private enum Notice: Equatable, Sendable {
    case none
    case presented(String)
    /// The user has dismissed it; new words do not bring it back.
    case dismissed
  }

  /// The state of the screen.
  private enum Screen: Sendable {
    case empty
    case resting(BannerFrame)
    case moving(Fade)
    case leaving(Fade)
  }

  public private(set) var phase = Phase.hidden
  public private(set) var settings: BannerSettings
  public private(set) var window: WindowTraits
  /// The custom banner, even while the network's banner hides it.
  public private(set) var customBanner: BannerAppearance?
  /// The last custom banner, also after it was dismissed.
  public private(set) var lastAppearance: BannerAppearance?
  /// The rows of the window that belong to the banner.
  public private(set) var inset = TerminalInsets()
  /// The frame to show; nil for none.
  public private(set) var frame: BannerFrame?
  /// The banner's state for observers.
  public private(set) var status = BannerStatus()

  private var notice = Notice.none
  /// The end of the banner of a brief trouble; nil for none.
  private var briefEnd: Duration?
  private var screen = Screen.empty
  /// The banner's share of the rows of ``inset``.
  private var reservedRows = 0
  private var lastDraw: Duration?

  /// The time for which the banner of a brief trouble shows.
  package static let briefTime = Duration.seconds(60)

  package init(settings: BannerSettings = BannerSettings(), window: WindowTraits) {
    self.settings = settings
    self.window = window
  }

  /// A machine for another window that opens now. It has the same trouble, dismissed or not, and the same custom banner. *Back online*
  /// shows only in windows that showed the loss.
  func machineOfLateWindow(_ window: WindowTraits, settings: BannerSettings, at now: Duration) -> BannerMachine {
    var late = BannerMachine(settings: settings, window: window)
    switch phase {
    case .grace, .presented, .dismissed, .expired: late.phase = phase
    case .hidden, .restored, .leaving: break
    }
    late.briefEnd = briefEnd
    late.customBanner = customBanner
    late.handle(.deadlineReached, at: now)
    return late
  }

  /// True from presentation until dismissal has ended, even if the window is too low to show the banner.
  package var isBannerPresented: Bool { content != nil || frame != nil }

  package mutating func handle(_ event: BannerEvent, at now: Duration) {
    apply(event, at: now)
    expirePhase(at: now)
    noteBriefTrouble(at: now)
    updateScreen(at: now)
    advanceScreen(at: now)
    concludeDeparture()
    status = BannerStatus(phase: phaseName, banner: content, claim: claim)
  }

  /// The time when ``BannerEvent/deadlineReached`` is due; nil when only an event can change anything.
  package var nextDeadline: Duration? { phaseDeadline.earlier(screenDeadline) }
}

// MARK: - Events

extension BannerMachine {
  private mutating func apply(_ event: BannerEvent, at now: Duration) {
    switch event {
    case .networkLost(let cause, let claim): handleTrouble(Trouble(kind: .lost, cause: cause, claim: claim), at: now)
    case .networkFoundLost(let cause, let claim):
      handleFoundTrouble(Trouble(kind: .lost, cause: cause, claim: claim))
    case .networkLimited(let cause, let claim, let manner):
      handleTrouble(Trouble(kind: .limited, cause: cause, claim: claim, manner: manner), at: now)
    case .networkFoundLimited(let cause, let claim, let manner):
      handleFoundTrouble(Trouble(kind: .limited, cause: cause, claim: claim, manner: manner))
    case .networkRestored: handleRestoration(at: now)
    case .bannerDismissedByUser: if claim == .shown { dismissClaim() } else { customBanner = nil }
    case .claimDismissed: dismissClaim()
    case .troubleDismissedElsewhere: dismissTrouble()
    case .troubleShownElsewhere: if case .dismissed(let trouble) = phase { phase = .presented(trouble) }
    case .bannerPresented(let appearance):
      customBanner = appearance
      lastAppearance = appearance
    case .customBannerDismissed: customBanner = nil
    case .noticePresented(let words): if notice != .dismissed { notice = .presented(words) }
    case .noticeDismissed: notice = .none
    case .windowResized(let rows, let columns):
      window.rows = rows
      window.columns = columns
    case .settingsChanged(let new): settings = new
    case .deadlineReached: break
    }
  }

  private mutating func handleTrouble(_ trouble: Trouble, at now: Duration) {
    switch phase {
    case .hidden: phase = .grace(trouble, since: now)
    case .grace(_, let since): phase = .grace(trouble, since: since)
    case .presented, .restored, .leaving: phase = .presented(trouble)
    // The user has dismissed one claim, not the next one.
    case .dismissed(let old), .expired(let old):
      if !trouble.claimsTheSame(as: old) { phase = .grace(trouble, since: now) }
    }
  }

  private mutating func handleFoundTrouble(_ trouble: Trouble) {
    switch phase {
    case .hidden, .grace, .presented, .restored, .leaving: phase = .presented(trouble)
    case .dismissed(let old), .expired(let old):
      if !trouble.claimsTheSame(as: old) { phase = .presented(trouble) }
    }
  }

  private mutating func handleRestoration(at now: Duration) {
    switch phase {
    // *Back online* shows only if the loss was visible: a window may be too low for a banner. After a dismissal it would be news of an
    // outage that the user has called wrong.
    case .presented(let trouble):
      let shown: Phase = trouble.manner == .quiet ? .leaving : .restored(since: now)
      phase = frame == nil ? .hidden : shown
    case .grace, .dismissed, .expired: phase = .hidden
    case .hidden, .restored, .leaving: break
    }
  }

  private mutating func dismissClaim() {
    switch phase {
    case .presented: dismissTrouble()
    case .restored: phase = .leaving
    case .hidden, .grace, .leaving, .expired: if noticeFrame != nil { notice = .dismissed }
    case .dismissed: break
    }
  }

  private mutating func dismissTrouble() {
    switch phase {
    case .grace(let trouble, _), .presented(let trouble), .expired(let trouble): phase = .dismissed(trouble)
    case .hidden, .dismissed, .restored, .leaving: break
    }
  }
}

// MARK: - Phases

extension BannerMachine {
  private var phaseDeadline: Duration? {
    switch phase {
    case .grace(_, let since): since + settings.graceDelay
    case .restored(let since): since + settings.hideDelay
    case .presented: briefEnd
    case .hidden, .dismissed, .expired, .leaving: nil
    }
  }

  private mutating func expirePhase(at now: Duration) {
    guard let phaseDeadline, phaseDeadline <= now else { return }
    switch phase {
    case .grace(let trouble, _): phase = .presented(trouble)
    case .restored: phase = .leaving
    case .presented(let trouble): phase = .expired(trouble)
    case .hidden, .dismissed, .expired, .leaving: break
    }
  }

  /// New words of a brief trouble do not prolong its banner.
  private mutating func noteBriefTrouble(at now: Duration) {
    guard case .presented(let trouble) = phase, trouble.manner == .brief else { return briefEnd = nil }
    briefEnd = briefEnd ?? now + Self.briefTime
  }

  /// ``Phase/leaving`` ends when the screen is empty, or shows something else.
  private mutating func concludeDeparture() {
    switch phase {
    case .leaving: if frame == nil || ownContent != nil { phase = .hidden }
    case .hidden, .grace, .presented, .dismissed, .expired, .restored: break
    }
  }

  /// The banner of this phase, for a window of any size.
  private var content: BannerFrame? {
    switch phase {
    case .presented(let trouble):
      BannerFrame(appearance: settings.appearance(of: trouble.kind).applying(settings.contrast), detail: trouble.cause)
    case .restored: BannerFrame(appearance: settings.restored.applying(settings.contrast))
    case .hidden, .grace, .leaving, .expired: ownContent
    // The notice would only repeat, in other words, what the user has dismissed.
    case .dismissed: customFrame
    }
  }

  /// The banner that shows unless the network has one.
  private var ownContent: BannerFrame? { noticeFrame ?? customFrame }

  private var customFrame: BannerFrame? {
    customBanner.map { BannerFrame(appearance: $0.applying(settings.contrast)) }
  }

  /// The notice looks like the banner of a limited connection: something does not answer, but the network is not lost.
  private var noticeFrame: BannerFrame? {
    guard case .presented(let words) = notice else { return nil }
    var appearance = settings.limited
    appearance.title = words
    return BannerFrame(appearance: appearance.applying(settings.contrast))
  }

  private var claim: BannerStatus.Claim {
    switch phase {
    case .presented, .restored: .shown
    case .hidden, .grace, .leaving, .expired: noticeFrame == nil ? .none : .shown
    case .dismissed: .dismissed
    }
  }

  private var phaseName: BannerPhaseName {
    switch phase {
    case .presented: .presented
    case .restored: .restored
    case .grace: ownContent == nil ? .grace : .presented
    case .hidden, .leaving, .expired: ownContent == nil ? .hidden : .presented
    case .dismissed: customBanner == nil ? .hidden : .presented
    }
  }
}

// MARK: - The screen

extension BannerMachine {
  private var screenDeadline: Duration? {
    switch screen {
    case .empty, .resting: nil
    case .moving(let fade): fade.nextFrameDue
    case .leaving(let fade): fade.nextFrameDue ?? fade.end
    }
  }

  /// The part of a banner that this window can show.
  private func fitted(_ frame: BannerFrame) -> BannerFrame? {
    frame.appearance.effective(in: window).map {
      BannerFrame(appearance: $0.adapted(to: window.colors), detail: frame.detail)
    }
  }

  /// Starts the screen's transition to the phase's banner.
  private mutating func updateScreen(at now: Duration) {
    let content = content
    let wanted = content.flatMap(fitted)
    switch (screen, wanted) {
    case (.empty, nil): break
    case (.empty, let wanted?): enter(wanted, at: now)
    case (.resting(let current), let wanted?): if current != wanted { change(to: wanted, at: now) }
    case (.moving(let fade), let wanted?): if fade.to != wanted { change(to: wanted, at: now) }
    case (.leaving, let wanted?): change(to: wanted, at: now)
    case (.resting(let current), nil): leave(current, at: now, mayMove: content == nil)
    case (.moving(let fade), nil): leave(fade.to, at: now, mayMove: content == nil)
    // The window may have become too low while the banner was leaving.
    case (.leaving(let fade), nil): if fitted(fade.from) == nil { remove() }
    }
  }

  private mutating func enter(_ target: BannerFrame, at now: Duration) {
    reserve(target.appearance.height)
    screen = .moving(Fade(entering: target, start: now, frames: frames(in: Motion.entrance)))
  }

  private mutating func change(to target: BannerFrame, at now: Duration) {
    guard let frame else { return }
    let height = target.appearance.height
    let isLower = height < reservedRows
    if height > reservedRows { reserve(height) }
    let start = isLower ? now : nextFrameTime(now)
    screen = .moving(Fade(changing: frame, to: target, start: start, frames: frames(in: Motion.crossFade)))
    if isLower {
      // Give the rows back once nothing is drawn in them.
      advanceScreen(at: now)
      reserve(height)
    }
  }

  private mutating func leave(
    _ current: BannerFrame, at now: Duration, mayMove: Bool
  ) {
    let count = frames(in: Motion.entrance)
    guard let frame, mayMove, count > 1, fitted(current) != nil else { return remove() }
    screen = .leaving(Fade(leaving: frame, start: nextFrameTime(now), frames: count))
  }

  private mutating func remove() {
    screen = .empty
    frame = nil
    reserve(0)
  }

  private mutating func advanceScreen(at now: Duration) {
    switch screen {
    case .empty, .resting: break
    case .moving(var fade):
      if let next = fade.takeFrame(at: now) { draw(next, at: now) }
      screen = fade.isDrawn ? .resting(fade.to) : .moving(fade)
    case .leaving(var fade):
      if fade.end <= now { return remove() }
      if let next = fade.takeFrame(at: now) { draw(next, at: now) }
      screen = .leaving(fade)
    }
  }

  private mutating func draw(_ next: BannerFrame, at now: Duration) {
    var next = next
    next.appearance = next.appearance.adapted(to: window.colors)
    guard next != frame else { return }
    frame = next
    lastDraw = now
  }

  private mutating func reserve(_ rows: Int) {
    guard rows != reservedRows else { return }
    reservedRows = rows
    inset = window.inset(under: rows)
  }

  private func frames(in duration: Duration) -> Int {
    Motion.frames(in: duration, window: window, isOn: settings.motion.moves(in: window))
  }

  /// The earliest time for another frame. It limits the frames of a flood of changes.
  private func nextFrameTime(_ now: Duration) -> Duration {
    max(now, (lastDraw ?? now) + Motion.frameInterval)
  }
}
