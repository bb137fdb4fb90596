import NetworkPath
import Overline
import OverlineCore
import OverlineSimulatedMachine

/// One process of the monitor: the real machines, and between them what the shell does.
///
/// A monitor that was killed does nothing more: whatever was under way for it finds that it is dead.
final class SimulatedMonitor {
  unowned let world: SimulatedDay
  var isAlive = true
  var machine: MonitorMachine
  var owners: OwnersMachine
  var path = PathMachine()
  var server = ServerMachine()
  var hooks: [Hook: HookMachine]
  var windows: [TmuxServer: SimulatedWindow] = [:]
  var historyFile = HistoryFileMachine()
  var ledger = OutageLedger(session: .init(pid: 1, start: 1, boot: "1"))
  var configuration: Configuration
  var oracle = StateOracle()
  /// The servers that the guardian would restore.
  var guarded: Set<TmuxServer> = []
  /// After so many runs of tmux the monitor is killed; nil for never.
  var deadlyRun: (left: Int, isBefore: Bool)?

  /// When the state file will contain what it was last written for.
  var writtenAt = Duration.zero
  var requestCount = 0
  var completions: [Int: (ObserverResponse) -> Void] = [:]
  var tmuxAnswers: [Int: (TmuxError?) -> Void] = [:]
  var shownCounts: [Int: (Int) -> Void] = [:]
  /// The servers whose plugin waits for an answer.
  var attaching: Set<TmuxServer> = []
  var watches: [(process: Int32, overlay: OwnersMachine.Overlay)] = []
  var watched: [RouterMachine.Watch] = []
  var runningHooks: [Hook: (number: Int, since: Duration)] = [:]
  var hookCount = 0
  var check = 0
  var isEnding = false
  var serverEvents: [ServerMachine.Event] = []
  /// The windows that must end before this process does.
  var waitingWindows: Set<ObjectIdentifier> = []

  init(_ world: SimulatedDay, _ configuration: Configuration) {
    self.world = world
    self.configuration = configuration
    machine = MonitorMachine(configuration)
    owners = OwnersMachine(defaults: configuration.toast)
    hooks = Dictionary(uniqueKeysWithValues: Hook.allCases.map { ($0, HookMachine()) })
  }

  func start(knowing servers: [TmuxServer]) {
    drive(.deadlinePassed)
    later { $0.handle(.tmux(.found(servers))) }
  }

  /// The process ends, and its guardian does what it left.
  func die() {
    guard isAlive else { return }
    isAlive = false
    world.monitorEnded(self, isKilled: !isEnding || !guarded.isEmpty)
  }

  /// Runs later on the monitor's queue.
  func later(_ delay: Duration? = nil, _ body: @escaping (SimulatedMonitor) -> Void) {
    world.later(delay) { [weak self] in if let self, isAlive { body(self) } }
  }

  // MARK: Time

  var nextDeadline: Duration? {
    guard isAlive else { return nil }
    var earliest = [machine.nextDeadline, path.nextDeadline, server.nextDeadline].compactMap(\.self).min()
    for hook in hooks.values { if let next = hook.nextDeadline { earliest = min(earliest ?? next, next) } }
    for window in windows.values { if let next = window.nextDeadline { earliest = min(earliest ?? next, next) } }
    return earliest
  }

  /// The deadlines in words.
  var deadlines: String {
    let hooks = hooks.values.compactMap(\.nextDeadline).min()
    let windows = windows.values.compactMap(\.nextDeadline).min()
    return [
      ("machine", machine.nextDeadline), ("path", path.nextDeadline), ("server", server.nextDeadline), ("hooks", hooks),
      ("windows", windows),
    ].compactMap { name, time in time.map { "\(name) \($0)" } }.joined(separator: ", ")
  }

  var sortedWindows: [(TmuxServer, SimulatedWindow)] { windows.sorted { $0.key.socket < $1.key.socket } }

  func handleDeadline() {
    let now = world.now
    if let next = path.nextDeadline, next <= now { drive(.deadlinePassed) }
    for hook in Hook.allCases where isAlive { handle(.deadlineReached, hook) }
    for (_, window) in sortedWindows { window.handle(.deadlineReached) }
    if let next = server.nextDeadline, next <= now { handle(server: .deadlineReached) }
    if isAlive { handle(.deadlineReached) }
  }

  // MARK: The path

  func drive(_ first: PathMachine.Event) {
    var events = [first][...]
    while isAlive, let event = events.popFirst() {
      for effect in path.handle(event, at: world.now) {
        if let event = perform(effect) { events.append(event) }
      }
    }
  }

  func perform(_ effect: PathMachine.Effect) -> PathMachine.Event? {
    switch effect {
    case .open: return world.network.isKernelDeaf ? .failed(why: "no answer") : .opened
    case .close: return nil
    case .dump:
      // The messages up to now are read with the socket, or lost.
      world.network.forgetMessages()
      if world.network.takeInterruption() {
        return .dumped(Array(world.network.kernel.dump.dropFirst()), complete: false)
      }
      return .dumped(world.network.kernel.dump, complete: true)
    case .evaluate:
      if world.network.isKernelDeaf { return .evaluated(PathEvaluation(path: .unknown(because: "no answer"))) }
      return .evaluated(
        PathDecision(
          tables: path.tables, options: configuration.path, lastUsed: path.lastUsed, silentRouters: path.silentRouters,
          tunnels: path.tunnels.knowledge, endsOutage: path.isOffline, oracle: world.network.kernel
        ).evaluation())
    case .publish(let new):
      handle(.pathChanged(new))
      return nil
    case .watchRouters(let routers):
      watched = routers
      return nil
    case .readRouters(let gateways): return .routersRead(gateways.compactMap(world.network.neighbour))
    case .kick(let gateway):
      world.network.use(gateway)
      return nil
    case .lookAtConnections(let depth): return .connectionsLooked(world.network.look(depth))
    case .askHost, .countPackets, .lookAtQuality: return nil
    case .suggestCheck:
      handle(.checkSuggested)
      return nil
    }
  }

  /// The kernel's message about a router, if it passes the filter.
  func hear(_ neighbour: Neighbour) {
    guard let watch = watched.first(where: { $0.gateway == neighbour.gateway }) else { return }
    if watch.includesAnswers || neighbour.state != .reachable { drive(.neighboursChanged([neighbour])) }
  }

  // MARK: The monitor

  func handle(_ event: MonitorEvent) {
    guard isAlive else { return }
    let seconds = world.now.components.seconds
    for effect in machine.handle(event, at: world.now, wallTime: "2026-01-01T\(seconds)") where isAlive {
      perform(effect)
    }
  }

  func perform(_ effect: MonitorEffect) {
    world.note(Self.words(effect))
    switch effect {
    case .publish(let state):
      oracle.note(
        state, machine.overlays.banner.phase, grace: machine.overlays.banner.settings.graceDelay, at: world.now)
      world.coverage.states += 1
      world.check(state)
      if state.limited?.reason == "no-answers" { world.coverage.noAnswers += 1 }
      handle(server: .published(state))
    case .runHooks(let due, let state):
      // The state file is written first, one state after another.
      writtenAt = max(world.now + world.drawDelay(), writtenAt)
      later(writtenAt - world.now) { monitor in
        for due in due {
          for other in due.hook.superseded { monitor.handle(.superseded, other) }
          guard let command = due.hook.command(in: monitor.configuration.hooks) else { continue }
          monitor.oracle.noteHook(due.hook, state)
          monitor.handle(
            .due(.init(command: command, environment: ["SEQ=\(state.seq)"], topic: due.target?.name)), due.hook)
        }
      }
    case .tmux(let effect): perform(effect)
    case .ask(_, let request): ask(request)
    case .cancelRequest: check = 0
    case .say, .releaseMemory, .keepQuiet: break
    case .planQuiet: handle(.quietChanged(nil))
    case .record(let path, let limitation, _): record(path, limitation)
    case .endToast(let id):
      oracle.noteToastEnd(id.rawValue)
      handle(owners: .toastEnded(id))
    case .configure(let new):
      let isOther = new.path != configuration.path
      configuration = new
      handle(owners: .defaultsChanged(new.toast))
      if isOther { drive(.optionsChanged) }
    case .readConfiguration: handle(.configurationRead(world.readConfiguration()))
    case .end: end()
    case .exit: die()
    }
  }

  /// Without the long contents.
  static func words(_ effect: MonitorEffect) -> String {
    switch effect {
    case .publish(let state): "publish \(state.seq): \(state.state), \(state.banner.phase), \(state.path.explanation)"
    case .tmux(.show(let server, let content)):
      "show \(content.banner?.appearance.title ?? "-"), \(content.toast?.content.title ?? "-") in \(server.socket)"
    case .runHooks(let due, _): "hooks \(due.map(\.hook.rawValue))"
    case .record: "record"
    case .configure: "configure"
    case .tmux, .ask, .cancelRequest, .say, .endToast, .readConfiguration, .releaseMemory, .keepQuiet, .planQuiet, .end,
      .exit:
      "\(effect)"
    }
  }

  func record(_ path: NWPath, _ limitation: Limitation?) {
    let time = HistoryTime(
      wall: world.milliseconds, boot: world.milliseconds, awake: world.milliseconds)
    for record in ledger.note(OutageLedger.Network(path, limitation), at: time) {
      oracle.note(record)
      world.history.write(record, &historyFile)
      (world.coverage.records, world.coverage.unwritten) = (world.history.written, world.history.warnings)
    }
  }

  func end() {
    isEnding = true
    for client in world.clients.values { client.id = nil }
    for hook in Hook.allCases { handle(.cancelled, hook) }
    waitingWindows = Set(windows.values.map(ObjectIdentifier.init))
    if windows.isEmpty { return die() }
    for (_, window) in sortedWindows { window.handle(.closed) }
    later(.seconds(2)) { $0.die() }
  }

  // MARK: The check

  func ask(_ request: Int) {
    check = request
    world.coverage.checks += 1
    let verdict: CheckVerdict
    switch world.answer {
    case .good: verdict = world.network.isUsable ? .reached : .failed(.notConnected)
    case .bad: verdict = .failed(.status(500))
    case .none: return
    }
    later { if $0.check == request { $0.handle(.checkAnswered(verdict, request: request)) } }
  }

  // MARK: Hooks

  func handle(_ event: HookMachine.Event, _ hook: Hook) {
    for effect in hooks[hook]!.handle(event, at: world.now) {
      switch effect {
      case .start(let job):
        world.coverage.hooks += 1
        oracle.noteRun(hook, job.environment.first ?? "")
        if runningHooks[hook] != nil { world.fail(.hooks, "two commands of \(hook.rawValue) run at once") }
        hookCount += 1
        let number = hookCount
        runningHooks[hook] = (number, world.now)
        later(world.hookTime) { $0.hookEnded(hook, number, 0) }
      case .kill:
        guard let number = runningHooks[hook]?.number else { break }
        later { $0.hookEnded(hook, number, 137) }
      case .warn: break
      }
    }
  }

  func hookEnded(_ hook: Hook, _ number: Int, _ status: Int32) {
    guard runningHooks[hook]?.number == number else { return }
    runningHooks[hook] = nil
    handle(.ended(status: status), hook)
  }

  /// Whether a command runs that should have been killed.
  var isHookLate: Bool {
    runningHooks.values.contains { world.now - $0.since > HookMachine.timeLimit + .seconds(1) }
  }
}
