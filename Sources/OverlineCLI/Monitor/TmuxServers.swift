internal import Banner
internal import Configuration
internal import Dispatch
internal import ObserverSocket
internal import POSIX
internal import Synchronization
internal import Tmux

/// The tmux servers that the monitor drives: a window for each, and the machines of its banner and its toasts.
///
/// Used on the monitor's queue only.
final class TmuxServers: @unchecked Sendable {
  private struct Driven {
    let window: TmuxWindow
    /// Of this window alone: another server may come to the same socket, while an ended window still tells what it has to tell.
    let number: Int
    var machine: BannerMachine
    var toasts: ToastMachine
    var probe: TmuxProbe
    /// What its window takes of it now.
    var inset = Inset()
    /// The toasts that were posted here and are not over.
    var open: [ToastID: ToastContent] = [:]

    func show() { window.update(banner: machine.frame, toast: toasts.frame) }
  }

  private unowned let monitor: Monitor
  private let registry: TmuxRegistry?
  private let guardian: GuardianProcess
  private var driven: [TmuxServer: Driven] = [:]
  private var lastNumber = 0
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

  /// A server as it is now.
  struct Status: Sendable {
    var server: TmuxServer
    var version: String
    var inset: Inset
    /// Nil where it does not answer.
    var probe: TmuxProbe?
  }

  /// The servers that live, sorted by their sockets.
  ///
  /// - Parameter completion: called on the monitor's queue.
  func status(completion: @escaping @Sendable ([Status]) -> Void) {
    ask({ server throws(TmuxError) in try server.probe(timeout: Self.patience) }) { [self] answers in
      let servers = driven.compactMap { server, one in
        answers[server].map {
          Status(server: server, version: one.probe.version, inset: one.inset, probe: try? $0.get())
        }
      }
      completion(servers.sorted { $0.server.socket < $1.server.socket })
    }
  }

  /// Asks every server, all at once, and forgets those that have ended.
  ///
  /// - Parameters:
  ///   - question: waits for its answer. One that takes long, as of a server that is stopped, holds up the others.
  ///   - completion: called on the monitor's queue.
  private func ask<Answer: Sendable>(
    _ question: @escaping @Sendable (TmuxServer) throws(TmuxError) -> Answer,
    completion: @escaping @Sendable ([TmuxServer: Result<Answer, TmuxError>]) -> Void
  ) {
    let answers = Mutex<[TmuxServer: Result<Answer, TmuxError>]>([:])
    let group = DispatchGroup()
    for server in driven.keys {
      // A queue of its own has a thread of its own; of the global queue's there are only a few.
      DispatchQueue(label: "overline.tmux.question").async(group: group) {
        let answer = Result { () throws(TmuxError) in try question(server) }
        answers.withLock { $0[server] = answer }
      }
    }
    group.notify(queue: monitor.queue) { [self] in
      var living = answers.withLock { $0 }
      for (server, answer) in living {
        guard case .failure(let error) = answer, error.code == .serverGone else { continue }
        living[server] = nil
        if driven[server] != nil { forget(server) }
      }
      completion(living)
    }
  }

  /// A server answers within milliseconds.
  private static let patience = Duration.milliseconds(500)

  /// Attaches to the server this process was started in, and to those that registered with an earlier monitor or with none.
  ///
  /// - Returns: whether there is any.
  func attachKnown() -> Bool {
    var servers = (registry?.sockets ?? []).map { TmuxServer(socket: $0) }
    if let own = ProcessEnvironment["TMUX"].flatMap({ TmuxServer(environment: $0) }) { servers.append(own) }
    for server in Set(servers) { attachKnown(server) }
    return !servers.isEmpty
  }

  /// Writes the registry anew, after the runtime directory was removed.
  func register() {
    for server in driven.keys { registry?.add(server.socket) }
  }

  private func attachKnown(_ server: TmuxServer) {
    attach(server) { [unowned self] error in
      guard let error else { return }
      if error.code == .serverGone { return registry?.remove(server.socket) ?? () }
      monitor.console.complain("\(error)")
      // One that was stopped, or too busy, may still have the line of a monitor that was killed.
      guard error.code == .failed else { return }
      monitor.queue.asyncAfter(deadline: .now() + Self.pause) { [self] in
        if registry?.sockets.contains(server.socket) == true, driven[server] == nil { attachKnown(server) }
      }
    }
  }

  /// Before a server that did not answer is asked again.
  private static let pause = DispatchTimeInterval.seconds(30)

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
      lastNumber += 1
      let number = lastNumber
      let window = TmuxWindow(
        server: server, reserve: reserve, guardian: guardian,
        onInset: { [unowned self] inset in
          monitor.queue.async { if self.driven[server]?.number == number { self.driven[server]?.inset = inset } }
        },
        onGone: { [unowned self] in
          monitor.queue.async { if self.driven[server]?.number == number { self.forget(server) } }
        },
        onError: { [console = monitor.console] in console.complain($0) })
      let traits = WindowTraits.tmux(edge: probe.position == .top ? .top : .bottom)
      var machine = BannerMachine(settings: settings, window: traits)
      if let event = monitor.eventForLateWindow { _ = machine.handle(event, at: now) }
      // What the user has sent away stays away here too.
      if case .dismissed = monitor.reference.phase { _ = machine.handle(.bannerDismissedByUser, at: now) }
      if let custom = monitor.reference.customBanner { _ = machine.handle(.bannerPresented(custom), at: now) }
      let toasts = ToastMachine(settings: toastSettings, window: traits)
      driven[server] = Driven(window: window, number: number, machine: machine, toasts: toasts, probe: probe)
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
    if driven[server] != nil {
      forget(server, completion: completion)
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

  private func forget(_ server: TmuxServer, completion: @escaping @Sendable (TmuxError?) -> Void = { _ in }) {
    let removed = driven.removeValue(forKey: server)
    removed?.window.close(completion: completion)
    registry?.remove(server.socket)
    for id in (removed?.open ?? [:]).keys { end(id) }
    monitor.arm()
  }

  /// Gives every server its lines back, then calls `completion`.
  func close(completion: @escaping @Sendable () -> Void) {
    let group = DispatchGroup()
    for one in driven.values {
      group.enter()
      one.window.close { _ in group.leave() }
    }
    let open = Set(driven.values.flatMap(\.open.keys)).union(undecided.map(\.id))
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
    for (server, one) in driven where one.open[id] != nil {
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

  /// What is posted meanwhile has the same answer.
  private func findServerInUse() {
    ask({ server throws(TmuxError) in try server.lastActivity(timeout: Self.patience) }) { [self] answers in
      let inUse = answers.compactMap { server, answer in (try? answer.get()).map { (server: server, time: $0) } }
        .max { $0.time < $1.time }
      let chosen = inUse.map { [$0.server] } ?? Array(answers.keys)
      let posted = undecided
      undecided = []
      for (content, id) in posted { post(content, id: id, in: chosen) }
    }
  }

  private func post(_ content: ToastContent, id: ToastID, in servers: [TmuxServer]) {
    let living = servers.filter { driven[$0] != nil }
    // A toast of a key takes the place of the last one, also in another server.
    for (server, one) in driven where content.key != nil && !living.contains(server) {
      for (old, other) in one.open where other.key == content.key {
        handle(.toastDismissed(old), in: server, at: BootClock.now)
      }
    }
    for server in living { driven[server]!.open[id] = content }
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
      driven[server]!.open[id] = nil
      end(id)
    }
  }

  /// A toast that was posted to every server is over when it is so in all.
  private func end(_ id: ToastID) {
    if !driven.values.contains(where: { $0.open[id] != nil }) { onToastEnd(id) }
  }
}
