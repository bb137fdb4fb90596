import NetworkPath
import Overline
import OverlineCore
import OverlineSimulatedMachine

/// One process of the monitor: the real machines, and between them what the shell does.
///
/// A monitor that was killed does nothing more: whatever was under way for it finds that it is dead.
final class SimulatedMonitor {
  unowned let world: SimulatedDay
  private(set) var isAlive = true
  private(set) var machine: MonitorMachine
  private(set) var owners: OwnersMachine
  private(set) var path = PathMachine()
  private(set) var server = ServerMachine()
  private(set) var hooks: [Hook: HookMachine]
  private(set) var windows: [TmuxServer: SimulatedWindow] = [:]
  private(set) var ledger = OutageLedger(session: .init(pid: 1, start: 1, boot: "1"))
  private(set) var configuration: Configuration
  private(set) var oracle = StateOracle()
  /// The servers that the guardian would restore.
  var guarded: Set<TmuxServer> = []
  /// After so many runs of tmux the monitor is killed; nil for never.
  var deadlyRun: (left: Int, isBefore: Bool)?

  /// When the state file will contain what it was last written for.
  private var writtenAt = Duration.zero
  private var requestCount = 0
  private var completions: [Int: (ObserverResponse) -> Void] = [:]
  private var tmuxAnswers: [Int: (TmuxError?) -> Void] = [:]
  private var shownCounts: [Int: (Int) -> Void] = [:]
  /// The servers whose plugin waits for an answer.
  private(set) var attaching: Set<TmuxServer> = []
  private var watches: [(process: Int32, overlay: OwnersMachine.Overlay)] = []
  private var watched: [RouterMachine.Watch] = []
  private var runningHooks: [Hook: (number: Int, since: Duration)] = [:]
  private var hookCount = 0
  private var check = 0
  private var isEnding = false
  private var serverEvents: [ServerMachine.Event] = []
  /// The windows that must end before this process does.
  private var waitingWindows: Set<ObjectIdentifier> = []

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

  private var sortedWindows: [(TmuxServer, SimulatedWindow)] { windows.sorted { $0.key.socket < $1.key.socket } }

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

  private func perform(_ effect: PathMachine.Effect) -> PathMachine.Event? {
    switch effect {
    case .open: return world.isKernelDeaf ? .failed(why: "no answer") : .opened
    case .close: return nil
    case .dump:
      // The messages up to now are read with the socket, or lost.
      world.forgetMessages()
      if world.takeInterruption() { return .dumped(Array(world.kernel.dump.dropFirst()), complete: false) }
      return .dumped(world.kernel.dump, complete: true)
    case .evaluate:
      if world.isKernelDeaf { return .evaluated(PathEvaluation(path: .unknown(because: "no answer"))) }
      return .evaluated(
        PathDecision(
          tables: path.tables, options: configuration.path, lastUsed: path.lastUsed, silentRouters: path.silentRouters,
          tunnels: path.tunnels.knowledge, endsOutage: path.isOffline, oracle: world.kernel
        ).evaluation())
    case .publish(let new):
      handle(.pathChanged(new))
      return nil
    case .watchRouters(let routers):
      watched = routers
      return nil
    case .readRouters(let gateways): return .routersRead(gateways.compactMap(world.neighbour))
    case .kick(let gateway):
      world.use(gateway)
      return nil
    case .lookAtConnections(let depth): return .connectionsLooked(world.look(depth))
    case .askHost, .countPackets: return nil
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

  private func perform(_ effect: MonitorEffect) {
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
    case .say, .releaseMemory: break
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
  private static func words(_ effect: MonitorEffect) -> String {
    switch effect {
    case .publish(let state): "publish \(state.seq): \(state.state), \(state.banner.phase), \(state.path.explanation)"
    case .tmux(.show(let server, let content)):
      "show \(content.banner?.appearance.title ?? "-"), \(content.toast?.content.title ?? "-") in \(server.socket)"
    case .runHooks(let due, _): "hooks \(due.map(\.hook.rawValue))"
    case .record: "record"
    case .configure: "configure"
    case .tmux, .ask, .cancelRequest, .say, .endToast, .readConfiguration, .releaseMemory, .end, .exit: "\(effect)"
    }
  }

  private func record(_ path: NWPath, _ limitation: Limitation?) {
    let time = HistoryTime(
      wall: world.milliseconds, boot: world.milliseconds, awake: world.milliseconds)
    for record in ledger.note(OutageLedger.Network(path, limitation), at: time) { oracle.note(record) }
  }

  private func end() {
    isEnding = true
    for client in world.clients.values { client.id = nil }
    for hook in Hook.allCases { handle(.cancelled, hook) }
    waitingWindows = Set(windows.values.map(ObjectIdentifier.init))
    if windows.isEmpty { return die() }
    for (_, window) in sortedWindows { window.handle(.closed) }
    later(.seconds(2)) { $0.die() }
  }

  // MARK: The check

  private func ask(_ request: Int) {
    check = request
    world.coverage.checks += 1
    let verdict: CheckVerdict
    switch world.answer {
    case .good: verdict = world.isUsable ? .reached : .failed(.notConnected)
    case .bad: verdict = .failed(.status(500))
    case .none: return
    }
    later { if $0.check == request { $0.handle(.checkAnswered(verdict, request: request)) } }
  }

  // MARK: Hooks

  private func handle(_ event: HookMachine.Event, _ hook: Hook) {
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

  private func hookEnded(_ hook: Hook, _ number: Int, _ status: Int32) {
    guard runningHooks[hook]?.number == number else { return }
    runningHooks[hook] = nil
    handle(.ended(status: status), hook)
  }

  /// Whether a command runs that should have been killed.
  var isHookLate: Bool {
    runningHooks.values.contains { world.now - $0.since > HookMachine.timeLimit + .seconds(1) }
  }

  // MARK: Clients

  func handle(server event: ServerMachine.Event) {
    serverEvents.append(event)
    guard serverEvents.count == 1 else { return }
    while let event = serverEvents.first {
      for effect in server.handle(event, at: world.now) { perform(effect) }
      serverEvents.removeFirst()
    }
  }

  private func client(_ id: ClientID) -> SimulatedClient? { world.clients.values.first { $0.id == id } }

  private func perform(_ effect: ServerMachine.Effect) {
    switch effect {
    case .admit(let id): world.arrival?.id = id
    case .refuse: break
    case .send(let id): send(to: id)
    case .watch(let id, _, let writes): client(id)?.isWrittenTo = writes
    case .perform(let request, let id, let number):
      answer(request, from: id) { [weak self] response in
        self?.later(.zero) { $0.handle(server: .answered(response, id, number: number)) }
      }
    case .takeTurn(let id): later(.zero) { $0.handle(server: .turnCame(id)) }
    case .left(let id):
      handle(owners: .clientLeft(id))
      handle(.clientLeft)
    case .close(let id):
      if client(id)?.isDeaf == false { world.fail(.clients, "a client that reads is dropped") }
      client(id)?.id = nil
    case .accept: break
    }
  }

  private func send(to id: ClientID) {
    guard let client = client(id) else { return }
    while let head = server.head(for: id) {
      let count = client.accept(head)
      if count == 0 { return handle(server: .flushed(id, .full)) }
      server.sent(count, to: id)
    }
    handle(server: .flushed(id, .done))
  }

  private func answer(
    _ request: ObserverRequest, from id: ClientID, _ completion: @escaping (ObserverResponse) -> Void
  ) {
    world.coverage.requests += 1
    switch request {
    case .watch, .status: completion(.ok())
    case .present, .dismiss, .dismissClaim, .toast, .dismissToast, .alert:
      requestCount += 1
      completions[requestCount] = completion
      let banner = machine.overlays.status.banner
      handle(
        owners: .requested(
          request, from: id, requestCount,
          on: .init(.monitor, hasBanner: banner.banner != nil, showsClaim: banner.claim == .shown)))
    case .reload:
      handle(.configurationRead(world.readConfiguration()))
      completion(.ok())
    case .refresh, .metrics, .tmuxStatus: completion(.ok())
    case .tmuxAttach(let socket):
      requestCount += 1
      let place = world.place(TmuxServer(socket: socket))
      attaching.insert(place.server)
      tmuxAnswers[requestCount] = { error in
        self.attaching.remove(place.server)
        // One that does not answer in time is asked again, after up to 16 minutes.
        if error == nil { place.isWanted = place.model != nil }
        completion(.ok())
      }
      handle(.tmux(.attach(TmuxServer(socket: socket), requestCount)))
    case .tmuxDetach(let socket):
      requestCount += 1
      let place = world.place(TmuxServer(socket: socket))
      tmuxAnswers[requestCount] = { error in
        place.isUndetached = error != nil
        completion(.ok())
      }
      handle(.tmux(.detach(TmuxServer(socket: socket), requestCount)))
      world.place(TmuxServer(socket: socket)).isWanted = false
    }
  }

  /// The number of requests that wait for an answer.
  var openRequests: Int { completions.count + tmuxAnswers.count + shownCounts.count }

  // MARK: Owners

  func processEnded(_ process: Int32) {
    for watch in watches where watch.process == process { handle(owners: .processEnded(watch.overlay)) }
  }

  private func handle(owners event: OwnersMachine.Event) {
    for effect in owners.handle(event) where isAlive { perform(effect) }
  }

  private func perform(_ effect: OwnersMachine.Effect) {
    switch effect {
    case .watch(let process, let overlay):
      guard world.processes.contains(process) else {
        return handle(owners: .processMissing(overlay, ProtocolError(.noProcess, "no such process")))
      }
      watches.append((process, overlay))
      handle(owners: .watched(overlay))
    case .unwatch(let overlay): watches.removeAll { $0.overlay == overlay }
    case .post(let toast, let id, let tmux, let request):
      oracle.noteToast(id.rawValue)
      world.coverage.toasts += 1
      requestCount += 1
      shownCounts[requestCount] = { [weak self] in
        self?.handle(owners: .toastShown(id, screens: $0, request))
      }
      handle(.toastPosted(toast, id: id, in: tmux.map(TmuxServer.init(socket:)), requestCount))
    case .dismissToast(let id): handle(.toastDismissed(id))
    case .dismissFrontToast(let tmux, let request):
      let server = tmux.map(TmuxServer.init(socket:))
      let isShown = machine.showsToast(in: server)
      handle(.frontToastDismissed(in: server))
      handle(owners: .frontToastDismissed(found: isShown, request))
    case .ask, .withdraw: break
    case .countScreens(let banner):
      let servers = machine.fleet.members.map(\.server)
      count(servers) { monitor, counts in
        let screens = counts.values.reduce(monitor.server.barCount) { $0 + $1.clientCount }
        monitor.handle(owners: .screensCounted(banner, screens: screens))
      }
    case .show(let event): handle(.bannerChanged(event))
    case .answer(let request, let response): completions.removeValue(forKey: request)?(response)
    }
  }

  // MARK: tmux

  enum Moment { case before, after }

  private func port(_ server: TmuxServer) -> SimulatedPort {
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

  private func perform(_ effect: FleetMachine.Effect) {
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

  private func probe(_ server: TmuxServer, _ question: Int) {
    let number = windows[server]?.number
    later([server], within: .seconds(10)) { monitor in
      let result = Result { () throws(TmuxError) in try monitor.port(server).probe() }
      if case .failure(let error) = result, error.code == .serverGone, let number {
        monitor.handle(.tmux(.windowEnded(server, window: number)))
      }
      monitor.handle(.tmux(.probed(result, question: question)))
    }
  }

  private func count(
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
