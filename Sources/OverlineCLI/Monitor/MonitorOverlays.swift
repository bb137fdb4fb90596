internal import Overline
internal import OverlineCore
internal import OverlineShell

/// The monitor has no screen. Its overlays show in the tmux servers that it drives, or as lines of its output.
extension Monitor: OverlayScreen {
  func post(_ toast: ToastContent, id: ToastID, tmux server: String?, shown: @escaping @Sendable (Int) -> Void) {
    let server = server.map { TmuxServer(socket: $0) }
    handle(.toastPosted(toast, id: id, in: server, tmux.request(shown: shown)))
  }

  func dismissToast(_ id: ToastID) { handle(.toastDismissed(id)) }

  func dismissFrontToast(tmux server: String?) -> Bool {
    let server = server.map { TmuxServer(socket: $0) }
    let isShown = machine.showsToast(in: server)
    handle(.frontToastDismissed(in: server))
    return isShown
  }

  func ask(_ alert: Alert, id: AlertID) {}

  func withdrawAlert(_ id: AlertID) {}

  /// Status bars count too: they show a banner's title from the state.
  func countBannerScreens(_ completion: @escaping @Sendable (Int) -> Void) {
    tmux.countClients(machine.fleet.members.map(\.server)) { [self] in
      completion($0.values.reduce(observers?.barCount ?? 0) { $0 + $1.clientCount })
    }
  }

  func post(_ event: BannerEvent) { handle(.bannerChanged(event)) }

  var screen: OwnersMachine.Screen {
    let status = machine.overlays.status
    return OwnersMachine.Screen(
      .monitor, hasBanner: status.banner.banner != nil, showsClaim: status.banner.claim == .shown,
      pausedUntil: status.quiet?.words)
  }
}
