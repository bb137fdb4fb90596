import NetworkPath
import Overline
import OverlineCore
import OverlineSimulatedMachine

/// What the shell does for clients of the protocol, and for the owners of overlays.
extension SimulatedMonitor {
  func handle(server event: ServerMachine.Event) {
    serverEvents.append(event)
    guard serverEvents.count == 1 else { return }
    while let event = serverEvents.first {
      for effect in server.handle(event, at: world.now) { perform(effect) }
      serverEvents.removeFirst()
    }
  }

  func client(_ id: ClientID) -> SimulatedClient? { world.clients.values.first { $0.id == id } }

  func perform(_ effect: ServerMachine.Effect) {
    switch effect {
    case .admit(let id): world.arrival?.id = id
    case .refuse: break
    case .send(let id): send(to: id)
    case .watch(let id, _, let writes): client(id)?.isWrittenTo = writes
    case .perform(let request, let id, let number):
      answer(request, from: id) { [weak self] response in
        self?.later(.zero) { $0.handle(server: .answered(response, id, number: number)) }
      }
    case .takeTurn(let id): later(.zero) { $0.handle(server: .turnCame(id)) }
    case .left(let id):
      handle(owners: .clientLeft(id))
      handle(.clientLeft)
    case .close(let id):
      if client(id)?.isDeaf == false { world.fail(.clients, "a client that reads is dropped") }
      client(id)?.id = nil
    case .accept: break
    }
  }

  func send(to id: ClientID) {
    guard let client = client(id) else { return }
    while let head = server.head(for: id) {
      let count = client.accept(head)
      if count == 0 { return handle(server: .flushed(id, .full)) }
      server.sent(count, to: id)
    }
    handle(server: .flushed(id, .done))
  }

  func answer(
    _ request: ObserverRequest, from id: ClientID, _ completion: @escaping (ObserverResponse) -> Void
  ) {
    world.coverage.requests += 1
    switch request {
    case .watch, .status: completion(.ok())
    case .present, .dismiss, .dismissClaim, .toast, .dismissToast, .alert:
      requestCount += 1
      completions[requestCount] = completion
      let banner = machine.overlays.status.banner
      handle(
        owners: .requested(
          request, from: id, requestCount,
          on: .init(.monitor, hasBanner: banner.banner != nil, showsClaim: banner.claim == .shown)))
    case .reload:
      handle(.configurationRead(world.readConfiguration()))
      completion(.ok())
    case .refresh, .metrics, .tmuxStatus: completion(.ok())
    case .tmuxAttach(let socket):
      requestCount += 1
      let place = world.place(TmuxServer(socket: socket))
      attaching.insert(place.server)
      tmuxAnswers[requestCount] = { error in
        self.attaching.remove(place.server)
        // One that does not answer in time is asked again, after up to 16 minutes.
        if error == nil { place.isWanted = place.model != nil }
        completion(.ok())
      }
      handle(.tmux(.attach(TmuxServer(socket: socket), requestCount)))
    case .tmuxDetach(let socket):
      requestCount += 1
      let place = world.place(TmuxServer(socket: socket))
      tmuxAnswers[requestCount] = { error in
        place.isUndetached = error != nil
        completion(.ok())
      }
      handle(.tmux(.detach(TmuxServer(socket: socket), requestCount)))
      world.place(TmuxServer(socket: socket)).isWanted = false
    }
  }

  /// The number of requests that wait for an answer.
  var openRequests: Int { completions.count + tmuxAnswers.count + shownCounts.count }

  // MARK: Owners

  func processEnded(_ process: Int32) {
    for watch in watches where watch.process == process { handle(owners: .processEnded(watch.overlay)) }
  }

  func handle(owners event: OwnersMachine.Event) {
    for effect in owners.handle(event) where isAlive { perform(effect) }
  }

  func perform(_ effect: OwnersMachine.Effect) {
    switch effect {
    case .watch(let process, let overlay):
      guard world.processes.contains(process) else {
        return handle(owners: .processMissing(overlay, ProtocolError(.noProcess, "no such process")))
      }
      watches.append((process, overlay))
      handle(owners: .watched(overlay))
    case .unwatch(let overlay): watches.removeAll { $0.overlay == overlay }
    case .post(let toast, let id, let tmux, let request):
      oracle.noteToast(id.rawValue)
      world.coverage.toasts += 1
      requestCount += 1
      shownCounts[requestCount] = { [weak self] in
        self?.handle(owners: .toastShown(id, screens: $0, request))
      }
      handle(.toastPosted(toast, id: id, in: tmux.map(TmuxServer.init(socket:)), requestCount))
    case .dismissToast(let id): handle(.toastDismissed(id))
    case .dismissFrontToast(let tmux, let request):
      let server = tmux.map(TmuxServer.init(socket:))
      let isShown = machine.showsToast(in: server)
      handle(.frontToastDismissed(in: server))
      handle(owners: .frontToastDismissed(found: isShown, request))
    case .ask, .withdraw: break
    case .countScreens(let banner):
      let servers = machine.fleet.members.map(\.server)
      count(servers) { monitor, counts in
        let screens = counts.values.reduce(monitor.server.barCount) { $0 + $1.clientCount }
        monitor.handle(owners: .screensCounted(banner, screens: screens))
      }
    case .show(let event): handle(.bannerChanged(event))
    case .answer(let request, let response): completions.removeValue(forKey: request)?(response)
    }
  }
}
