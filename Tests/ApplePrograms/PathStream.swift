import Dispatch

#if canImport(Network)
  import Network
#else
  import NetworkPath
#endif

/// Structured concurrency: an actor that remembers, fed by the monitor as a sequence and by a stream made by hand.
actor Connectivity {
  private(set) var interfaceNames: [String] = []
  private var monitor: NWPathMonitor?

  func follow() async {
    for await path in NWPathMonitor() {
      interfaceNames = path.availableInterfaces.map(\.name)
      print("sequence: \(path.status) \(interfaceNames.joined(separator: ","))")
    }
  }
}

extension NWPathMonitor {
  func paths() -> AsyncStream<NWPath> {
    AsyncStream { continuation in
      pathUpdateHandler = { path in
        continuation.yield(path)
      }
      continuation.onTermination = { [weak self] _ in
        self?.cancel()
      }
      start(queue: DispatchQueue(label: "NSPathMonitor.paths"))
    }
  }
}

func streamPaths() async {
  let connectivity = Connectivity()
  await withTaskGroup(of: Void.self) { group in
    group.addTask { await connectivity.follow() }
    group.addTask {
      let monitor = NWPathMonitor()
      for await isUp in monitor.paths().map({ $0.status == .satisfied }) {
        print("stream: \(isUp)")
        // The first outage ends the loop.
        if !isUp { break }
      }
      print("stream: queue \(monitor.queue?.label ?? "none"), \(monitor.currentPath.supportsIPv4)")
    }
  }
}
