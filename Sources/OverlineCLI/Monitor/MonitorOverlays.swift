internal import Overline
internal import OverlineConfiguration
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
    handle(.toast(.toastPosted(toast, id: id)), at: BootClock.now)
    deliver(nil)
  }

  func dismissToast(_ id: ToastID) {
    tmux?.dismissToast(id)
    handle(.toast(.toastDismissed(id)), at: BootClock.now)
    deliver(nil)
  }

  func dismissFrontToast(tmux server: String?) -> Bool {
    // The toast in tmux is the front one: observers learn of its end when it has ended there.
    if tmux?.dismissFrontToast(in: server.map { TmuxServer(socket: $0) }) == true { return true }
    guard !reference.toasts.isEmpty, toastsInTmux.isEmpty else { return false }
    handle(.toast(.frontToastDismissed), at: BootClock.now)
    deliver(nil)
    return true
  }

  func handle(_ event: TmuxServersEvent) {
    switch event {
    case .serverAnswered(let server, let probe):
      tmux?.drive(server, probe, like: reference, reserve: keeper.current.tmux.reserve)
    case .toastEnded(let id, let unseen):
      if let unseen { say(unseen.announcement) }
      toastsInTmux.remove(id)
      overlays.toastEnded(id)
      handle(.toast(.toastDismissed(id)), at: BootClock.now)
      deliver(nil)
    case .deadlineChanged: arm()
    }
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

  func post(_ event: BannerEvent) { deliver(.banner(event)) }

  /// Handles an event for observers; tmux shows toasts in its own time.
  func handle(_ event: OverlayEvent, at now: Duration) {
    for effect in reference.handle(event, at: now) {
      switch effect {
      case .toastEnded(let id): if !toastsInTmux.contains(id) { overlays.toastEnded(id) }
      case .alertAnswered, .alertRefused: break
      }
    }
  }
}
