internal import NetworkPath
internal import Synchronization

/// One path monitor for the windows that show its paths. A feed that makes its monitor ends it with the last window.
package final class NetworkFeed: Sendable {
  private struct State {
    var monitor: NWPathMonitor?
    var observer: UInt64?
    var last: NWPath?
    var listeners: [ObjectIdentifier: Listener] = [:]
  }

  private struct Listener {
    weak var window: WindowCore?
  }

  /// The feed of this process.
  static let shared = NetworkFeed { NWPathMonitor(targets: $0) }

  private let make: @Sendable ([PathTarget]) -> NWPathMonitor
  private let targets: [PathTarget]
  private let endsMonitor: Bool
  private let read: @Sendable (NWPath) -> NWPath
  private let state = Mutex(State())

  /// - Parameter make: makes a monitor that reports these networks too.
  package convenience init(_ make: @escaping @Sendable ([PathTarget]) -> NWPathMonitor) {
    self.init(make, targets: [], endsMonitor: true, read: { $0 })
  }

  /// The feed of a monitor that belongs to the program and outlives the feed.
  convenience init(_ monitor: NWPathMonitor) {
    self.init({ _ in monitor }, targets: [], endsMonitor: false, read: { $0 })
  }

  private init(
    _ make: @escaping @Sendable ([PathTarget]) -> NWPathMonitor, targets: [PathTarget], endsMonitor: Bool,
    read: @escaping @Sendable (NWPath) -> NWPath
  ) {
    self.make = make
    self.targets = targets
    self.endsMonitor = endsMonitor
    self.read = read
  }

  /// A feed of the same network: the network is lost while one of these cannot be reached.
  func feed(of targets: [PathTarget]) -> NetworkFeed {
    NetworkFeed(make, targets: targets, endsMonitor: true, read: \.ofTargets)
  }

  /// Sends the window each path, starting at once with the current one if it is known.
  func add(_ window: WindowCore) {
    let (known, new) = state.withLock { state -> (NWPath?, NWPathMonitor?) in
      state.listeners[ObjectIdentifier(window)] = Listener(window: window)
      guard state.monitor == nil else { return (state.last, nil) }
      state.monitor = make(targets)
      return (nil, state.monitor)
    }
    if let known { window.learn(known, isOld: true, from: self) }
    guard let new else { return }
    let observer = new.observe { [weak self, weak new] path in self?.tell(path, from: new) }
    state.withLock { if $0.monitor === new { $0.observer = observer } }
  }

  func remove(_ window: WindowCore) {
    let (idle, observer) = state.withLock { state -> (NWPathMonitor?, UInt64?) in
      state.listeners.removeValue(forKey: ObjectIdentifier(window))
      guard state.listeners.isEmpty else { return (nil, nil) }
      defer { state = State() }
      return (state.monitor, state.observer)
    }
    // Outside the lock: the released objects may take the lock again.
    if let observer { idle?.removeObserver(observer) }
    if endsMonitor { idle?.cancel() }
  }

  private func tell(_ path: NWPath, from monitor: NWPathMonitor?) {
    let path = read(path)
    let windows = state.withLock { state -> [WindowCore] in
      guard state.monitor === monitor else { return [] }
      state.last = path
      return state.listeners.values.compactMap(\.window)
    }
    for window in windows { window.learn(path, isOld: false, from: self) }
  }
}

extension NWPath {
  /// The path to the named networks: lost while one of them cannot be reached, whatever the way to the internet.
  fileprivate var ofTargets: NWPath {
    guard isKnown else { return self }
    guard let missing = targets.first(where: { !$0.isReachable }) else { return NWPath(status: .satisfied) }
    return NWPath(
      status: .unsatisfied, reason: missing.reason, explanation: missing.explanation, cause: missing.explanation)
  }
}
