#if canImport(Network)
  import Network
#else
  import NetworkPath
#endif

/// The ten-line program: prints each path.
func printPaths() -> Never {
  let monitor = NWPathMonitor()
  monitor.pathUpdateHandler = { path in
    print(path.debugDescription)
  }
  monitor.start(queue: .main)
  dispatchMain()
}
