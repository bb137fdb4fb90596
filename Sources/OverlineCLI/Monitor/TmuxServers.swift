internal import Banner
internal import Configuration
internal import Dispatch
internal import ObserverSocket
internal import POSIX
internal import Tmux

/// The tmux servers that the monitor drives: a window and a banner machine for each.
///
/// Used on the monitor's queue only.
final class TmuxServers: @unchecked Sendable {
  private struct Driven {
    let window: TmuxWindow
    var machine: BannerMachine
    var probe: TmuxProbe
  }

  private unowned let monitor: Monitor
  private let registry: TmuxRegistry?
  private let guardian: GuardianProcess
  private var driven: [TmuxServer: Driven] = [:]

  init(monitor: Monitor, directory: RuntimeDirectory?, lock: Int32?) {
    self.monitor = monitor
    registry = directory.map { TmuxRegistry(directory: $0) }
    guardian = GuardianProcess(
      executable: ProcessEnvironment.executable, arguments: [PlainCommands.guardianVerb],
      inheriting: lock.map { [$0] } ?? [])
  }

  var nextDeadline: Duration? { driven.values.compactMap(\.machine.nextDeadline).min() }

  /// The servers driven now, by their sockets.
  var registered: [(socket: String, probe: TmuxProbe, inset: Inset)] {
    driven.map { ($0.key.socket, $0.value.probe, $0.value.machine.inset) }.sorted { $0.0 < $1.0 }
  }

  /// Attaches to the server this process was started in, and to those that registered with an earlier monitor or with none.
  func attachKnown() {
    var servers = (registry?.sockets ?? []).map { TmuxServer(socket: $0) }
    if let own = ProcessEnvironment["TMUX"].flatMap({ TmuxServer(environment: $0) }) { servers.append(own) }
    for server in Set(servers) {
      attach(server) { [registry, console = monitor.console] error in
        guard let error else { return }
        if error.code == .serverGone { registry?.remove(server.socket) } else { console.complain("\(error)") }
      }
    }
  }

  /// Begins to drive a server; one that is driven already is looked at anew, as after a reload of its configuration.
  ///
  /// - Parameter completion: called on the monitor's queue.
  func attach(_ server: TmuxServer, completion: @escaping @Sendable (TmuxError?) -> Void) {
    // Asking a server takes milliseconds, in which the monitor has other things to do.
    DispatchQueue.global().async { [monitor] in
      let result = Result { () throws(TmuxError) in try server.probe() }
      monitor.queue.async {
        switch result {
        case .success(let probe):
          self.drive(server, probe)
          completion(nil)
        case .failure(let error):
          completion(error)
        }
      }
    }
  }

  private func drive(_ server: TmuxServer, _ probe: TmuxProbe) {
    for warning in probe.options.warnings { monitor.console.complain("tmux (\(server.socket)): \(warning)") }
    registry?.add(server.socket)
    let now = BootClock.now
    let reserve = probe.options.reserve ?? monitor.reserve
    let settings = settings(probe.options)
    if driven[server] != nil {
      driven[server]!.probe = probe
      _ = driven[server]!.machine.handle(.settingsChanged(settings), at: now)
      driven[server]!.window.reload(reserve: reserve)
    } else {
      let window = TmuxWindow(
        server: server, reserve: reserve, guardian: guardian,
        onGone: { [unowned self] in monitor.queue.async { self.forget(server) } },
        onError: { [console = monitor.console] in console.complain($0) })
      var machine = BannerMachine(settings: settings, window: .tmux(edge: probe.position == .top ? .top : .bottom))
      if let custom = monitor.reference.customBanner { _ = machine.handle(.bannerPresented(custom), at: now) }
      if let event = monitor.eventForLateWindow { _ = machine.handle(event, at: now) }
      driven[server] = Driven(window: window, machine: machine, probe: probe)
    }
    driven[server]!.window.update(driven[server]!.machine.frame)
    monitor.arm()
  }

  /// The settings, with what the server's owner wants otherwise.
  private func settings(_ options: TmuxOptions) -> BannerSettings {
    var settings = monitor.settings
    settings.offline = options.offline(settings.offline)
    settings.restored = options.restored(settings.restored)
    return settings
  }

  func handle(_ event: BannerEvent, at now: Duration) {
    for server in driven.keys {
      let effects = driven[server]!.machine.handle(event, at: now)
      if !effects.isEmpty { driven[server]!.window.update(driven[server]!.machine.frame) }
    }
  }

  /// Removes every trace from a server, whether it is driven or not.
  func detach(_ server: TmuxServer, completion: @escaping @Sendable (TmuxError?) -> Void) {
    registry?.remove(server.socket)
    if let window = driven.removeValue(forKey: server)?.window {
      window.close(completion: completion)
    } else {
      DispatchQueue.global().async {
        do {
          try server.restoreSaved()
          completion(nil)
        } catch {
          completion(error as? TmuxError)
        }
      }
    }
  }

  private func forget(_ server: TmuxServer) {
    driven[server] = nil
    registry?.remove(server.socket)
    monitor.arm()
  }

  /// Gives every server its lines back, then calls `completion`.
  func close(completion: @escaping @Sendable () -> Void) {
    let group = DispatchGroup()
    for one in driven.values {
      group.enter()
      one.window.close { _ in group.leave() }
    }
    driven = [:]
    group.notify(queue: monitor.queue, execute: completion)
  }
}
