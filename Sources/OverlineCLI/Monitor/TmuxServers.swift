internal import Dispatch
internal import Overline
internal import OverlineCore
internal import OverlineShell
internal import OverlineSystem
internal import Synchronization

/// An event of the tmux servers for their owner, on the queue.
enum TmuxServersEvent: Equatable {
  /// The server has answered. The owner calls ``TmuxServers/drive(_:_:like:reserve:)``.
  case serverAnswered(TmuxServer, TmuxProbe)
  /// A toast has ended in every server, after its animation or with the server. Sent once for each posted toast.
  ///
  /// - Parameter unseen: the toast, if every server ended before it could show the toast.
  case toastEnded(ToastID, unseen: ToastContent?)
  /// ``TmuxServers/nextDeadline`` may have changed.
  case deadlineChanged
}

/// The tmux servers that the monitor drives: for each a window, and the model of its overlays.
///
/// Used on one queue only.
final class TmuxServers: @unchecked Sendable {
  struct Driven {
    let window: TmuxWindow
    /// Unique to this window. Another server may start at the same socket while an ended window still reports events.
    let number: Int
    var model: OverlayModel
    var probe: TmuxProbe
    /// The window's current inset.
    var inset = Inset()
    /// The toasts that were posted here and have not ended.
    var open: [ToastID: ToastContent] = [:]

    func show() { window.update(banner: model.presentation.banner, toast: model.presentation.toast) }
  }

  let queue: DispatchQueue
  let onEvent: (TmuxServersEvent) -> Void
  private let warn: @Sendable (String) -> Void
  private let registry: TmuxRegistry?
  private let guardian: GuardianProcess
  var driven: [TmuxServer: Driven] = [:]
  private var lastNumber = 0
  /// Ends every run of tmux when the monitor ends.
  let end = try? BootTimer()
  /// The limit for answers that take milliseconds. The guardian gets the same time, so a service ends in half of its `TimeoutStopSec`.
  private static let closingTime = Duration.seconds(2)
  /// Servers that wait to be attached. `attachingCount` other servers are being asked.
  private var waiting: [TmuxServer] = []
  /// Servers that did not answer, until they are asked again.
  private var retrying: Set<TmuxServer> = []
  private var attachingCount = 0
  /// Servers that could not be attached, with the reason. `tmux status` and `doctor` show it: the program that asked may have had no place to
  /// show it, as the plugin in a server without a client.
  private(set) var failures: [TmuxServer: TmuxError] = [:]
  /// Toasts for the server in use, until the monitor knows which server that is.
  var undecided: [Undecided] = []

  /// - Parameters:
  ///   - directory: the place of the registry; nil for none.
  ///   - lock: for the guardian to hold.
  ///   - warn: called on any thread.
  ///   - onEvent: called on the queue.
  init(
    queue: DispatchQueue, directory: RuntimeDirectory?, lock: Int32?, warn: @escaping @Sendable (String) -> Void,
    onEvent: @escaping (TmuxServersEvent) -> Void
  ) {
    self.queue = queue
    self.onEvent = onEvent
    self.warn = warn
    registry = directory.map { TmuxRegistry(directory: $0) }
    guardian = GuardianProcess(
      executable: ProcessEnvironment.executable, arguments: [PlainCommands.guardianVerb],
      inheriting: lock.map { [$0] } ?? [], onError: warn)
  }

  var nextDeadline: Duration? { driven.values.compactMap(\.model.nextDeadline).min() }

  /// Attaches to the server that this process was started in, and to all registered servers. They may have registered with an earlier
  /// monitor, or while none ran.
  ///
  /// - Parameter completion: called on the queue with the number of known servers.
  func attachKnown(completion: @escaping @Sendable (Int) -> Void = { _ in }) {
    let own = ProcessEnvironment["TMUX"].flatMap { TmuxServer(environment: $0) }
    // Thousands of registered servers may have ended. The monitor does not wait for the search for running ones.
    DispatchQueue(label: "overline.tmux.registry").async { [registry, queue] in
      let registered = (registry?.forgetDead() ?? []).map { TmuxServer(socket: $0) }
      queue.async { [self] in
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

  /// The number of servers that are asked at once. A stopped server occupies a place for some seconds.
  private static let maximumAttachingCount = 16

  private func attachLater(_ server: TmuxServer) {
    waiting.append(server)
    attachNext()
  }

  private func attachNext() {
    while attachingCount < Self.maximumAttachingCount, let server = waiting.popLast() {
      attachingCount += 1
      attachOrRetry(server)
    }
  }

  private func attachOrRetry(_ server: TmuxServer) {
    attach(server) { [unowned self] error in
      attachingCount -= 1
      defer { attachNext() }
      guard let error else { return }
      if error.code == .serverGone { return registry?.remove(server.socket) ?? () }
      warn("\(error)")
      // A server that is stopped or busy may still have a killed monitor's line, so ask again later.
      guard error.code == .failed else { return }
      retrying.insert(server)
      queue.asyncAfter(deadline: .now() + Self.pause) { [self] in
        // It may have been detached meanwhile, or have attached by itself.
        guard retrying.remove(server) != nil, driven[server] == nil else { return }
        attachLater(server)
      }
    }
  }

  /// The pause before the monitor asks a silent server again.
  private static let pause = DispatchTimeInterval.seconds(30)

  /// Starts driving a server. If the server is already driven, reads it again, as after a reload of its configuration.
  ///
  /// - Parameter completion: called on the queue.
  func attach(_ server: TmuxServer, completion: @escaping @Sendable (TmuxError?) -> Void) {
    // Asking a server takes milliseconds, and the monitor must not wait. A private queue: stopped servers could occupy all of the global
    // queue's few threads.
    DispatchQueue(label: "overline.tmux.attach").async { [queue, end] in
      let result = Result { () throws(TmuxError) in try server.probe(until: end) }
      queue.async {
        switch result {
        case .success(let probe):
          self.failures[server] = nil
          self.onEvent(.serverAnswered(server, probe))
          completion(nil)
        case .failure(let error):
          self.failures[server] = error
          self.failures = self.failures.filter { $0.key.isListening }
          completion(error)
        }
      }
    }
  }

  /// Drives a server that has answered.
  ///
  /// - Parameter model: the overlays of an older window. The new server's banner starts in that window's state.
  func drive(_ server: TmuxServer, _ probe: TmuxProbe, like model: OverlayModel, reserve: TmuxReserve) {
    for warning in probe.options.warnings { warn("tmux (\(server.socket)): \(warning)") }
    registry?.add(server.socket)
    if driven[server] != nil {
      driven[server]!.probe = probe
      configure(server, model.banner.settings, reserve)
    } else {
      lastNumber += 1
      let number = lastNumber
      let window = TmuxWindow(
        server: server, sessions: probe.sessions, reserve: probe.options.reserve ?? reserve, guardian: guardian,
        end: end,
        onInset: { [unowned self] inset in
          queue.async { if self.driven[server]?.number == number { self.driven[server]?.inset = inset } }
        },
        onGone: { [unowned self] in
          queue.async { if self.driven[server]?.number == number { self.forget(server) } }
        },
        onError: warn)
      let late = model.modelOfLateWindow(
        .tmux(edge: probe.position == .top ? .top : .bottom),
        banner: Self.settings(model.banner.settings, probe.options), at: BootClock.now)
      driven[server] = Driven(window: window, number: number, model: late, probe: probe)
    }
    driven[server]!.show()
    onEvent(.deadlineChanged)
  }

  /// Applies new settings.
  func configure(_ banner: BannerSettings, _ toasts: ToastSettings, _ reserve: TmuxReserve) {
    for server in driven.keys {
      handle(.toast(.settingsChanged(toasts)), in: server, at: BootClock.now)
      configure(server, banner, reserve)
      driven[server]!.show()
    }
  }

  private func configure(_ server: TmuxServer, _ banner: BannerSettings, _ reserve: TmuxReserve) {
    let options = driven[server]!.probe.options
    let settings = Self.settings(banner, options)
    _ = driven[server]!.model.handle(.banner(.settingsChanged(settings)), at: BootClock.now)
    driven[server]!.window.reload(reserve: options.reserve ?? reserve)
  }

  /// The settings, with the server owner's options in place of theirs.
  private static func settings(_ settings: BannerSettings, _ options: TmuxOptions) -> BannerSettings {
    var settings = settings
    settings.offline = options.offline(settings.offline)
    settings.restored = options.restored(settings.restored)
    settings.limited = options.limited(settings.limited)
    return settings
  }

  /// Hands an event to every server.
  func handle(_ event: OverlayEvent, at now: Duration) {
    if case .toast(.toastDismissed(let id)) = event { dismissUndecided(id) }
    for server in driven.keys { handle(event, in: server, at: now) }
  }

  func handle(_ event: OverlayEvent, in server: TmuxServer, at now: Duration) {
    let before = driven[server]!.model.presentation
    let effects = driven[server]!.model.handle(event, at: now)
    if driven[server]!.model.presentation != before { driven[server]!.show() }
    for case .toastEnded(let id) in effects {
      driven[server]!.open[id] = nil
      end(id)
    }
  }

  /// Removes every trace from a server, also from one that is not driven.
  func detach(_ server: TmuxServer, completion: @escaping @Sendable (TmuxError?) -> Void) {
    registry?.remove(server.socket)
    retrying.remove(server)
    failures[server] = nil
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
    onEvent(.deadlineChanged)
  }

  /// Gives every server its lines back, then calls `completion`. If a server does not answer in time, the guardian restores its lines, or
  /// the next monitor does from the saved state.
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
    for id in open { onEvent(.toastEnded(id, unseen: nil)) }
    group.notify(queue: queue, execute: completion)
  }
}
