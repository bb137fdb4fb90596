internal import Overline
internal import OverlineObservers
internal import OverlineSystem
internal import OverlineTmux

/// The monitor has no screen of its own: its overlays show in the tmux servers that it drives, or are a line of its own.
extension Monitor: OverlayScreen {
  func post(_ toast: ToastContent, id: ToastID, tmux server: String?, shown: @escaping @Sendable (Int) -> Void) {
    // tmux may report the toast's end before `post` has returned.
    toastsInTmux.insert(id)
    if tmux?.post(toast, id: id, to: server.map { TmuxServer(socket: $0) }, shown: shown) != true {
      toastsInTmux.remove(id)
      say(toast.announcement)
      shown(0)
    }
    handle(.toastPosted(toast, id: id), at: BootClock.now)
    deliver(nil)
  }

  func dismissToast(_ id: ToastID) {
    tmux?.dismissToast(id)
    handle(.toastDismissed(id), at: BootClock.now)
    deliver(nil)
  }

  func dismissFrontToast(tmux server: String?) -> Bool {
    // The toast in tmux is the front one: observers learn of its end when it has ended there.
    if tmux?.dismissFrontToast(in: server.map { TmuxServer(socket: $0) }) == true { return true }
    guard !toasts.isEmpty, toastsInTmux.isEmpty else { return false }
    handle(.frontToastDismissed, at: BootClock.now)
    deliver(nil)
    return true
  }

  func toastEndedInTmux(_ id: ToastID) {
    toastsInTmux.remove(id)
    overlays.toastEnded(id)
    handle(.toastDismissed(id), at: BootClock.now)
    deliver(nil)
  }

  func ask(_ alert: Alert, id: AlertID) throws(ProtocolError) {
    throw ProtocolError(
      .unsupported, "the monitor has no screen to ask on; overline alert asks in the window or terminal it is called in"
    )
  }

  func withdrawAlert(_ id: AlertID) {}

  func countBannerScreens(_ completion: @escaping @Sendable (Int) -> Void) {
    guard let tmux else { return completion(barCount) }
    tmux.countClients { [self] in completion($0 + barCount) }
  }

  func post(_ event: BannerEvent) { deliver(event) }

  /// Handles a toast event for observers; tmux shows toasts in its own time.
  func handle(_ event: ToastEvent, at now: Duration) {
    for effect in toasts.handle(event, at: now) {
      switch effect {
      case .publish(let new): toast = new
      case .end(let id): if !toastsInTmux.contains(id) { overlays.toastEnded(id) }
      case .draw, .clear: break
      }
    }
  }
}
