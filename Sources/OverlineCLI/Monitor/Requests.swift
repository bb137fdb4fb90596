internal import Overline
internal import OverlineCore
internal import OverlineShell

/// Observers' requests to the monitor.
extension Monitor {
  func answer(
    _ request: ObserverRequest, from client: ClientID,
    _ completion: @escaping @Sendable (ObserverResponse) -> Void
  ) {
    overlays.answer(request, from: client, completion) { answer(request, completion) }
  }

  private func answer(_ request: ObserverRequest, _ completion: @escaping @Sendable (ObserverResponse) -> Void) {
    switch request {
    // ``Overlays`` answers these.
    case .watch, .status, .present, .dismiss, .dismissClaim, .toast, .dismissToast, .alert: break
    case .reload: completion(reload())
    case .refresh:
      let error = "the monitor has no program to refresh; call this in a window of overline run"
      completion(ObserverResponse(ProtocolError(.unsupported, error)))
    case .metrics: completion(.ok(.string(records.metrics(counters: counters).text(.openMetrics))))
    case .tmuxAttach(let socket):
      tmux.attach(TmuxServer(socket: socket)) { completion(.init($0)) }
    case .tmuxDetach(let socket):
      tmux.detach(TmuxServer(socket: socket)) { completion(.init($0)) }
    case .tmuxStatus(let socket):
      tmux.status(of: { [unowned self] in machine.fleet }) { servers in
        completion(.ok(.array(servers.filter { socket == nil || $0.server.socket == socket }.map(JSONValue.init))))
      }
    }
  }
}

extension JSONValue {
  fileprivate init(_ status: TmuxFleet.Status) {
    var members: [String: JSONValue] = ["socket": .string(status.server.socket)]
    switch status.state {
    case .driven(let version, let inset, let probe):
      members["version"] = .string(version)
      members["inset"] = .object(["top": .integer(inset.top), "bottom": .integer(inset.bottom)])
      if let probe {
        members["sessions"] = .integer(probe.sessions.count)
        members["clients"] = .integer(probe.clientCount)
      }
    case .notAttached(let error): members["error"] = .string("\(error)")
    }
    self = .object(members)
  }
}

extension ObserverResponse {
  init(_ error: TmuxError?) {
    self = error.map { .failure(message: "\($0)", code: $0.code.rawValue) } ?? .ok()
  }
}
