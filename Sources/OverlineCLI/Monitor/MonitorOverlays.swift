internal import Overline
internal import OverlineCore
internal import OverlineShell

/// The monitor has no screen. Its overlays show in the tmux servers that it drives, or as lines of its output.
extension Monitor: OverlayScreen {
  func post(_ toast: ToastContent, id: ToastID, tmux server: String?, shown: @escaping @Sendable (Int) -> Void) {
    let isInTmux = !tmux.driven.isEmpty
    // First, since tmux may report the toast's end before `post` has returned.
    handle(.toastPosted(toast, id: id, inTmux: isInTmux))
    if !isInTmux { return shown(0) }
    tmux.post(toast, id: id, to: server.map { TmuxServer(socket: $0) }, shown: shown)
    arm()
  }

  func dismissToast(_ id: ToastID) { handle(.toastDismissed(id)) }

  func dismissFrontToast(tmux server: String?) -> Bool {
    // The toast in tmux is the front one. Observers receive its end when tmux reports it.
    if tmux.dismissFrontToast(in: server.map { TmuxServer(socket: $0) }) { return true }
    let isOurs = machine.hasToastOutsideTmux
    handle(.frontToastDismissed)
    return isOurs
  }

  func ask(_ alert: Alert, id: AlertID) {}

  func withdrawAlert(_ id: AlertID) {}

  /// Status bars count too: they show a banner's title from the state.
  func countBannerScreens(_ completion: @escaping @Sendable (Int) -> Void) {
    tmux.countClients { [self] in completion($0 + (observers?.barCount ?? 0)) }
  }

  func post(_ event: BannerEvent) { handle(.bannerChanged(event)) }

  var screen: OwnersMachine.Screen {
    let banner = machine.overlays.status.banner
    return OwnersMachine.Screen(.monitor, hasBanner: banner.banner != nil, showsClaim: banner.claim == .shown)
  }

  func handle(_ event: TmuxServersEvent) {
    switch event {
    case .serverAnswered(let server, let probe):
      tmux.drive(server, probe, like: machine.overlays, reserve: keeper.current.tmux.reserve)
    case .toastEnded(let id, let unseen): handle(.toastEndedInTmux(id, unseen: unseen))
    case .deadlineChanged: arm()
    }
  }
}
