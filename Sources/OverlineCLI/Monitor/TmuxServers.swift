internal import Dispatch
internal import Overline
internal import OverlineConfiguration
internal import OverlineObservers
internal import OverlineSystem
internal import OverlineTmux
internal import Synchronization

/// The tmux servers that the monitor drives: a window for each, and the machines of its banner and its toasts.
///
/// Used on the monitor's queue only.
final class TmuxServers: @unchecked Sendable {
  struct Driven {
    let window: TmuxWindow
    /// Unique to this window: another server may start at the same socket while an ended window still reports events.
    let number: Int
    var machine: BannerMachine
    var toasts: ToastMachine
    var probe: TmuxProbe
    /// The inset that its window makes now.
    var inset = Inset()
    /// The toasts that were posted here and have not ended.
    var open: [ToastID: ToastContent] = [:]

    func show() { window.update(banner: machine.frame, toast: toasts.frame) }
  }

  unowned let monitor: Monitor
  private let registry: TmuxRegistry?
  private let guardian: GuardianProcess
  var driven: [TmuxServer: Driven] = [:]
  private var lastNumber = 0
  /// Ends every run of tmux when the monitor ends.
  let end = try? BootTimer()
  /// For answers that take milliseconds. With as much for the guardian, a service ends in half of its `TimeoutStopSec`.
  private static let closingTime = Duration.seconds(2)
  /// Servers waiting to be attached; `attachingCount` others are being asked.
  private var waiting: [TmuxServer] = []
  /// Servers that did not answer, until they are asked again.
  private var retrying: Set<TmuxServer> = []
  private var attachingCount = 0
  /// Toasts for the server in use, until that is known.
  var undecided: [Undecided] = []
  /// Called once for each posted toast when it has ended: after its animation, or with its server.
  var onToastEnd: (ToastID) -> Void = { _ in }
  var toastSettings = ToastSettings() {
    didSet { for server in driven.keys { handle(.settingsChanged(toastSettings), in: server, at: BootClock.now) } }
  }

  init(monitor: Monitor, directory: RuntimeDirectory?, lock: Int32?) {
    self.monitor = monitor
    registry = directory.map { TmuxRegistry(directory: $0) }
    guardian = GuardianProcess(
      executable: ProcessEnvironment.executable, arguments: [PlainCommands.guardianVerb],
      inheriting: lock.map { [$0] } ?? [], onError: { [console = monitor.console] in console.warn($0) })
  }

  var nextDeadline: Duration? {
    driven.values.flatMap { [$0.machine.nextDeadline, $0.toasts.nextDeadline] }.compactMap { $0 }.min()
  }

  /// Attaches to the server this process was started in, and to those that registered with an earlier monitor or with none.
  ///
  /// - Parameter completion: called on the monitor's queue with the number of known servers.
  func attachKnown(completion: @escaping @Sendable (Int) -> Void = { _ in }) {
    let own = ProcessEnvironment["TMUX"].flatMap { TmuxServer(environment: $0) }
    // Thousands may have ended unnoticed: the monitor does not wait until the running ones are found.
    DispatchQueue(label: "overline.tmux.registry").async { [registry, monitor] in
      let registered = (registry?.forgetDead() ?? []).map { TmuxServer(socket: $0) }
      monitor.queue.async { [self] in
        let known = Set(registered + [own].compactMap(\.self))
        for server in known where driven[server] == nil { attachLater(server) }
        completion(known.count)
      }
    }
  }

  /// Writes the registry anew, after the runtime directory was removed.
  ///
  /// - Parameter lock: the new lock, for guardians to hold.
  func register(lock: Int32) {
    guardian.inherit([lock])
    for server in Set(driven.keys).union(waiting).union(retrying) { registry?.add(server.socket) }
  }

  /// The number of servers that are asked at once. A stopped one occupies a place for some seconds.
  private static let maximumAttachingCount = 16

  private func attachLater(_ server: TmuxServer) {
    waiting.append(server)
    attachNext()
  }

  private func attachNext() {
    while attachingCount < Self.maximumAttachingCount, let server = waiting.popLast() {
      attachingCount += 1
      attachKnown(server)
    }
  }

  private func attachKnown(_ server: TmuxServer) {
    attach(server) { [unowned self] error in
      attachingCount -= 1
      defer { attachNext() }
      guard let error else { return }
      if error.code == .serverGone { return registry?.remove(server.socket) ?? () }
      monitor.console.warn("\(error)")
      // A server that was stopped or too busy may still have a killed monitor's line.
      guard error.code == .failed else { return }
      retrying.insert(server)
      monitor.queue.asyncAfter(deadline: .now() + Self.pause) { [self] in
        retrying.remove(server)
        if registry?.sockets.contains(server.socket) == true, driven[server] == nil { attachLater(server) }
      }
    }
  }

  /// The pause before a server that did not answer is asked again.
  private static let pause = DispatchTimeInterval.seconds(30)

  /// Starts driving a server; reads one that is already driven again, as after a reload of its configuration.
  ///
  /// - Parameter completion: called on the monitor's queue.
  func attach(_ server: TmuxServer, completion: @escaping @Sendable (TmuxError?) -> Void) {
    // Asking a server takes milliseconds, in which the monitor has other things to do.
    // A private queue, as for questions: stopped servers could occupy all of the global queue's few threads.
    DispatchQueue(label: "overline.tmux.attach").async { [monitor, end] in
      let result = Result { () throws(TmuxError) in try server.probe(until: end) }
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
    for warning in probe.options.warnings { monitor.console.warn("tmux (\(server.socket)): \(warning)") }
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
        server: server, reserve: reserve, guardian: guardian, end: end,
        onInset: { [unowned self] inset in
          monitor.queue.async { if self.driven[server]?.number == number { self.driven[server]?.inset = inset } }
        },
        onGone: { [unowned self] in
          monitor.queue.async { if self.driven[server]?.number == number { self.forget(server) } }
        },
        onError: { [console = monitor.console] in console.warn($0) })
      let traits = WindowTraits.tmux(edge: probe.position == .top ? .top : .bottom)
      var machine = BannerMachine(settings: settings, window: traits)
      if let event = monitor.eventForLateWindow { _ = machine.handle(event, at: now) }
      // A banner that the user dismissed stays dismissed here too.
      if case .dismissed = monitor.reference.phase { _ = machine.handle(.bannerDismissedByUser, at: now) }
      if let custom = monitor.reference.customBanner { _ = machine.handle(.bannerPresented(custom), at: now) }
      let toasts = ToastMachine(settings: toastSettings, window: traits)
      driven[server] = Driven(window: window, number: number, machine: machine, toasts: toasts, probe: probe)
    }
    driven[server]!.show()
    monitor.arm()
  }

  /// Applies the monitor's new settings.
  func settingsChanged(at now: Duration) {
    for server in driven.keys {
      let options = driven[server]!.probe.options
      _ = driven[server]!.machine.handle(.settingsChanged(settings(options)), at: now)
      driven[server]!.window.reload(reserve: options.reserve ?? monitor.reserve)
      driven[server]!.show()
    }
  }

  /// The settings, overridden by the server owner's options.
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
      // With any event, time has passed.
      handle(.deadlineReached, in: server, at: now)
    }
  }

  /// Removes every trace from a server, whether it is driven or not.
  func detach(_ server: TmuxServer, completion: @escaping @Sendable (TmuxError?) -> Void) {
    registry?.remove(server.socket)
    if driven[server] != nil {
      forget(server, completion: completion)
    } else {
      DispatchQueue(label: "overline.tmux.detach").async { [end] in
        do {
          try server.restoreSaved(until: end)
          completion(nil)
        } catch {
          completion(error as? TmuxError)
        }
      }
    }
  }

  func forget(_ server: TmuxServer, completion: @escaping @Sendable (TmuxError?) -> Void = { _ in }) {
    let removed = driven.removeValue(forKey: server)
    removed?.window.close(completion: completion)
    registry?.remove(server.socket)
    for id in (removed?.open ?? [:]).keys { end(id) }
    monitor.arm()
  }

  /// Gives every server its lines back, then calls `completion`. A server that does not answer in time keeps its lines for the guardian,
  /// and its saved state for the next monitor.
  func close(completion: @escaping @Sendable () -> Void) {
    end?.arm(BootClock.now + Self.closingTime)
    guardian.hurry()
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
