internal import Banner
internal import History
internal import ObserverProtocol
internal import ObserverSocket
internal import Tmux

/// What observers ask of the monitor.
extension Monitor {
  func answer(
    _ request: ObserverRequest, from client: ObserverServer.ClientID,
    _ completion: @escaping @Sendable (ObserverResponse) -> Void
  ) {
    switch request {
    case .watch, .status:
      // The server itself answers these.
      completion(.ok())
    case .present(let banner): completion(overlays.present(banner, from: client))
    case .dismiss: completion(overlays.dismissBanner())
    case .toast(let toast): completion(overlays.post(toast, from: client))
    case .dismissToast(let name): completion(overlays.dismiss(name))
    case .alert(let alert): overlays.ask(alert, from: client, completion)
    case .reload: completion(reload())
    case .metrics: completion(.ok(.string(metrics.text(.openMetrics))))
    case .tmuxAttach(let socket):
      tmux?.attach(TmuxServer(socket: socket)) { completion(.init($0)) }
    case .tmuxDetach(let socket):
      tmux?.detach(TmuxServer(socket: socket)) { completion(.init($0)) }
    case .tmuxStatus(let socket):
      completion(.ok(.array(servers(socket))))
    }
  }

  private func servers(_ socket: String?) -> [JSONValue] {
    (tmux?.registered ?? []).filter { socket == nil || $0.socket == socket }.map { server in
      .object([
        "socket": .string(server.socket), "version": .string(server.probe.version),
        "sessions": .integer(server.probe.sessionCount), "clients": .integer(server.probe.clientCount),
        "inset": .object(["top": .integer(server.inset.top), "bottom": .integer(server.inset.bottom)]),
      ])
    }
  }
}

extension ObserverResponse {
  init(_ error: TmuxError?) {
    self = error.map { .failure(message: "\($0)", code: $0.code.rawValue) } ?? .ok()
  }
}
