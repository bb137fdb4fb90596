internal import Dispatch
internal import NetworkPath
internal import Synchronization

/// One path monitor for all windows with network monitoring. It runs while such a window exists.
package final class NetworkFeed: Sendable {
  private struct State {
    var monitor: NWPathMonitor?
    var last: NWPath?
    var listeners: [ObjectIdentifier: Listener] = [:]
  }

  private struct Listener {
    weak var window: WindowCore?
  }

  /// The feed of this process.
  static let shared = NetworkFeed { NWPathMonitor() }

  private let make: @Sendable () -> NWPathMonitor
  private let state = Mutex(State())

  package init(_ make: @escaping @Sendable () -> NWPathMonitor) { self.make = make }

  /// Sends the window each path, starting at once with the current one if it is known.
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
    // Cancel outside the lock: the released objects may take the lock again.
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
