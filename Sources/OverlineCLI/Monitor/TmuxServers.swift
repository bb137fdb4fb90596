internal import Banner
internal import Configuration
internal import Dispatch
internal import ObserverSocket
internal import POSIX
internal import Tmux

/// The tmux servers that the monitor drives: a window for each, and the machines of its banner and its toasts.
///
/// Used on the monitor's queue only.
final class TmuxServers: @unchecked Sendable {
  private struct Driven {
    let window: TmuxWindow
    var machine: BannerMachine
    var toasts: ToastMachine
    var probe: TmuxProbe
    /// The toasts that were posted here and are not over.
    var open: Set<ToastID> = []

    func show() { window.update(banner: machine.frame, toast: toasts.frame) }
  }

  private unowned let monitor: Monitor
  private let registry: TmuxRegistry?
  private let guardian: GuardianProcess
  private var driven: [TmuxServer: Driven] = [:]
  /// Toasts for the server that is in use, while that is being found out.
  private var undecided: [(content: ToastContent, id: ToastID)] = []
  /// Told once of each toast that was posted, when it is over: after its animation, or with its server.
  var onToastEnd: (ToastID) -> Void = { _ in }
  var toastSettings = ToastSettings() {
    didSet { for server in driven.keys { handle(.settingsChanged(toastSettings), in: server, at: BootClock.now) } }
  }

  init(monitor: Monitor, directory: RuntimeDirectory?, lock: Int32?) {
    self.monitor = monitor
    registry = directory.map { TmuxRegistry(directory: $0) }
    guardian = GuardianProcess(
      executable: ProcessEnvironment.executable, arguments: [PlainCommands.guardianVerb],
      inheriting: lock.map { [$0] } ?? [])
  }

  var nextDeadline: Duration? {
    driven.values.flatMap { [$0.machine.nextDeadline, $0.toasts.nextDeadline] }.compactMap { $0 }.min()
  }

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
      let traits = WindowTraits.tmux(edge: probe.position == .top ? .top : .bottom)
      var machine = BannerMachine(settings: settings, window: traits)
      if let custom = monitor.reference.customBanner { _ = machine.handle(.bannerPresented(custom), at: now) }
      if let event = monitor.eventForLateWindow { _ = machine.handle(event, at: now) }
      let toasts = ToastMachine(settings: toastSettings, window: traits)
      driven[server] = Driven(window: window, machine: machine, toasts: toasts, probe: probe)
    }
    driven[server]!.show()
    monitor.arm()
  }

  /// The monitor has other settings.
  func settingsChanged(at now: Duration) {
    for server in driven.keys {
      let options = driven[server]!.probe.options
      _ = driven[server]!.machine.handle(.settingsChanged(settings(options)), at: now)
      driven[server]!.window.reload(reserve: options.reserve ?? monitor.reserve)
      driven[server]!.show()
    }
  }

  /// The settings, with what the server's owner wants otherwise.
  private func settings(_ options: TmuxOptions) -> BannerSettings {
    var settings = monitor.settings
    settings.offline = options.offline(settings.offline)
    settings.restored = options.restored(settings.restored)
    settings.limited = options.limited(settings.limited)
    return settings
  }

  func handle(_ event: BannerEvent, at now: Duration) {
    for server in driven.keys {
      let effects = driven[server]!.machine.handle(event, at: now)
      if !effects.isEmpty { driven[server]!.show() }
      // Whatever happened, time has passed.
      handle(.deadlineReached, in: server, at: now)
    }
  }

  /// Removes every trace from a server, whether it is driven or not.
  func detach(_ server: TmuxServer, completion: @escaping @Sendable (TmuxError?) -> Void) {
    registry?.remove(server.socket)
    if let window = driven[server]?.window {
      forget(server)
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
    let removed = driven.removeValue(forKey: server)
    registry?.remove(server.socket)
    for id in removed?.open ?? [] { end(id) }
    monitor.arm()
  }

  /// Gives every server its lines back, then calls `completion`.
  func close(completion: @escaping @Sendable () -> Void) {
    let group = DispatchGroup()
    for one in driven.values {
      group.enter()
      one.window.close { _ in group.leave() }
    }
    let open = Set(driven.values.flatMap(\.open)).union(undecided.map(\.id))
    driven = [:]
    undecided = []
    for id in open { onToastEnd(id) }
    group.notify(queue: monitor.queue, execute: completion)
  }
}

// MARK: - Toasts

extension TmuxServers {
  /// Posts a toast to `server`; to the one that a person used last where that is nil or not driven; to every one where nobody is
  /// attached to any.
  ///
  /// - Returns: false where there is no server to show it in: nothing was posted.
  func post(_ content: ToastContent, id: ToastID, to server: TmuxServer?) -> Bool {
    if driven.isEmpty { return false }
    if let server, driven[server] != nil {
      post(content, id: id, in: [server])
    } else {
      undecided.append((content, id))
      if undecided.count == 1 { findServerInUse() }
    }
    return true
  }

  /// Takes a toast away, wherever it shows or waits.
  func dismissToast(_ id: ToastID) {
    if let index = undecided.firstIndex(where: { $0.id == id }) {
      undecided.remove(at: index)
      end(id)
    }
    for (server, one) in driven where one.open.contains(id) {
      handle(.toastDismissed(id), in: server, at: BootClock.now)
    }
    monitor.arm()
  }

  /// Takes away the toast that shows in `server`, or in every one where that is nil or not driven.
  ///
  /// - Returns: false where none shows.
  func dismissFrontToast(in server: TmuxServer?) -> Bool {
    if let undecided = undecided.first {
      dismissToast(undecided.id)
      return true
    }
    let servers = driven.keys.filter { server == nil || driven[server!] == nil || $0 == server }
    let showing = servers.filter { !driven[$0]!.open.isEmpty }
    for server in showing { handle(.frontToastDismissed, in: server, at: BootClock.now) }
    monitor.arm()
    return !showing.isEmpty
  }

  /// Asks every server, which takes milliseconds. What is posted meanwhile has the same answer.
  private func findServerInUse() {
    let servers = Array(driven.keys)
    DispatchQueue.global().async { [monitor] in
      var living: [TmuxServer] = []
      var inUse: (server: TmuxServer, time: Int)?
      for server in servers {
        let answer = Result { () throws(TmuxError) in try server.lastActivity() }
        if case .failure(let error) = answer, error.code == .serverGone { continue }
        living.append(server)
        if case .success(let time?) = answer, time > inUse?.time ?? 0 { inUse = (server, time) }
      }
      let chosen = inUse.map { [$0.server] } ?? living
      monitor.queue.async {
        let posted = self.undecided
        self.undecided = []
        for (content, id) in posted { self.post(content, id: id, in: chosen) }
      }
    }
  }

  private func post(_ content: ToastContent, id: ToastID, in servers: [TmuxServer]) {
    let living = servers.filter { driven[$0] != nil }
    for server in living { driven[server]!.open.insert(id) }
    for server in living { handle(.toastPosted(content, id: id), in: server, at: BootClock.now) }
    // Every server has ended, and nobody had noticed.
    if living.isEmpty {
      monitor.say(content.announcement)
      end(id)
    }
    monitor.arm()
  }

  private func handle(_ event: ToastEvent, in server: TmuxServer, at now: Duration) {
    let before = driven[server]!.toasts.frame
    let effects = driven[server]!.toasts.handle(event, at: now)
    if driven[server]!.toasts.frame != before { driven[server]!.show() }
    for case .end(let id) in effects {
      driven[server]!.open.remove(id)
      end(id)
    }
  }

  /// A toast that was posted to every server is over when it is so in all.
  private func end(_ id: ToastID) {
    if !driven.values.contains(where: { $0.open.contains(id) }) { onToastEnd(id) }
  }
}
