import NetworkPath
import Overline
import OverlineCore
import OverlineSimulatedMachine

/// What the shell does for tmux servers.
extension SimulatedMonitor {
  enum Moment { case before, after }

  func port(_ server: TmuxServer) -> SimulatedPort {
    SimulatedPort(place: world.place(server), monitor: self, isGuardian: false)
  }

  /// Counts a run of tmux, and dies before it or after it when that was decided.
  func countRun() -> Moment? {
    guard let run = deadlyRun else { return nil }
    deadlyRun?.left = run.left - 1
    if run.left > 1 { return nil }
    deadlyRun = nil
    if run.isBefore { die() }
    return run.isBefore ? .before : .after
  }

  func perform(_ effect: FleetMachine.Effect) {
    switch effect {
    case .probe(let server, let question): probe(server, question)
    case .countClients(let servers, let question):
      count(servers) { $0.handle(.tmux(.counted($1, question: question))) }
    case .open(let server, let number, let sessions, let reserve):
      windows[server] = SimulatedWindow(number, self, port(server), sessions, reserve)
    case .show(let server, let content):
      world.place(server).hasChanged = false
      windows[server]?.show(content)
    case .reload(let server, let reserve): windows[server]?.handle(.reloaded(reserve))
    case .close(let server, let request):
      let answer = request.flatMap { tmuxAnswers.removeValue(forKey: $0) }
      windows.removeValue(forKey: server)?.close { [weak self] error in
        answer?(error)
        self?.later(.zero) { $0.handle(.tmux(.left(server))) }
      }
    case .abandon(let server):
      guarded.remove(server)
      windows.removeValue(forKey: server)?.handle(.abandoned)
    case .restore(let server, let request):
      let answer = tmuxAnswers.removeValue(forKey: request)
      later([server], within: .seconds(10)) { monitor in
        do throws(TmuxError) {
          try monitor.port(server).restoreSaved()
          answer?(nil)
        } catch {
          answer?(error)
        }
        monitor.handle(.tmux(.left(server)))
      }
    case .register(let server): world.registry.insert(server)
    case .unregister(let server): world.registry.remove(server)
    case .answer(let request, let error): tmuxAnswers.removeValue(forKey: request)?(error)
    case .shown(let request, let clients): shownCounts.removeValue(forKey: request)?(clients)
    case .warn, .toastEnded: break
    }
  }

  /// Runs tmux for servers: later, and once they answer or the time is over.
  func later(_ servers: [TmuxServer], within time: Duration, _ body: @escaping (SimulatedMonitor) -> Void) {
    let end = world.now + time
    func attempt(_ monitor: SimulatedMonitor) {
      let waits = servers.contains { monitor.world.place($0).isStopped } && monitor.world.now < end
      if waits { monitor.later(.milliseconds(100), attempt) } else { body(monitor) }
    }
    later(nil, attempt)
  }

  func probe(_ server: TmuxServer, _ question: Int) {
    let number = windows[server]?.number
    later([server], within: .seconds(10)) { monitor in
      let result = Result { () throws(TmuxError) in try monitor.port(server).probe() }
      if case .failure(let error) = result, error.code == .serverGone, let number {
        monitor.handle(.tmux(.windowEnded(server, window: number)))
      }
      monitor.handle(.tmux(.probed(result, question: question)))
    }
  }

  func count(
    _ servers: [TmuxServer], _ body: @escaping (SimulatedMonitor, [TmuxServer: TmuxActivity]) -> Void
  ) {
    let numbers = windows.mapValues(\.number)
    later(servers, within: .milliseconds(500)) { monitor in
      var counts: [TmuxServer: TmuxActivity] = [:]
      for server in servers {
        do throws(TmuxError) {
          counts[server] = try monitor.port(server).activity()
        } catch {
          guard error.code == .serverGone, let number = numbers[server] else { continue }
          monitor.handle(.tmux(.windowEnded(server, window: number)))
        }
      }
      body(monitor, counts)
    }
  }

  func windowClosed(_ window: SimulatedWindow) {
    guard waitingWindows.remove(ObjectIdentifier(window)) != nil else { return }
    if isEnding, waitingWindows.isEmpty { die() }
  }
}
