package import Dispatch
package import OverlineSystem
internal import Synchronization

/// Watches the kernel's links, addresses and routes and reports each new path: the driver of ``PathMachine``.
///
/// All work runs on one serial queue. While the kernel is silent, nothing runs.
package final class PathWatcher: Sendable {
  private struct State {
    var machine: PathMachine
    var sockets: NetlinkSockets?
    var clock: ClockSteps?
    var poller: SharedPoller?
    /// Ends the thread of ``PathWatcher/start()``.
    var end: Doorbell?
    var timer: BootTimer?
    var options: PathOptions
    var isCancelled = false

    // Remove a descriptor from the poller before closing it. Otherwise another process that holds it open, such as a child between fork(2)
    // and exec, keeps it in the poller, and the poller stays ready for ever.

    mutating func closeSockets() {
      for descriptor in sockets?.descriptors ?? [] { try? poller?.poller.remove(descriptor) }
      sockets = nil
    }

    /// Closes the connection to a silent host. Returns whether the host has answered.
    mutating func endQuestion() -> Bool {
      guard let sockets, let descriptor = sockets.questionDescriptor else { return false }
      try? poller?.poller.remove(descriptor)
      return sockets.endQuestion()
    }

    mutating func closeFailedNeighbours() {
      guard let sockets, !sockets.areNeighboursUsable, let descriptor = sockets.neighbourDescriptor else { return }
      try? poller?.poller.remove(descriptor)
      sockets.closeNeighbours()
    }

    mutating func closeClock() {
      if let clock { try? poller?.poller.remove(clock.rawValue) }
      clock = nil
    }

    mutating func closeTimer() {
      if let timer { try? poller?.poller.remove(timer.rawValue) }
      timer = nil
    }
  }

  /// The sources in the poller.
  private enum Token: UInt64 {
    case kernel, neighbours, timer, clock, resolver, question, end
  }

  private let queue: DispatchQueue
  private let files: WatchedFiles
  private let recorder: (any PathRecorder)?
  private let open: @Sendable () throws(NetlinkError) -> NetlinkSockets
  private let clockSteps: @Sendable () throws(SystemError) -> ClockSteps
  private let onCheckSuggested: @Sendable () -> Void
  private let onPath: @Sendable (NWPath) -> Void
  private let state: Mutex<State>
  private let onQueue = DispatchSpecificKey<Bool>()

  /// - Parameters:
  ///   - queue: a serial queue; `onPath` runs on it.
  ///   - resolverConfiguration: path of the resolv.conf(5) whose nameservers decide `supportsDNS`. It is watched.
  ///   - unannouncedInterval: how often to look on a router without a default route: the kernel's filter hides the changes of its routes.
  ///   - recorder: records what the watcher reads.
  ///   - open: makes the sockets at the start and after each read error.
  ///   - clockSteps: reports when the wall clock was set, or the machine woke from suspend.
  ///   - onCheckSuggested: called, about as often as the watcher looks at the TCP connections, when several new ones wait for their first
  ///     answer. That is no path: it proves nothing, and must not wake observers.
  ///   - onPath: called with the first path, and then with each path that differs from the last.
  package init(
    queue: DispatchQueue, options: PathOptions = PathOptions(), resolverConfiguration: String = "/etc/resolv.conf",
    unannouncedInterval: Duration = .seconds(30), recorder: (any PathRecorder)? = nil,
    open: @escaping @Sendable () throws(NetlinkError) -> NetlinkSockets = { () throws(NetlinkError) in
      try NetlinkSockets()
    },
    clockSteps: @escaping @Sendable () throws(SystemError) -> ClockSteps = { () throws(SystemError) in
      try ClockSteps()
    },
    onCheckSuggested: @escaping @Sendable () -> Void = {}, onPath: @escaping @Sendable (NWPath) -> Void
  ) {
    self.queue = queue
    files = WatchedFiles(ResolverFiles(configuration: resolverConfiguration), token: Token.resolver.rawValue)
    self.recorder = recorder
    self.open = open
    self.clockSteps = clockSteps
    self.onCheckSuggested = onCheckSuggested
    self.onPath = onPath
    state = Mutex(State(machine: PathMachine(unannouncedInterval: unannouncedInterval), options: options))
    queue.setSpecific(key: onQueue, value: true)
  }

  deinit { state.withLock { $0.end?.ring() } }

  /// Starts watching on a new thread, which waits for the kernel and works synchronously on the queue.
  ///
  /// A Dispatch source would wake Dispatch's manager thread, which then wakes a thread for the queue. Here the kernel wakes the working
  /// thread directly: this saves 50 µs per path.
  package func start() throws(SystemError) {
    let poller = try begin()
    let end = try Doorbell()
    try poller.poller.add(end.rawValue, token: Token.end.rawValue, .readable)
    state.withLock { $0.end = end }
    try BackgroundThread.start(name: "overline-path") { [weak self, queue] in
      // The bell must stay open while the poller watches it.
      withExtendedLifetime(end) {
        // Not in the caller: the kernel delays the exit of a process that watches files, and a short command may exit before this.
        queue.sync { self?.beginWatchingFiles() }
        while true {
          let ready = poller.poller.waitUntilReady().map(\.token)
          if ready.contains(Token.end.rawValue) { return }
          queue.sync { self?.take(ready) }
        }
      }
    }
  }

  /// Watches on the calling thread for ever. For a program whose main thread has nothing else to do.
  package func run() throws(SystemError) -> Never {
    let poller = try begin()
    queue.sync { beginWatchingFiles() }
    while true {
      let ready = poller.poller.waitUntilReady().map(\.token)
      queue.sync { take(ready) }
    }
  }

  private func begin() throws(SystemError) -> SharedPoller {
    let poller = SharedPoller(try Poller())
    let timer = try BootTimer()
    try poller.poller.add(timer.rawValue, token: Token.timer.rawValue, .readable)
    // Without clock steps the watcher still reads the kernel's messages.
    let clock = watched(by: poller, .clock, clockSteps, \.rawValue)
    state.withLock { state in
      state.timer = timer
      state.poller = poller
      state.clock = clock
    }
    recorder?.begin(state.withLock(\.options))
    timer.arm(.zero)
    return poller
  }

  private func watched<Watch>(
    by poller: SharedPoller, _ token: Token, _ make: () throws(SystemError) -> Watch, _ descriptor: (Watch) -> Int32
  ) -> Watch? {
    guard let watch = try? make(),
      (try? poller.poller.add(descriptor(watch), token: token.rawValue, .readable)) != nil
    else { return nil }
    return watch
  }

  /// Watches the files of ``watch(files:onChange:onFailure:)`` at the current targets of their paths. Call this on the queue.
  package func watchFilesAgain() {
    withPoller { files.followPaths(in: $0, at: BootClock.now) }
  }

  private func beginWatchingFiles() {
    withPoller { files.begin(in: $0, at: BootClock.now) }
  }

  /// Calls `body` unless the watcher is cancelled, then arms the timer.
  private func withPoller(_ body: (borrowing Poller) -> Void) {
    guard let poller = state.withLock({ $0.isCancelled ? nil : $0.poller }) else { return }
    body(poller.poller)
    armTimer()
  }

  private func armTimer() {
    let deadline = files.nextDeadline
    state.withLock { state in
      state.timer?.arm([state.machine.nextDeadline, deadline].compactMap { $0 }.min())
    }
  }

  /// Ends watching. No path is reported after this has returned.
  package func cancel() {
    let close = { @Sendable in
      self.state.withLock { state in
        state.isCancelled = true
        state.end?.ring()
        state.closeTimer()
        state.closeSockets()
        state.closeClock()
        if let poller = state.poller { self.files.close(in: poller.poller) }
      }
    }
    if isOnQueue { close() } else { queue.sync(execute: close) }
  }

  /// Sets the user's options. The kernel's tables are kept; the path is decided again.
  package func setOptions(_ options: PathOptions) {
    let change = { @Sendable in
      let old = self.state.withLock { state in
        defer { state.options = options }
        return state.options
      }
      if old != options { self.drive([.optionsChanged], at: BootClock.now) }
    }
    if isOnQueue { change() } else { queue.async(execute: change) }
  }

  /// Reports that another process, which has watched for longer, found these routers silent. Call this before the start, so
  /// that the first path knows of them, or later.
  package func report(silent routers: [Gateway: RouterSilence]) {
    if routers.isEmpty { return }
    let report = { @Sendable in self.drive([.silenceReported(routers)], at: BootClock.now) }
    if isOnQueue { report() } else { queue.sync(execute: report) }
  }

  /// Reports what the running monitor has found. Call this before the start: it counts for the first path.
  package func report(_ word: MonitorWord?) {
    guard let word else { return }
    report(silent: word.silent)
    var events = word.tunnel.map { [PathMachine.Event.tunnelReported($0)] } ?? []
    if word.mayWaitForRouter { events.append(.outageReported) }
    let report = { @Sendable [events] in self.drive(events, at: BootClock.now) }
    if isOnQueue { report() } else { queue.sync(execute: report) }
  }

  /// Calls `onChange` on the queue when one of these files may have changed, when the clock was set, which may change what their times mean,
  /// and once when watching begins. While files cannot be watched, the watcher tries again every 30 seconds and calls `onChange` each time.
  ///
  /// Call this before the watcher starts.
  ///
  /// - Parameter onFailure: called once with the reason why files cannot be watched.
  package func watch(
    files paths: [String], onChange: @escaping @Sendable () -> Void,
    onFailure: @escaping @Sendable (SystemError) -> Void = { _ in }
  ) {
    files.others = WatchedFiles.Others(paths: paths, onChange: onChange, onFailure: onFailure)
  }

  /// The numbers of overruns, published paths and evaluations.
  package var counters: PathMachine.Counters { state.withLock { $0.machine.counters } }

  private var isOnQueue: Bool { DispatchQueue.getSpecific(key: onQueue) == true }

  // MARK: Events

  private func take(_ ready: [UInt64]) {
    for token in ready {
      switch Token(rawValue: token) {
      case .kernel: note(.readable)
      case .neighbours: note(.neighboursReadable)
      case .timer:
        state.withLock { $0.timer?.take() }
        tryFilesAgain()
        note(.deadlinePassed)
      case .clock: takeClockStep()
      case .resolver: takeResolverChange()
      case .question: if state.withLock({ $0.endQuestion() }) { note(.hostAnswered) }
      case .end, nil: break
      }
    }
  }

  private func takeClockStep() {
    guard let clock = state.withLock({ $0.clock }) else { return }
    switch Result(catching: { () throws(SystemError) in try clock.take() }) {
    case .success(true):
      note(.clockStepped)
      files.others.onChange()
    case .success(false): break
    // Otherwise the descriptor stays ready for ever.
    case .failure: state.withLock { $0.closeClock() }
    }
  }

  private func tryFilesAgain() {
    guard let deadline = files.nextDeadline, deadline <= BootClock.now else { return }
    // The resolver's files may have changed meanwhile, even if they still cannot be watched.
    beginWatchingFiles()
    note(.resolverChanged)
  }

  private func takeResolverChange() {
    var hasChanged = false
    withPoller { hasChanged = files.takeChange(in: $0, at: BootClock.now) }
    if hasChanged { note(.resolverChanged) }
  }

  // MARK: Driving the machine

  private func note(_ event: WatcherEvent) {
    let (sockets, isCancelled) = state.withLock { ($0.sockets, $0.isCancelled) }
    if isCancelled { return }
    let events = PathMachine.Event.all(of: event, sockets: sockets)
    let now = BootClock.now
    recorder?.note(event, at: now)
    drive(events, at: now)
  }

  private func drive(_ events: [PathMachine.Event], at start: Duration) {
    var events = events[...]
    var now = start
    while let event = events.popFirst() {
      let effects = state.withLock { $0.isCancelled ? [] : $0.machine.handle(event, at: now) }
      for effect in effects {
        guard let (event, recorded) = perform(effect, at: now) else { continue }
        now = BootClock.now
        if let recorded { recorder?.note(recorded, at: now) }
        events.append(event)
      }
    }
    state.withLock { state in
      state.closeFailedNeighbours()
      // After a resume, or once nothing waits, no look comes that would close the question. The kernel would try for two minutes.
      if !state.machine.connections.needsAnswers {
        _ = state.endQuestion()
        if !state.machine.sending.isAwake { state.sockets?.forgetConnections() }
      }
    }
    armTimer()
  }

  /// Performs an effect; returns its result, for the machine and for a recording.
  private func perform(
    _ effect: PathMachine.Effect, at now: Duration
  ) -> (event: PathMachine.Event, recorded: WatcherEvent?)? {
    switch effect {
    case .open:
      do throws(NetlinkError) {
        try openSockets()
        return (.opened, .opened(true))
      } catch {
        return (.failed(why: "\(error)"), .opened(false))
      }
    case .close:
      state.withLock { $0.closeSockets() }
      return nil
    case .dump:
      return state.withLock(\.sockets).map { ($0.dump(), .dumped) }
    case .evaluate:
      let (sockets, machine, options) = state.withLock { ($0.sockets, $0.machine, $0.options) }
      guard let sockets else { return nil }
      let host = SystemHostInfo(
        resolver: files.resolver, files: files.files, connection: TentativeConnection(open: sockets.openConnection),
        diagnostics: { sockets.diagnostics })
      do throws(NetlinkError) {
        let decisive = options.targets.map(\.network) + options.onlineMeans + host.currentNameservers().networks
        try sockets.pass(decisive + machine.tunnels.knowledge.servers)
      } catch {
        // Sockets without the right filter would miss routes: open new ones.
        return (.failed(why: "\(error)"), .evaluated)
      }
      return (sockets.evaluate(machine, options: options, host: host), .evaluated)
    case .watchRouters(let routers):
      state.withLock(\.sockets)?.watch(routers)
      return nil
    case .readRouters(let routers):
      return state.withLock(\.sockets).map { ($0.read(routers), .routersRead) }
    case .countPackets(let links):
      return state.withLock(\.sockets).map { ($0.countPackets(of: links), .packetsCounted) }
    case .kick(let router):
      state.withLock(\.sockets)?.kick(router, at: now)
      return nil
    case .lookAtConnections(let depth):
      // The look must not count the watcher's own connection.
      let (sockets, machine, isAnswered) = state.withLock { ($0.sockets, $0.machine, $0.endQuestion()) }
      // Without sockets, after an error, the look has failed: the machine waits for a result.
      guard let sockets else {
        recorder?.note(.connections(nil))
        return (.connectionsLooked(nil), .connectionsLooked)
      }
      let look = sockets.look(depth, machine, isAnswered: isAnswered, at: now)
      return (.connectionsLooked(look), .connectionsLooked)
    case .lookAtQuality:
      // Not recorded: a recording is about whether the network works.
      let (sockets, machine) = state.withLock { ($0.sockets, $0.machine) }
      return (.qualityLooked(sockets?.lookAtQuality(machine)), nil)
    case .askHost:
      state.withLock { state in
        if let descriptor = state.sockets?.askHost() {
          try? state.poller?.poller.add(descriptor, token: Token.question.rawValue, .writable)
        }
      }
      return nil
    case .suggestCheck:
      onCheckSuggested()
      return nil
    case .publish(let path):
      recorder?.note(published: path, at: now)
      onPath(path)
      return nil
    }
  }

  private func openSockets() throws(NetlinkError) {
    guard let poller = state.withLock({ $0.poller }) else {
      throw NetlinkError(code: EBADF, attempt: "listen to the kernel before the watcher has started")
    }
    let sockets = try open()
    sockets.recorder = recorder
    do throws(SystemError) {
      try poller.poller.add(sockets.events.descriptor, token: Token.kernel.rawValue, .readable)
      if let neighbours = sockets.neighbourDescriptor {
        try poller.poller.add(neighbours, token: Token.neighbours.rawValue, .readable)
      }
    } catch {
      throw NetlinkError(code: error.code, attempt: error.attempt)
    }
    state.withLock { $0.sockets = sockets }
  }
}
