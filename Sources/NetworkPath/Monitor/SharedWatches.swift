internal import Dispatch
internal import OverlineSystem
internal import Synchronization

/// The watches of this process. Monitors with the same options in the same network namespace share one.
final class SharedWatches: Sendable {
  struct Key: Hashable {
    var options: PathOptions
    var resolverConfiguration: String
    /// `net:[4026531840]`.
    var namespace: String
  }

  static let process = SharedWatches()

  private struct Weak {
    weak var watch: SharedWatch?
  }

  private let watches = Mutex<[Key: Weak]>([:])

  /// The watch for the key; a new one if no monitor uses one.
  func watch(_ key: Key, _ make: () -> SharedWatch) -> SharedWatch {
    watches.withLock { watches in
      if let watch = watches[key]?.watch { return watch }
      let watch = make()
      watches = watches.filter { $0.value.watch != nil }
      watches[key] = Weak(watch: watch)
      return watch
    }
  }
}

/// One path watcher for any number of monitors. It runs while a monitor uses it.
final class SharedWatch: Sendable {
  /// A monitor's membership. It ends when the monitor releases it.
  final class Member: PathWatch {
    private struct Mail {
      /// The paths that the queue has not handled yet, oldest first.
      var paths: [NWPath] = []
      var isCancelled = false
    }

    /// A blocked queue gets the newest paths only.
    private static let maximumPaths = 16

    private let watch: SharedWatch
    private let queue: DispatchQueue
    private let onPath: @Sendable (NWPath) -> Void
    private let mail = Mutex(Mail())

    fileprivate init(_ watch: SharedWatch, _ queue: DispatchQueue, _ onPath: @escaping @Sendable (NWPath) -> Void) {
      self.watch = watch
      self.queue = queue
      self.onPath = onPath
    }

    deinit { watch.remove(ObjectIdentifier(self)) }

    func start() throws(SystemError) { try watch.add(self) }

    func cancel() {
      mail.withLock { $0 = Mail(isCancelled: true) }
      watch.remove(ObjectIdentifier(self))
    }

    fileprivate func send(_ path: NWPath) {
      let isFirst = mail.withLock { mail in
        if mail.isCancelled { return false }
        if mail.paths.count == Self.maximumPaths { mail.paths.removeFirst() }
        mail.paths.append(path)
        return mail.paths.count == 1
      }
      if isFirst { queue.async { [weak self] in self?.deliver() } }
    }

    private func deliver() {
      let paths = mail.withLock { mail in
        defer { mail.paths = [] }
        return mail.paths
      }
      for path in paths { onPath(path) }
    }
  }

  private struct State {
    var members: [ObjectIdentifier: Weak] = [:]
    var watcher: PathWatcher?
    /// Counts the watchers: a path of a cancelled one is obsolete.
    var generation = 0
    var last: NWPath?
  }

  private struct Weak {
    weak var member: Member?
  }

  private let make: @Sendable (_ onPath: @escaping @Sendable (NWPath) -> Void) -> PathWatcher
  private let state = Mutex(State())
  /// Held during a start: a second member must not count on a watcher whose start fails.
  private let starting = Mutex(())

  /// - Parameter make: makes a watcher on a queue of its own.
  init(_ make: @escaping @Sendable (_ onPath: @escaping @Sendable (NWPath) -> Void) -> PathWatcher) { self.make = make }

  func member(on queue: DispatchQueue, _ onPath: @escaping @Sendable (NWPath) -> Void) -> Member {
    Member(self, queue, onPath)
  }

  private func add(_ member: Member) throws(SystemError) {
    let result = starting.withLock { _ in
      let new = register(member)
      let result = Result { () throws(SystemError) in try new?.start() }
      if case .failure = result { state.withLock { $0.watcher = nil } }
      return result
    }
    try result.get()
  }

  /// Returns the watcher to start, if there was none.
  private func register(_ member: Member) -> PathWatcher? {
    state.withLock { state in
      state.members[ObjectIdentifier(member)] = Weak(member: member)
      if let last = state.last { member.send(last) }
      guard state.watcher == nil else { return nil }
      state.generation += 1
      let watcher = make { [weak self, generation = state.generation] in self?.tell($0, by: generation) }
      state.watcher = watcher
      return watcher
    }
  }

  private func remove(_ member: ObjectIdentifier) {
    let idle = state.withLock { state -> PathWatcher? in
      state.members.removeValue(forKey: member)
      guard state.members.isEmpty else { return nil }
      state.last = nil
      defer { state.watcher = nil }
      return state.watcher
    }
    // Outside the lock: the watcher's queue may be waiting for it.
    idle?.cancel()
  }

  private func tell(_ path: NWPath, by generation: Int) {
    let members = state.withLock { state -> [Member] in
      guard state.generation == generation, state.watcher != nil else { return [] }
      state.last = path
      return state.members.values.compactMap(\.member)
    }
    for member in members { member.send(path) }
  }
}
