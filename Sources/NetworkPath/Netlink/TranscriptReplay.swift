extension Transcript {
  /// What came of a replay.
  package struct Replay: Hashable, Sendable {
    /// The paths that are told now, in order.
    package var paths: [NWPath] = []
    /// Questions that nobody asked when it was recorded. With any, the paths may not be what the kernel would have made of it.
    package var unanswered = 0
  }

  /// Decides again, from what was seen, by the code that watches: the messages' parser, the machine and the decision. No socket, no
  /// clock and no file is touched.
  package func replay() -> Replay {
    let player = TranscriptPlayer(self)
    let sockets = NetlinkSockets(player)
    var machine = PathMachine()
    var replay = Replay()
    while let moment = player.next() {
      var now = moment.time
      var events = PathMachine.Event.all(of: moment.happening, sockets: sockets)[...]
      while let event = events.popFirst() {
        for effect in machine.handle(event, at: now) {
          switch effect {
          case .open:
            let opening = player.next { if case .opened = $0 { true } else { false } }
            now = opening?.time ?? now
            let isOpen = opening?.happening != .opened(false)
            events.append(isOpen ? .opened : .failed(why: "the sockets could not be opened"))
          case .close: break
          case .dump:
            now = player.next { $0 == .dumped }?.time ?? now
            events.append(sockets.dump())
          case .evaluate:
            now = player.next { $0 == .evaluated }?.time ?? now
            events.append(
              sockets.evaluate(
                machine.tables, options: options, lastUsed: machine.lastUsed, surroundings: player))
          case .publish(let path): replay.paths.append(path)
          }
        }
      }
    }
    replay.unanswered = player.unanswered
    return replay
  }
}
