/// The banner, the toasts and the alerts of one screen.
///
/// A value, like the machines that it holds. A driver passes it events and the time, shows ``presentation``, and delivers
/// ``OverlayEvent/deadlineReached`` at ``nextDeadline``. A driver that draws slowly needs only the newest presentation: the effects report
/// completions, not frames.
package struct OverlayModel: Sendable {
  package private(set) var banner: BannerMachine
  package private(set) var toasts: ToastMachine
  private var alerts = AlertMachine()

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
    return late
  }

  /// The frames to show now.
  package var presentation: Presentation {
    Presentation(banner: banner.frame, alert: alerts.frame, toast: toasts.frame)
  }

  /// Whether ``presentation`` is empty. Asked for each key: `== nil` would copy the frames.
  package var isEmpty: Bool {
    if case .none = banner.frame, case .none = toasts.frame { alerts.isEmpty } else { false }
  }

  /// The rows that the banner occupies.
  package var inset: Inset { banner.inset }

  /// The overlays for observers, without the motion in between.
  package var status: OverlayStatus {
    OverlayStatus(banner: banner.status, toast: toasts.current, alert: alerts.frame?.alert)
  }

  /// The time when ``OverlayEvent/deadlineReached`` is due; nil when only an event can change anything.
  package var nextDeadline: Duration? { banner.nextDeadline.earlier(toasts.nextDeadline) }

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
    case .deadlineReached:
      banner.handle(.deadlineReached, at: now)
      return toasts.handle(.deadlineReached, at: now)
    }
  }
}

/// An event for the overlays of a screen.
package enum OverlayEvent: Hashable, Sendable {
  case banner(BannerEvent)
  case toast(ToastEvent)
  case alert(AlertEvent)
  /// The screen has another size; nil for an unknown one.
  case windowResized(rows: Int?, columns: Int?)
  /// The clock may have reached ``OverlayModel/nextDeadline``. Early, late and repeated deliveries are harmless.
  case deadlineReached
}

/// The end of an overlay. Each toast ends once; each alert is answered, refused or withdrawn once.
package enum OverlayEffect: Hashable, Sendable {
  /// The toast has left the screen, or will never show.
  case toastEnded(ToastID)
  /// The user chose a button, or dismissed the alert (nil).
  case alertAnswered(AlertID, button: Int?)
  /// The screen cannot show the alert: the client must ask elsewhere.
  case alertRefused(AlertID, AlertRefusal)
}

/// The overlays of a screen for observers: content without motion.
package struct OverlayStatus: Hashable, Sendable {
  package var banner: BannerStatus
  /// The toast in front; nil once it is leaving.
  package var toast: ToastContent?
  /// The alert in front.
  package var alert: Alert?

  package init(banner: BannerStatus = BannerStatus(), toast: ToastContent? = nil, alert: Alert? = nil) {
    self.banner = banner
    self.toast = toast
    self.alert = alert
  }
}
