package import NetworkPath

extension Transcript {
  /// The result of a replay.
  package struct Replay: Equatable, Sendable {
    /// The paths that the replay published, in order.
    package var paths: [NWPath] = []
    /// The number of questions that the recording does not contain. If it is not 0, the paths may differ from the recorded ones.
    package var unanswered = 0
    /// The names of all interfaces that the tables contained at some time.
    package var interfaces: Set<String> = []
    /// The addresses of these interfaces.
    package var addresses: Set<AnyIPAddress> = []
  }

  /// Decides the paths again from the recorded data, with the watcher's code: the parser of the messages, the machine and the decision.
  /// Uses no socket, clock or file.
  package func replay() -> Replay {
    let player = TranscriptPlayer(self)
    let sockets = NetlinkSockets(player)
    var machine = PathMachine()
    var replay = Replay()
    while let moment = player.next() {
      var now = moment.time
      var events = events(of: moment.event, sockets)[...]
      while let event = events.popFirst() {
        for effect in machine.handle(event, at: now) {
          switch effect {
          case .open:
            let opening = player.next { if case .opened = $0 { true } else { false } }
            now = opening?.time ?? now
            let isOpen = opening?.event != .watcher(.opened(false))
            events.append(isOpen ? .opened : .failed(why: "the sockets could not be opened"))
          case .close: break
          case .dump:
            now = player.next { $0 == .dumped }?.time ?? now
            events.append(sockets.dump())
          case .evaluate:
            now = player.next { $0 == .evaluated }?.time ?? now
            if let error = player.takeRefusedFilter() {
              events.append(.failed(why: "\(error)"))
            } else {
              events.append(sockets.evaluate(machine, options: options, host: player))
            }
          case .watchRouters, .kick, .askHost, .lookAtQuality, .suggestCheck: break
          case .readRouters(let routers):
            now = player.next { $0 == .routersRead }?.time ?? now
            events.append(sockets.read(routers))
          case .countPackets(let links):
            // Older recordings do not have the counts.
            guard let counting = player.next(where: { $0 == .packetsCounted }) else { continue }
            now = counting.time
            events.append(sockets.countPackets(of: links))
          case .lookAtConnections:
            now = player.next { $0 == .connectionsLooked }?.time ?? now
            events.append(.connectionsLooked(player.look))
          case .publish(let path): replay.paths.append(path)
          }
        }
        replay.interfaces.formUnion(machine.tables.links.values.lazy.map(\.name))
        replay.addresses.formUnion(machine.tables.addresses.values.lazy.flatMap(\.keys).map(\.address))
      }
    }
    replay.unanswered = player.unanswered
    return replay
  }

  private func events(of event: Event, _ sockets: NetlinkSockets) -> [PathMachine.Event] {
    switch event {
    case .watcher(let event): PathMachine.Event.all(of: event, sockets: sockets)
    // The replay's own paths count.
    case .published: []
    }
  }
}
