internal import Dispatch
internal import NetworkPath
internal import Overline
internal import OverlineCore
internal import OverlineProcess
internal import OverlineShell
internal import OverlineSystem

/// The background monitor. It passes events to ``MonitorMachine`` and performs the machine's effects.
///
/// All state is accessed on `queue` only, which makes this class Sendable.
final class Monitor: @unchecked Sendable {
  let queue = DispatchQueue(label: "overline")
  let console: Console
  var keeper: ConfigurationKeeper
  private(set) var machine: MonitorMachine
  private let isQuiet: Bool
  let observers: Observers?
  private let quiet = (try? RuntimeDirectory.locate()).map { QuietReader($0) }
  /// Whether windows follow this monitor's hours of quiet: one with a socket elsewhere has its own.
  private lazy var tellsWindows = observers?.directory.path == (try? RuntimeDirectory.locate())?.path
  let service: MonitorService
  let records: MonitorRecords
  private let hooks: Hooks
  private lazy var check = Check(queue: queue, warn: { [console] in console.warn("\($0); going on without") }) {
    [unowned self] in
    handle(.checkAnswered($0, request: $1))
  }
  private(set) lazy var tmux = TmuxFleet(
    queue: queue, directory: observers?.directory,
    guardian: GuardianProcess(
      executable: ProcessEnvironment.executable, orElse: "/proc/self/exe", arguments: [HiddenVerbs.guardian],
      inheriting: [observers?.lockDescriptor].compactMap(\.self), onError: console.warn),
    warn: console.warn
  ) { [unowned self] in handle(.tmux($0)) }
  private(set) lazy var overlays = Overlays(on: self, queue: queue, defaults: keeper.current.toast)
  private var watcher: PathWatcher?
  private var timer: DeadlineTimer?
  private var signals: [SignalSource] = []

  /// Dispatch's manager and the queues that an idle monitor uses. Those for tmux servers, hooks and curl wait for a thread without it.
  private static let threads = 6
  /// An idle monitor has 35 with its standard ones.
  private static let descriptors = 40

  /// Runs until a signal ends it.
  static func run(options: CommonOptions) throws -> ExitStatus {
    SignalSource.ignoreBrokenPipes()
    // A thousand observers need more descriptors than the usual limit.
    ResourceLimits.raiseDescriptors()
    try ResourceLimits.checkRoom(threads: threads, descriptors: descriptors)
    ResourceLimits.limitMallocArenas()
    // This thread waits for the kernel's messages. Observers must hear of an outage also while the machine compiles.
    Processor.requestShortSlices()
    let monitor = try Monitor(options)
    return try withExtendedLifetime(monitor) { try monitor.start().run() }
  }

  private init(_ options: CommonOptions) throws {
    console = Console(hasColors: options.capabilities(isTerminal: isTerminal(1)).colors != .monochrome)
    keeper = try ConfigurationKeeper(options)
    machine = MonitorMachine(keeper.current)
    isQuiet = options.quiet
    let environment = ServiceEnvironment.take()
    service = MonitorService(environment) { Output.warn($0) }
    observers = try Self.observers(socket: options.socket, environment, console)
    records = MonitorRecords(keeper.current, version: Version.text, warn: console.warn)
    hooks = Hooks(keeper.current.hooks, queue: queue, console: console)
  }

  /// Without a directory for a socket the monitor still watches the network and drives tmux. But a second monitor must not start.
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
      timer = try DeadlineTimer(queue: queue) { [unowned self] in handleDeadline() }
      try on(.terminate) { $0.handle(.ended(handsOver: false)) }
      try on(.interrupt) { $0.handle(.ended(handsOver: false)) }
      // `SIGHUP` requests a reload, as in other daemons. The exception is a monitor whose terminal has closed: no user can see or end that
      // monitor any more.
      let hadTerminal = OwnTerminal.open() != nil
      try on(.hangUp) {
        if hadTerminal && OwnTerminal.open() == nil { $0.handle(.ended(handsOver: false)) } else { _ = $0.reload() }
      }
      hooks.onChange = { [unowned self] in arm() }
      do {
        try observers?.listen(
          on: queue, { [unowned self] request, client, completion in answer(request, from: client, completion) },
          onLeave: { [unowned self] in
            overlays.handle(.clientLeft($0))
            handle(.clientLeft)
          })
      } catch {
        console.warn("\(error); going on, but the other commands and the tmux plugin cannot reach this monitor")
      }
      let watcher = PathWatcher(
        queue: queue, options: keeper.current.monitorPath,
        onCheckSuggested: { [unowned self] in handle(.checkSuggested) },
        onPath: { [unowned self] in handle(.pathChanged($0)) })
      // Without the file its folder is watched.
      try? quiet?.prepare()
      planQuiet()
      let files = [keeper.file, quiet?.file].compactMap(\.self) + (observers?.files ?? [])
      watcher.watch(files: files) { [unowned self] in
        observers?.noteRemoval(at: BootClock.now)
        planQuiet()
        handle(.configurationFileChanged)
      } onFailure: { [console] in
        console.warn(
          "\($0); \(SystemError.remedyForFileWatches); looking every 30 seconds meanwhile"
        )
      }
      self.watcher = watcher
      let window = PassthroughReason.windowVariable
      let isLookedAt = isTerminal(1) && (ProcessEnvironment[window] == nil || LoginShell.isDeclined(window))
      tmux.findKnown { [unowned self] count in
        guard isLookedAt, count == 0 else { return }
        say("no screen for a banner here; try: overline run, or start the monitor inside tmux")
      }
      return watcher
    }
  }

  /// Installs a handler unless the signal was ignored at exec (nohup).
  private func on(_ signal: Signal, _ body: @escaping @Sendable (Monitor) -> Void) throws {
    if SignalSource.isIgnored(signal) { return }
    signals.append(try SignalSource(signal, queue: queue) { [unowned self] in body(self) })
  }

  /// The path watcher's counters.
  var counters: PathMachine.Counters { watcher?.counters ?? PathMachine.Counters() }

  func say(_ sentence: String) {
    if !isQuiet { console.say(sentence) }
  }

  // MARK: - Events

  func handle(_ event: MonitorEvent) {
    let now = BootClock.now
    for effect in machine.handle(event, at: now, wallTime: WallTime.now.rfc3339) { perform(effect, at: now) }
    arm()
  }

  /// Sets the only timer to the earliest of all deadlines.
  func arm() {
    timer?.arm(
      [
        machine.nextDeadline, observers?.nextDeadline, service.nextDeadline, hooks.nextDeadline,
      ].compactMap { $0 }.min())
  }

  private func handleDeadline() {
    let now = BootClock.now
    hooks.handleDeadline(at: now)
    service.handleDeadline()
    handleObserversDeadline(at: now)
    // Last, because this may release memory that the other handlers need.
    handle(.deadlineReached)
  }

  private func handleObserversDeadline(at now: Duration) {
    do throws(ObserverSocketError) {
      let isRestored = try observers?.handleDeadline(at: now) { [unowned self] in watcher?.watchFilesAgain() }
      guard let observers, isRestored == true else { return }
      console.warn("the lock, the socket or their directory was removed; they are back")
      tmux.register(machine.fleet.wanted, lock: observers.lockDescriptor)
    } catch {
      // Another monitor has started in the new runtime directory. A user has one monitor.
      console.warn("\(error); ending")
      handle(.ended(handsOver: true))
    }
  }

  // MARK: - Effects

  private func perform(_ effect: MonitorEffect, at now: Duration) {
    switch effect {
    case .publish(let state): observers?.publish(state, at: now)
    case .runHooks(let due, let state): run(due, state)
    case .tmux(let effect): tmux.perform(effect)
    case .ask(let settings, let request): check.ask(settings, request)
    case .cancelRequest: check.cancel()
    case .say(let sentence): say(sentence)
    case .record(let path, let limitation, let sentence):
      records.note(path, limitation, counters: counters)
      service.tell(sentence)
    case .endToast(let id): overlays.handle(.toastEnded(id))
    case .keepQuiet(let period): tellWindows(period)
    case .planQuiet: planQuiet()
    case .configure(let configuration): configure(configuration)
    case .readConfiguration: _ = readConfiguration()
    case .releaseMemory:
      ProcessEnvironment.trimHeap()
      ProcessEnvironment.dropFileBackedPages()
    case .end(let handsOver): end(handsOver)
    case .exit: exitProcess(ExitStatus.failure.rawValue)
    }
  }

  /// Runs hooks once the state file is as new as their environment.
  private func run(_ due: [DueHook], _ state: ObserverState) {
    guard let observers else { return hooks.run(due, state) }
    observers.writeStateFile(state) { [queue, hooks] in queue.async { hooks.run(due, state) } }
  }

  private func configure(_ configuration: Configuration) {
    overlays.handle(.defaultsChanged(configuration.toast))
    watcher?.setOptions(configuration.monitorPath)
    hooks.settings = configuration.hooks
    records.apply(configuration)
    planQuiet()
  }

  /// Looks for the user's pause, and for the configured hours.
  private func planQuiet() {
    let period = quiet?.period(hours: keeper.current.quiet.hours)
    tellWindows(period)
    handle(.quietChanged(period))
  }

  private func tellWindows(_ period: QuietPeriod?) {
    guard tellsWindows else { return }
    do { try quiet?.tell(period) } catch { console.warn("windows do not know of the quiet hours: \(error)") }
  }

  /// Gives every tmux server its lines back, then ends. A second signal ends this process at once, and the guardian restores the lines.
  ///
  /// - Parameter handsOver: true if another monitor runs and may drive the same tmux servers. Restoring a server also removes the other
  ///   monitor's lines, so this then asks that monitor to attach again.
  private func end(_ handsOver: Bool) {
    service.stopping()
    watcher?.cancel()
    observers?.close()
    hooks.cancel()
    records.end()
    if !handsOver, tellsWindows { quiet?.tidy() }
    let servers = handsOver ? machine.fleet.members.map(\.server) : []
    tmux.close { [console] in
      for server in servers { _ = try? response(to: .tmuxAttach(socket: server.socket), options: .defaults) }
      console.finish()
      exitProcess(0)
    }
  }
}
