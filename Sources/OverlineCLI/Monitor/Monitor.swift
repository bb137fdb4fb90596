internal import Dispatch
internal import NetworkPath
internal import Overline
internal import OverlineConfiguration
internal import OverlineMonitor
internal import OverlineObservers
internal import OverlineRun
internal import OverlineSystem
internal import OverlineTmux

/// The background monitor: turns the kernel's path into content for observers and tmux servers.
///
/// All state is accessed on `queue` only, which makes this class Sendable.
final class Monitor: @unchecked Sendable {
  let queue = DispatchQueue(label: "overline")
  let console: Console
  var keeper: ConfigurationKeeper
  /// True if a controlling terminal existed at launch.
  let hasTerminal = OwnTerminal.open() != nil
  private let isQuiet: Bool

  private(set) var path: NWPath?
  /// The overlays for observers, on no screen.
  var reference: OverlayModel
  var tmux: TmuxServers?
  /// Toasts whose end tmux reports.
  var toastsInTmux: Set<ToastID> = []
  private(set) lazy var overlays = Overlays(on: self, queue: queue, defaults: keeper.current.toast)

  private let observers: Observers?
  private let check: Check
  let service: MonitorService
  private let records: MonitorRecords
  private let hooks: Hooks
  private var watcher: PathWatcher?
  private var timer: DeadlineTimer?
  private var signals: [SignalSource] = []
  private var isEnding = false
  /// The time of the next read of the configuration's file.
  var reloadDeadline: Duration?
  /// The time to release the program's pages that only work needs.
  private var restDeadline: Duration?
  /// After the last change, or the last client's end. Fetching those pages again costs the next one 0.2 ms: much in a network that flaps,
  /// nothing after hours with 4 MB less.
  private static let restDelay: Duration = .seconds(10)
  private var states = StateSequence()
  /// The published limitation.
  private var told: Limitation?

  /// Runs until a signal ends it.
  static func run(options: CommonOptions) throws -> ExitStatus {
    SignalSource.ignoreBrokenPipes()
    // A thousand observers need more descriptors than the usual limit.
    ResourceLimits.raiseDescriptors()
    ResourceLimits.limitMallocArenas()
    let monitor = try Monitor(options)
    return try withExtendedLifetime(monitor) { try monitor.start().run() }
  }

  private init(_ options: CommonOptions) throws {
    console = Console(hasColors: options.capabilities(isTerminal: isTerminal(1)).colors != .monochrome)
    keeper = try ConfigurationKeeper(options)
    isQuiet = options.quiet
    reference = OverlayModel(
      banner: keeper.current.banner, toasts: keeper.current.toastSettings, window: .reference)
    let environment = ServiceEnvironment.take()
    service = MonitorService(environment) { Output.warn($0) }
    observers = try Self.observers(socket: options.socket, environment, console)
    records = MonitorRecords(keeper.current, warn: console.warn)
    hooks = Hooks(keeper.current.hooks, queue: queue, console: console)
    check = Check(keeper.current.check, queue: queue, warn: console.warn)
  }

  /// Without a place for a socket the monitor still watches and still drives tmux. But a second monitor must not start.
  private static func observers(socket: String?, _ service: ServiceEnvironment, _ console: Console) throws -> Observers?
  {
    let attempt = Result { () throws(ObserverSocketError) in
      try Observers(socket: socket, service: service, warn: console.warn)
    }
    if case .failure(let error) = attempt, error.code != .alreadyRunning {
      Output.warn("\(error); going on, but the other commands and the tmux plugin cannot reach this monitor")
      return nil
    }
    return try attempt.get()
  }

  private func start() throws -> PathWatcher {
    try queue.sync {
      timer = try DeadlineTimer(queue: queue) { [unowned self] in takeDeadline() }
      try on(.terminate) { $0.end() }
      try on(.interrupt) { $0.end() }
      try on(.hangUp) { $0.hungUp() }
      let tmux = TmuxServers(
        queue: queue, directory: observers?.directory, lock: observers?.lockDescriptor, warn: console.warn
      ) { [unowned self] in handle($0) }
      self.tmux = tmux
      check.onAnswer = { [unowned self] in checkChanged() }
      hooks.onChange = { [unowned self] in arm() }
      do {
        try observers?.listen(
          on: queue, { [unowned self] request, client, completion in answer(request, from: client, completion) },
          onLeave: { [unowned self] in clientLeft($0) })
      } catch {
        console.warn("\(error); going on, but the other commands and the tmux plugin cannot reach this monitor")
      }
      let watcher = PathWatcher(queue: queue, options: keeper.current.path) { [unowned self] in pathChanged($0) }
      watcher.watch(files: (keeper.file.map { [$0] } ?? []) + (observers?.files ?? [])) { [unowned self] in
        observers?.noteRemoval(at: BootClock.now)
        // Arms the timer for both.
        configurationFileChanged()
      } onFailure: { [console] in
        console.warn(
          "\($0); \(SystemError.remedyForFileWatches); looking every 30 seconds meanwhile"
        )
      }
      self.watcher = watcher
      let isLookedAt = isTerminal(1) && ProcessEnvironment[PassthroughReason.windowVariable] == nil
      tmux.attachKnown { [unowned self] count in
        guard isLookedAt, count == 0 else { return }
        say("no screen for a banner here; try: overline run, or start the monitor inside tmux")
      }
      return watcher
    }
  }

  private func handleObserversDeadline(at now: Duration) {
    do throws(ObserverSocketError) {
      let isRestored = try observers?.handleDeadline(at: now) { [unowned self] in watcher?.watchFilesAgain() }
      guard let observers, isRestored == true else { return }
      console.warn("the lock, the socket or their directory was removed; they are back")
      tmux?.register(lock: observers.lockDescriptor)
    } catch {
      // Another monitor has started in the new runtime directory. A user has one monitor.
      console.warn("\(error); ending")
      if !isEnding { end(handsOver: true) }
    }
  }

  /// Installs a handler unless the signal was ignored at exec (nohup).
  private func on(_ signal: Signal, _ body: @escaping @Sendable (Monitor) -> Void) throws {
    if SignalSource.isIgnored(signal) { return }
    signals.append(try SignalSource(signal, queue: queue) { [unowned self] in body(self) })
  }

  // MARK: - Events

  private func takeDeadline() {
    let now = BootClock.now
    handleReloadDeadline(at: now)
    let isAtRest = restDeadline.map { $0 <= now } ?? false
    if isAtRest { restDeadline = nil }
    hooks.handleDeadline(at: now)
    check.handle(.deadlineReached, at: now)
    checkChanged()
    deliver(OverlayEvent.deadlineReached)
    // Last, since all of the above needs some of these pages.
    if isAtRest {
      ProcessEnvironment.trimHeap()
      ProcessEnvironment.dropFileBackedPages()
    }
  }

  /// Applies new settings.
  func apply(_ configuration: Configuration) {
    let now = BootClock.now
    handle(.banner(.settingsChanged(configuration.banner)), at: now)
    handle(.toast(.settingsChanged(configuration.toastSettings)), at: now)
    overlays.defaults = configuration.toast
    tmux?.configure(configuration.banner, configuration.toastSettings, configuration.tmux.reserve)
    watcher?.setOptions(configuration.path)
    hooks.settings = configuration.hooks
    records.apply(configuration)
    check.handle(.settingsChanged(configuration.check), at: now)
    checkChanged()
    deliver(nil)
  }

  private func pathChanged(_ path: NWPath) {
    let isFirst = self.path == nil
    // The file watch has only just begun, and no event reports a change between the first read and its start.
    if isFirst { configurationFileChanged() }
    // A change that leaves the sentence as it is (of a second interface, of a target while offline) prints no second line.
    let before = sentence
    self.path = path
    check.handle(.pathChanged(path), at: BootClock.now)
    told = check.limitation
    deliver(
      path.bannerEvent(isFirst: isFirst, limitation: told?.cause).map(OverlayEvent.banner),
      saying: sentence == before ? nil : sentence)
    recordPathChange(path)
  }

  private func clientLeft(_ client: ObserverServer.ClientID) {
    overlays.clientLeft(client)
    restDeadline = BootClock.now + Self.restDelay
    arm()
  }

  /// Handles an answer of the check, or its timeout.
  private func checkChanged() {
    guard let path, check.limitation != told else { return arm() }
    told = check.limitation
    deliver(path.bannerEvent(isFirst: false, limitation: told?.cause).map(OverlayEvent.banner), saying: sentence)
    recordPathChange(path)
  }

  /// Records the path change and notifies the service manager.
  private func recordPathChange(_ path: NWPath) {
    records.note(path, isLimited: told != nil, counters: counters)
    service.tell(sentence ?? "", at: BootClock.now)
    arm()
  }

  /// The state of the network as a sentence.
  private var sentence: String? { told.map { "limited: \($0.explanation)" } ?? path?.explanation }

  /// Hands an event to the model of every screen.
  ///
  /// - Parameter sentence: printed after observers have received the state.
  func deliver(_ event: OverlayEvent?, saying sentence: String? = nil) {
    let now = BootClock.now
    if let event {
      handle(event, at: now)
      tmux?.handle(event, at: now)
    }
    publish(at: now)
    if let sentence { say(sentence) }
    handleObserversDeadline(at: now)
    service.handleDeadline(at: now)
    arm()
  }

  /// Sets the one timer to the first deadline of all.
  func arm() {
    timer?.arm(
      [
        reference.nextDeadline, tmux?.nextDeadline, observers?.nextDeadline, service.nextDeadline,
        reloadDeadline, restDeadline, hooks.nextDeadline, check.nextDeadline,
      ].compactMap { $0 }.min())
  }

  // MARK: - Output

  func say(_ sentence: String) {
    if !isQuiet { console.say(sentence) }
  }

  /// The number of status bars, which show a banner's title from the state.
  var barCount: Int { observers?.barCount ?? 0 }

  private var counters: PathMachine.Counters { watcher?.counters ?? PathMachine.Counters() }

  /// The metrics for Prometheus.
  var metrics: Metrics { records.metrics(counters: counters) }

  /// Publishes a new state to observers, and runs the hooks that are due.
  private func publish(at time: Duration) {
    // A fade may go on while the monitor waits for tmux; the state file has been removed by then, and must stay so.
    guard let path, !isEnding else { return }
    let new = states.next(
      path: path, limitation: told?.explanation, overlays: reference.status, inset: reference.inset,
      time: WallTime.now.rfc3339)
    guard let state = new else { return }
    restDeadline = time + Self.restDelay
    observers?.publish(state, at: time)
    run(hooks.due(reference.banner), state)
  }

  /// Runs hooks once the state file is as new as their environment: a hook may read either.
  private func run(_ due: [Hook], _ state: ObserverState) {
    if due.isEmpty { return }
    guard let observers else { return hooks.run(due, state) }
    observers.writeStateFile(state) { [queue, hooks] in queue.async { hooks.run(due, state) } }
  }

  // MARK: - The end

  /// Gives every tmux server its lines back, then ends. A second signal ends at once; the guardian then restores the lines.
  ///
  /// - Parameter handsOver: another monitor runs, and may drive the same tmux servers. This one restores their lines to the state before
  ///   it, so the other one attaches again.
  func end(handsOver: Bool = false) {
    if isEnding { exitProcess(ExitStatus.failure.rawValue) }
    isEnding = true
    service.stopping()
    watcher?.cancel()
    observers?.close()
    check.handle(.settingsChanged(nil), at: BootClock.now)
    hooks.cancel()
    records.end()
    let servers = handsOver ? Array(tmux?.driven.keys ?? [:].keys) : []
    tmux?.close { [console] in
      for server in servers { _ = try? response(to: .tmuxAttach(socket: server.socket), options: .defaults) }
      console.finish()
      exitProcess(0)
    }
  }
}
