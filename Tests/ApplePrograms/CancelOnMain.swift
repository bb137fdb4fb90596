#if canImport(Network)
  import Darwin
  import Network
#else
  import Glibc
  import NetworkPath
#endif

/// Shows each path on the main thread, and waits for it. The main thread cancels the monitor meanwhile.
func cancelOnMain() -> Never {
  let monitor = NWPathMonitor()
  let isInside = DispatchSemaphore(value: 0)
  monitor.pathUpdateHandler = { path in
    isInside.signal()
    DispatchQueue.main.sync { print("shown: \(path.status)") }
    print("handler left")
    exit(0)
  }
  monitor.start(queue: DispatchQueue(label: "paths"))
  isInside.wait()
  monitor.cancel()
  print("cancelled")
  dispatchMain()
}
