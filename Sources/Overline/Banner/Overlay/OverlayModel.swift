/// The banner, the toasts and the alerts of one screen.
///
/// A value, like the machines that it holds. A driver passes it events and the time, shows ``presentation``, and delivers
/// ``OverlayEvent/deadlineReached`` at ``nextDeadline``. A driver that draws slowly needs only the newest presentation: the effects report
/// completions, not frames.
package struct OverlayModel: Sendable {
  package private(set) var banner: BannerMachine
  package private(set) var toasts: ToastMachine
  private var alerts = AlertMachine()
  /// The current or the next time without banner and toasts.
  private var quiet: QuietPeriod?
  private(set) var isQuiet = false

  package init(
    banner: BannerSettings = BannerSettings(), toasts: ToastSettings = ToastSettings(), window: WindowTraits
  ) {
    self.banner = BannerMachine(settings: banner, window: window)
    self.toasts = ToastMachine(settings: toasts, window: window)
  }

  /// A model for another window that opens now. It has the same banner, without past motion. Toasts and alerts stay in the window to
  /// which they were posted.
  package func modelOfLateWindow(
    _ window: WindowTraits, banner settings: BannerSettings, at now: Duration
  ) -> OverlayModel {
    var late = OverlayModel(toasts: toasts.settings, window: window)
    late.banner = banner.machineOfLateWindow(window, settings: settings, at: now)
    (late.quiet, late.isQuiet) = (quiet, isQuiet)
    return late
  }

  /// The frames to show now.
  package var presentation: Presentation {
    isQuiet
      ? Presentation(alert: alerts.frame) : Presentation(banner: banner.frame, alert: alerts.frame, toast: toasts.frame)
  }

  /// Whether ``presentation`` is empty. Asked for each key: `== nil` would copy the frames.
  package var isEmpty: Bool {
    if isQuiet { return alerts.isEmpty }
    return if case .none = banner.frame, case .none = toasts.frame { alerts.isEmpty } else { false }
  }

  /// The rows that the banner occupies.
  package var inset: TerminalInsets { isQuiet ? TerminalInsets() : banner.inset }

  /// The overlays for observers, without the motion in between.
  package var status: OverlayStatus {
    isQuiet
      ? OverlayStatus(
        banner: BannerStatus(claim: banner.status.claim == .dismissed ? .dismissed : .none), alert: alerts.frame?.alert,
        quiet: quiet)
      : OverlayStatus(banner: banner.status, toast: toasts.current, alert: alerts.frame?.alert)
  }

  /// The time when ``OverlayEvent/deadlineReached`` is due; nil when only an event can change anything.
  package var nextDeadline: Duration? {
    banner.nextDeadline.earlier(toasts.nextDeadline).earlier(quiet.map { isQuiet ? $0.end : $0.start })
  }

  package mutating func handle(_ event: OverlayEvent, at now: Duration) -> [OverlayEffect] {
    switch event {
    case .banner(let event):
      banner.handle(event, at: now)
      return []
    case .toast(let event): return toasts.handle(event, at: now)
    case .alert(let event): return alerts.handle(event, at: now)
    case .windowResized(let rows, let columns):
      banner.handle(.windowResized(rows: rows, columns: columns), at: now)
      return toasts.handle(.windowResized(rows: rows, columns: columns), at: now)
    case .quietChanged(let period):
      quiet = period
      return updateQuiet(at: now)
    case .deadlineReached:
      banner.handle(.deadlineReached, at: now)
      return toasts.handle(.deadlineReached, at: now) + updateQuiet(at: now)
    }
  }

  private mutating func updateQuiet(at now: Duration) -> [OverlayEffect] {
    let wasQuiet = isQuiet
    guard let period = quiet, now < period.end else {
      let hasEnded = quiet != nil
      (quiet, isQuiet) = (nil, false)
      return hasEnded ? [.quietEnded] : []
    }
    isQuiet = period.start <= now
    return isQuiet && !wasQuiet ? [.quietBegan(period)] : []
  }
}

/// An event for the overlays of a screen.
package enum OverlayEvent: Equatable, Sendable {
  case banner(BannerEvent)
  case toast(ToastEvent)
  case alert(AlertEvent)
  /// The screen has another size; nil for an unknown one.
  case windowResized(rows: Int?, columns: Int?)
  /// The user wants quiet then; nil for no time.
  case quietChanged(QuietPeriod?)
  /// The clock may have reached ``OverlayModel/nextDeadline``. Early, late and repeated deliveries are harmless.
  case deadlineReached
}

/// The end of an overlay. Each toast ends once; each alert is answered, refused or withdrawn once.
package enum OverlayEffect: Equatable, Sendable {
  /// The toast has left the screen, or will never show.
  case toastEnded(ToastID)
  /// The user chose a button, or dismissed the alert (nil).
  case alertAnswered(AlertID, button: Int?)
  /// The screen cannot show the alert: the client must ask elsewhere.
  case alertRefused(AlertID, AlertRefusal)
  /// Banner and toasts no longer show, or show again.
  case quietBegan(QuietPeriod)
  case quietEnded
}

/// The overlays of a screen for observers: content without motion.
package struct OverlayStatus: Equatable, Sendable {
  package var banner: BannerStatus
  /// The toast in front; nil once it is leaving.
  package var toast: ToastContent?
  /// The alert in front.
  package var alert: Alert?
  /// The current time without banner and toasts; nil while they may show.
  package var quiet: QuietPeriod?

  package init(
    banner: BannerStatus = BannerStatus(), toast: ToastContent? = nil, alert: Alert? = nil, quiet: QuietPeriod? = nil
  ) {
    self.quiet = quiet
    self.banner = banner
    self.toast = toast
    self.alert = alert
  }
}
