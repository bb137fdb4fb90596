#if canImport(Network)
  import Combine
  import Network
#else
  import Dispatch
  import NetworkPath
  import OpenCombine
#endif

/// The state that a view observes.
@MainActor
final class NetworkObserver: ObservableObject {
  @Published private(set) var hasNetworkConnection = true
  @Published private(set) var isUsingCellularConnection = false

  private let monitor = NWPathMonitor()
  private let queue = DispatchQueue(label: "NetworkObserver")

  init() {
    monitor.pathUpdateHandler = { [weak self] path in
      Task { @MainActor in
        self?.hasNetworkConnection = path.status == .satisfied
        self?.isUsingCellularConnection = path.usesInterfaceType(.cellular)
      }
    }
    monitor.start(queue: queue)
  }

  deinit {
    monitor.cancel()
  }
}

@MainActor
func watchObservable() async {
  let observer = NetworkObserver()
  let view = observer.$hasNetworkConnection.removeDuplicates().sink { isThere in
    MainActor.assertIsolated()
    print(isThere ? "connected" : "no connection")
  }
  // A view lives as long as its window, which this program never closes.
  let (window, closing) = AsyncStream.makeStream(of: Void.self)
  for await _ in window {}
  closing.finish()
  view.cancel()
}
