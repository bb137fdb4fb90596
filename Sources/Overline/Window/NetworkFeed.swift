internal import Dispatch
internal import NetworkPath
internal import Synchronization

/// One monitor for all windows that want to know of the network: it runs while there is one.
package final class NetworkFeed: Sendable {
  private struct State {
    var monitor: NWPathMonitor?
    var last: NWPath?
    var listeners: [ObjectIdentifier: Listener] = [:]
  }

  private struct Listener {
    weak var window: WindowCore?
  }

  /// The process's.
  static let shared = NetworkFeed { NWPathMonitor() }

  private let make: @Sendable () -> NWPathMonitor
  private let state = Mutex(State())

  package init(_ make: @escaping @Sendable () -> NWPathMonitor) { self.make = make }

  /// Tells the window each path, the one that is known at once.
  func add(_ window: WindowCore) {
    let (known, new) = state.withLock { state -> (NWPath?, NWPathMonitor?) in
      state.listeners[ObjectIdentifier(window)] = Listener(window: window)
      guard state.monitor == nil else { return (state.last, nil) }
      state.monitor = make()
      return (nil, state.monitor)
    }
    if let known { window.learn(known, isOld: true) }
    guard let new else { return }
    new.pathUpdateHandler = { [weak self, weak new] path in self?.tell(path, from: new) }
    new.start(queue: DispatchQueue(label: "overline.network"))
  }

  func remove(_ window: WindowCore) {
    let idle = state.withLock { state -> NWPathMonitor? in
      state.listeners.removeValue(forKey: ObjectIdentifier(window))
      guard state.listeners.isEmpty else { return nil }
      state.last = nil
      defer { state.monitor = nil }
      return state.monitor
    }
    // What is let go under the lock would want the lock again.
    idle?.cancel()
  }

  private func tell(_ path: NWPath, from monitor: NWPathMonitor?) {
    let windows = state.withLock { state -> [WindowCore] in
      guard state.monitor === monitor else { return [] }
      state.last = path
      return state.listeners.values.compactMap(\.window)
    }
    for window in windows { window.learn(path, isOld: false) }
  }
}
