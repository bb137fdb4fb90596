internal import Banner
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
    case .present(let banner):
      completion(present(banner))
    case .dismiss:
      deliver(.bannerDismissedByUser)
      completion(.ok())
    case .toast, .dismissToast, .alert:
      completion(.failure(message: "not yet", code: "unsupported"))
    case .tmuxAttach(let socket):
      tmux?.attach(TmuxServer(socket: socket)) { completion(.init($0)) }
    case .tmuxDetach(let socket):
      tmux?.detach(TmuxServer(socket: socket)) { completion(.init($0)) }
    case .tmuxStatus(let socket):
      completion(.ok(.array(servers(socket))))
    }
  }

  private func present(_ request: ObserverRequest.BannerRequest) -> ObserverResponse {
    ObserverResponse(presenting: { deliver(.bannerPresented(try Appearance(request))) })
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

extension Appearance {
  /// What somebody asked for; throws when a colour is none.
  init(_ request: ObserverRequest.BannerRequest) throws(ColorError) {
    var builder = AppearanceBuilder().title(request.title)
    if let background = request.background { builder = builder.backgroundColor(try Color(parsing: background)) }
    if let text = request.text { builder = builder.textColor(try Color(parsing: text)) }
    if let height = request.height { builder = builder.height(height) }
    self = builder.appearance
  }
}

extension ObserverResponse {
  /// What comes of showing a banner.
  init(presenting body: () throws -> Void) {
    do {
      try body()
      self = .ok()
    } catch {
      self = .failure(message: "\(error)", code: "bad-colour")
    }
  }

  init(_ error: TmuxError?) {
    self = error.map { .failure(message: "\($0)", code: $0.code.rawValue) } ?? .ok()
  }
}
