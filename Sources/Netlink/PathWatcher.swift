public import Dispatch
public import PathModel
public import POSIX
internal import Synchronization

/// Watches the kernel's links, addresses and routes and tells each new path: the driver of ``PathMachine``.
///
/// Everything happens on one serial queue. Not a thing runs while the kernel is silent.
public final class PathWatcher: Sendable {
  private struct State {
    var machine = PathMachine()
    var sockets: NetlinkSockets?
    var source: ReadSource?
    /// In place of the source, when a thread waits in ``PathWatcher/run()``.
    var poller: SharedPoller?
    var timer: DeadlineTimer?
    var isCancelled = false
  }

  private let queue: DispatchQueue
  private let options: PathOptions
  private let resolverConfiguration: String
  private let open: @Sendable () throws(NetlinkError) -> NetlinkSockets
  private let onPath: @Sendable (NWPath) -> Void
  private let state = Mutex(State())
  private let onQueue = DispatchSpecificKey<Bool>()

  /// Datagrams read before the queue gets to other work.
  private static let batch = 256

  /// - Parameters:
  ///   - queue: a serial queue; `onPath` runs on it.
  ///   - resolverConfiguration: path of the resolv.conf(5) whose nameservers decide `supportsDNS`.
  ///   - open: makes the sockets, also again after a read error.
  ///   - onPath: called with the first path, always, and then with each that differs from the last.
  public init(
    queue: DispatchQueue, options: PathOptions = PathOptions(), resolverConfiguration: String = "/etc/resolv.conf",
    open: @escaping @Sendable () throws(NetlinkError) -> NetlinkSockets = { () throws(NetlinkError) in
      try NetlinkSockets()
    },
    onPath: @escaping @Sendable (NWPath) -> Void
  ) {
    self.queue = queue
    self.options = options
    self.resolverConfiguration = resolverConfiguration
    self.open = open
    self.onPath = onPath
    queue.setSpecific(key: onQueue, value: true)
  }

  /// Begins to watch.
  public func start() throws(SystemError) {
    let timer = try DeadlineTimer(queue: queue) { [weak self] in self?.handle(.deadlinePassed) }
    state.withLock { $0.timer = timer }
    queue.async { self.handle(.deadlinePassed) }
  }

  /// Begins to watch, and from now on waits for the kernel on the calling thread, which does what comes of it in the queue's turn.
  ///
  /// For a program whose first thread has nothing else to do. A source of Dispatch's wakes the thread of its manager, which wakes one
  /// for the queue; here the kernel wakes the one that does the work.
  public func run() throws(SystemError) -> Never {
    let shared = SharedPoller(try Poller())
    state.withLock { $0.poller = shared }
    try start()
    while true {
      // A wait that fails is found out by the read after it.
      _ = try? waitUntilReadable(shared.poller.rawValue, timeout: nil)
      queue.sync {
        if let sockets = state.withLock({ $0.sockets }) { read(sockets) }
      }
    }
  }

  /// Ends watching. No path is told after this has returned.
  public func cancel() {
    let close = { @Sendable in
      self.state.withLock { state in
        state.isCancelled = true
        state.timer = nil
      }
      self.closeSockets()
    }
    if isOnQueue { close() } else { queue.sync(execute: close) }
  }

  /// How often the watcher looked, told and lost messages.
  public var counters: PathMachine.Counters { state.withLock { $0.machine.counters } }

  private var isOnQueue: Bool { DispatchQueue.getSpecific(key: onQueue) == true }

  // MARK: Driving the machine

  private func handle(_ event: PathMachine.Event) {
    var events = [event][...]
    while let event = events.popFirst() {
      let effects = state.withLock { $0.isCancelled ? [] : $0.machine.handle(event, at: BootClock.now) }
      for effect in effects { events += perform(effect) }
    }
    state.withLock { $0.timer?.arm($0.machine.nextDeadline) }
  }

  /// Does what the machine wants; the events that come of it.
  private func perform(_ effect: PathMachine.Effect) -> [PathMachine.Event] {
    switch effect {
    case .open:
      return openSockets()
    case .close:
      closeSockets()
      return []
    case .dump:
      return withSockets { sockets throws(NetlinkError) in
        let (events, complete) = try sockets.queries.dump()
        return .dumped(events, complete: complete)
      }
    case .evaluate:
      return withSockets { sockets throws(NetlinkError) in
        let oracle = KernelOracle(sockets: sockets, resolverConfiguration: resolverConfiguration)
        let (tables, lastUsed) = state.withLock { ($0.machine.tables, $0.machine.lastUsed) }
        return .evaluated(
          PathDecision(tables: tables, options: options, lastUsed: lastUsed, oracle: oracle).path())
      }
    case .publish(let path):
      onPath(path)
      return []
    }
  }

  private func withSockets(
    _ body: (NetlinkSockets) throws(NetlinkError) -> PathMachine.Event
  ) -> [PathMachine.Event] {
    guard let sockets = state.withLock({ $0.sockets }) else { return [] }
    do { return [try body(sockets)] } catch { return [.failed] }
  }

  private func openSockets() -> [PathMachine.Event] {
    let sockets: NetlinkSockets
    do {
      sockets = try open()
      if !options.targets.isEmpty { try sockets.events.pass(targets: options.targets.map(\.network)) }
    } catch { return [.failed] }
    let descriptor = sockets.events.descriptor
    if let poller = state.withLock({ $0.poller }) {
      // It leaves the set by being closed.
      do { try poller.poller.add(descriptor, token: 0, .readable) } catch { return [.failed] }
      state.withLock { $0.sockets = sockets }
    } else {
      let source = ReadSource(descriptor: descriptor, keeping: sockets, queue: queue) { [weak self] in
        self?.read(sockets)
      }
      state.withLock { state in
        state.sockets = sockets
        state.source = source
      }
    }
    return [.opened]
  }

  private func closeSockets() {
    state.withLock { state in
      state.source = nil
      state.sockets = nil
    }
  }

  private func read(_ sockets: NetlinkSockets) {
    do {
      let (events, lost) = try sockets.events.receive(limit: Self.batch)
      // First, so that nothing is decided from tables that are known to miss something.
      if lost { handle(.overran) }
      if !events.isEmpty { handle(.received(events)) }
    } catch {
      handle(.failed)
    }
  }
}

extension NWPath {
  /// The path now, straight from the kernel, without watching. A monitor is not needed.
  package static func current(
    options: PathOptions = PathOptions(), resolverConfiguration: String = "/etc/resolv.conf",
    open: () throws(NetlinkError) -> NetlinkSockets = { () throws(NetlinkError) in try NetlinkSockets() }
  ) throws(NetlinkError) -> NWPath {
    let sockets = try open()
    var tables = NetworkTables()
    for event in try sockets.queries.dump().events { tables.apply(event) }
    let oracle = KernelOracle(sockets: sockets, resolverConfiguration: resolverConfiguration)
    return PathDecision(tables: tables, options: options, oracle: oracle).path()
  }
}
