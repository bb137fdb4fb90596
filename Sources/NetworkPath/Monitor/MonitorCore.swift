internal import Dispatch
internal import OverlineSystem
internal import Synchronization

/// The state and work of a monitor. The path watcher holds only a weak reference, so that the core ends when the user releases a monitor
/// that only waits or iterates.
final class MonitorCore: Sendable {
  typealias Handler = @Sendable (NWPath) -> Void

  /// Counts the paths that explain a failure.
  struct Troubles: Equatable {
    /// The published paths that were unsatisfied.
    var outages = 0
    /// The published paths on which nothing was answered, or nothing left this machine (``NWPath/isLimited``).
    var silences = 0

    mutating func count(_ path: NWPath) {
      if path.status == .unsatisfied { outages += 1 }
      if path.isLimited { silences += 1 }
    }
  }

  private struct State {
    enum Life {
      case idle
      /// The serial queue in front of the user's, and the watch that runs on it.
      case started(DispatchQueue, any PathWatch)
      case cancelled
    }

    var life = Life.idle
    var queue: DispatchQueue?
    /// The monitor that the user started, until it is cancelled.
    var kept: NWPathMonitor?
    var handler: Handler?
    /// Whether a handler has received a path.
    var hasHandled = false
    /// The last path from the kernel.
    var kernelPath: NWPath?
    /// The last published path: equal to `kernelPath`, unless the program has contradicted it.
    var publishedPath: NWPath?
    var troubles = Troubles()
    /// The last published path that was counted.
    var lastTrouble: NWPath?
    var listeners: [UInt64: AsyncStream<NWPath>.Continuation] = [:]
    /// The handlers of windows, beside the user's.
    var observers: [UInt64: Handler] = [:]
    var lastListener: UInt64 = 0

    var isCancelled: Bool { if case .cancelled = life { true } else { false } }
  }

  let source: any PathSource
  private let state = Mutex(State())

  init(source: any PathSource) { self.source = source }

  var queue: DispatchQueue? { state.withLock { $0.queue } }

  var handler: Handler? {
    get { state.withLock { $0.handler } }
    set {
      // Release outside the lock: the handler's deinit may call back. A cancelled monitor stores no handler: it might retain the monitor.
      let (old, serial) = state.withLock { state -> (Handler?, DispatchQueue?) in
        defer { if !state.isCancelled { state.handler = newValue } }
        guard case .started(let serial, _) = state.life, newValue != nil, !state.hasHandled, state.publishedPath != nil
        else {
          return (state.handler, nil)
        }
        return (state.handler, serial)
      }
      withExtendedLifetime(old) {}
      serial?.async { [weak self] in self?.handleFirst() }
    }
  }

  /// Calls a handler that was set after the first path was published. Runs on the serial queue only.
  private func handleFirst() {
    let first = state.withLock { state -> (NWPath, Handler)? in
      guard case .started = state.life, let path = state.publishedPath, let handler = state.handler, !state.hasHandled
      else {
        return nil
      }
      state.hasHandled = true
      return (path, handler)
    }
    if let (path, handler) = first { handler(path) }
  }

  // MARK: - Life

  /// - Parameter monitor: is retained until ``cancel()``.
  func start(queue: DispatchQueue, keeping monitor: NWPathMonitor? = nil) {
    requireProc(for: "NetworkPath")
    // The user's queue may be concurrent, or the main queue. A serial queue in front of it keeps the order and costs no hop.
    let serial = DispatchQueue(label: "NWPathMonitor", target: queue)
    let watcher = source.watch(on: serial) { [weak self] in self?.learn($0) }
    let isFirst = state.withLock { state in
      guard case .idle = state.life else { return false }
      state.life = .started(serial, watcher)
      state.queue = queue
      state.kept = monitor
      return true
    }
    if isFirst { begin(watcher, serial) }
  }

  /// Starts an idle monitor for a caller that waits for its paths, like Apple's monitor.
  func startIfIdle() {
    let isIdle = state.withLock { if case .idle = $0.life { true } else { false } }
    if isIdle { start(queue: DispatchQueue(label: "NWPathMonitor")) }
  }

  private func begin(_ watcher: any PathWatch, _ serial: DispatchQueue) {
    do {
      try watcher.start()
    } catch {
      // No descriptor is left for a timer. This is no outage, and it may pass.
      serial.async { [weak self] in self?.learn(.unknown(because: "\(error); trying again")) }
      serial.asyncAfter(deadline: .now() + 1) { [weak self] in
        if let self, !isCancelled { begin(watcher, serial) }
      }
    }
  }

  var isCancelled: Bool { state.withLock(\.isCancelled) }

  /// The monitor's life or its last path, for logs. Asks the kernel nothing.
  var summary: String {
    state.withLock { state in
      switch state.life {
      case .idle: "not started"
      case .started: state.publishedPath?.debugDescription ?? "no path yet"
      case .cancelled: "cancelled"
      }
    }
  }

  /// Takes no lock that is held while a handler runs: the handler may be waiting for the calling thread.
  func cancel() {
    let (life, listeners, handler, kept) = state.withLock { state in
      defer {
        state.life = .cancelled
        state.listeners = [:]
        state.observers = [:]
        state.handler = nil
        state.kept = nil
      }
      return (state.life, state.listeners, (state.handler, state.observers), state.kept)
    }
    // Release outside the lock: the handler may hold its monitor, and its deinit may call back.
    withExtendedLifetime((handler, kept)) {}
    for listener in listeners.values { listener.finish() }
    // Not synchronously: the queue may be waiting for the current thread.
    if case .started(let serial, let watcher) = life { serial.async { watcher.cancel() } }
  }

  // MARK: - Paths

  var currentPath: NWPath {
    let (publishedPath, isStarted) = state.withLock { state in
      if case .started = state.life { (state.publishedPath, true) } else { (state.publishedPath, false) }
    }
    return publishedPath ?? (isStarted ? source.look() : .notStarted)
  }

  private func learn(_ path: NWPath) {
    publish { state in
      state.kernelPath = path
      return path
    }
  }

  /// Publishes the path that `choose` returns, unless the monitor is cancelled. Runs on the serial queue only.
  private func publish(_ choose: (inout State) -> NWPath?) {
    let news = state.withLock { state -> (NWPath, [Handler], [AsyncStream<NWPath>.Continuation])? in
      guard case .started = state.life, let path = choose(&state), path != state.publishedPath else { return nil }
      state.publishedPath = path
      state.troubles.count(path)
      if path.status == .unsatisfied || path.isLimited { state.lastTrouble = path }
      if state.handler != nil { state.hasHandled = true }
      let handlers = state.observers.values + [state.handler].compactMap(\.self)
      return (path, handlers, Array(state.listeners.values))
    }
    guard let (path, handlers, listeners) = news else { return }
    for listener in listeners { listener.yield(path) }
    // One of the handlers may cancel the monitor.
    for handler in handlers where !isCancelled { handler(path) }
  }

  /// Contradicts a doubtful outage: the program has just reached its server.
  func reportSuccess() {
    let doubted = state.withLock { state -> (NWPath, DispatchQueue)? in
      guard case .started(let serial, _) = state.life, let path = state.publishedPath, path.isDoubtfulOutage else {
        return nil
      }
      return (path, serial)
    }
    guard let (path, serial) = doubted else { return }
    serial.async { [weak self] in
      // Kernel news that arrived since, and the kernel's answer now, are newer than the program's success.
      guard let self, source.look().isDoubtfulOutage else { return }
      publish { $0.publishedPath == path ? path.contradicted : nil }
    }
  }

  var troubles: Troubles { state.withLock(\.troubles) }

  var lastTrouble: NWPath? { state.withLock(\.lastTrouble) }

  /// Whether the routers answer now. A program that contradicts the kernel's path contradicts this too.
  var routerContact: RouterContact {
    let (publishedPath, kernelPath) = state.withLock { ($0.publishedPath, $0.kernelPath) }
    return publishedPath == kernelPath ? source.routerContact() : .notLost
  }

  /// Whether an outage was published, and whether there is one `now`: published, or by the kernel's current answer.
  ///
  /// A connection can fail before the monitor has read the kernel's message about the cause.
  var isOffline: (published: Bool, now: Bool) {
    let (publishedPath, kernelPath) = state.withLock { ($0.publishedPath, $0.kernelPath) }
    let isPublished = publishedPath?.status == .unsatisfied
    let isContradicted = kernelPath?.status == .unsatisfied && !isPublished
    return (isPublished, isPublished || (!isContradicted && source.look().status == .unsatisfied))
  }

  // MARK: - Observers

  /// Calls the handler with the current path and each newer one, beside the user's handler.
  func observe(_ handler: @escaping Handler) -> UInt64 {
    let (number, serial) = state.withLock { state -> (UInt64, DispatchQueue?) in
      state.lastListener += 1
      if !state.isCancelled { state.observers[state.lastListener] = handler }
      guard case .started(let serial, _) = state.life, state.publishedPath != nil else {
        return (state.lastListener, nil)
      }
      return (state.lastListener, serial)
    }
    serial?.async { [weak self] in
      guard let self else { return }
      let (path, handler) = state.withLock { ($0.publishedPath, $0.observers[number]) }
      if let path { handler?(path) }
    }
    return number
  }

  func removeObserver(_ number: UInt64) {
    // Release outside the lock: the handler's deinit may call back.
    _ = state.withLock { $0.observers.removeValue(forKey: number) }
  }

  // MARK: - Sequences

  /// The current path and each newer one. A busy listener receives only the newest.
  func listen() -> AsyncStream<NWPath> {
    let (stream, continuation) = AsyncStream.makeStream(of: NWPath.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state -> UInt64? in
      if case .cancelled = state.life { return nil }
      state.lastListener += 1
      state.listeners[state.lastListener] = continuation
      if let path = state.publishedPath { continuation.yield(path) }
      return state.lastListener
    }
    guard let number else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in
      // Release outside the lock: the continuation's end would acquire it again.
      _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
    }
    return stream
  }
}
